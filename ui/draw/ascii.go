package draw

import "github.com/charmbracelet/x/ansi"

// asciiOf has every character outside ASCII that the program draws, and what replaces it on a terminal without Unicode.
// Each replacement takes one cell, so that nothing moves.
var asciiOf = map[rune]byte{
	'▌': '>', '─': '-', '┈': '.', '┊': ':', '│': '|', '·': '|', '–': '-', '›': '>', '…': '~',
	'▲': '^', '▼': 'v', '↑': '^', '↓': 'v', '←': '<', '→': '>', '▾': '-', '▸': '+',
	'≈': '*', '÷': '/', '×': 'x', '−': '-', 'Δ': 'd',
	'▁': '_', '▂': '.', '▃': ':', '▄': '+', '▅': '*', '▆': 'O', '▇': '#', '█': '@',
	'▀': '"', '▏': '|', '▎': '|', '▍': '|', '▋': '|', '▊': '#', '▉': '#',
	'┤': '|', '├': '|', '┼': '+', '┬': '+', '┴': '+', '╭': '.', '╮': '.', '╰': '\'', '╯': '\'',
	'┌': '+', '┐': '+', '└': '+', '┘': '+', '●': 'o', '○': 'o', '•': '*', '✓': 'x',
	'⠋': '|', '⠙': '/', '⠹': '-', '⠸': '\\', '⠼': '|', '⠴': '/', '⠦': '-', '⠧': '\\', '⠇': '|', '⠏': '/',
}

// ASCII returns a screen for a terminal without Unicode, with every character in its cells: one that the program draws
// is replaced, and any other becomes ? in each of its cells. Bytes of UTF-8 could control such a terminal.
func ASCII(screen string) string {
	var text []byte
	for screen != "" {
		if screen[0] < 0x80 {
			text = append(text, screen[0])
			screen = screen[1:]
			continue
		}
		cluster, width := ansi.FirstGraphemeCluster(screen, ansi.GraphemeWidth)
		screen = screen[len(cluster):]
		runes := []rune(cluster)
		if drawn, ok := asciiOf[runes[0]]; ok && len(runes) == 1 {
			text = append(text, drawn)
		} else {
			for range width {
				text = append(text, '?')
			}
		}
	}
	return string(text)
}
