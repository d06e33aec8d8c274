package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

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
	d := asciiText{last: -1}
	for screen != "" {
		if screen[0] < 0x80 {
			d.add(screen[0])
			screen = screen[1:]
			continue
		}
		cluster, width := ansi.FirstGraphemeCluster(screen, ansi.GraphemeWidth)
		screen = screen[len(cluster):]
		runes := []rune(cluster)
		if drawn, ok := asciiOf[runes[0]]; ok && len(runes) == 1 {
			d.add(drawn)
		} else if runes[0] == '≤' && len(runes) == 1 {
			screen = d.addAtMost(screen)
		} else {
			for range width {
				d.add('?')
			}
		}
	}
	return string(d.text)
}

// asciiText is a screen as far as it is written in ASCII.
type asciiText struct {
	text       []byte
	last       int // the place of what is in the last cell of the line; -1 if there is none
	isSequence bool
}

func (d *asciiText) add(c byte) {
	d.text = append(d.text, c)
	switch {
	case c == '\x1b':
		d.isSequence = true
	case d.isSequence:
		d.isSequence = c == '[' || c < '@'
	case c == '\n':
		d.last = -1
	default:
		d.last = len(d.text) - 1
	}
}

// addAtMost adds <= in place of ≤. The second cell is that of the space after it, or before it the cell of a space, a
// cursor or a line between two parts. It returns the rest of the screen.
func (d *asciiText) addAtMost(rest string) string {
	switch {
	case strings.HasPrefix(rest, " "):
		d.add('<')
		rest = rest[1:]
	case d.last >= 0 && strings.IndexByte(" >|", d.text[d.last]) >= 0:
		d.text[d.last] = '<'
	default:
		d.add('<')
		return rest
	}
	d.add('=')
	return rest
}
