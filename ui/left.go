package ui

import (
	"fmt"

	"blotter/ui/input"
	"blotter/ui/pane"
)

// left has what was typed in overlays when the trader left them: of each kind of overlay the last.
type left map[string]leftTexts

type leftTexts struct {
	subject string
	texts   []string
}

func kindOf(on pane.Pane) string { return fmt.Sprintf("%T", on) }

func (l left) keep(on pane.Pane) {
	keeping, isKeeping := on.(pane.Keeping)
	if !isKeeping {
		return
	}
	kept := leftTexts{subject: keeping.Subject()}
	for _, line := range keeping.Lines() {
		kept.texts = append(kept.texts, line.String())
	}
	l[kindOf(on)] = kept
}

// forget forgets what was typed in an overlay: it was used.
func (l left) forget(on pane.Pane) { delete(l, kindOf(on)) }

// restored puts what was typed into an overlay that is opened again, and returns what follows from that. If it has one
// line, what is typed next replaces the text; a line that has a text already keeps that.
func (l left) restored(on pane.Pane, c *pane.Context) []pane.Effect {
	keeping, isKeeping := on.(pane.Keeping)
	kept, isKept := l[kindOf(on)]
	if !isKeeping || !isKept || kept.subject != keeping.Subject() {
		return nil
	}
	lines := keeping.Lines()
	if len(lines) != len(kept.texts) || len(lines) == 1 && lines[0].String() != "" {
		return nil
	}
	for i, text := range kept.texts {
		if text != "" { // what was removed is there again: nothing shows that it was not
			*lines[i] = input.New(text)
		}
	}
	if len(lines) == 1 {
		lines[0].Select()
	}
	return keeping.Changed(c)
}
