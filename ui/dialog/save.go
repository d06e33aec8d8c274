package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// SaveLine is the line, in place of the messages, in which the trader types the file that something is saved to.
type SaveLine struct {
	pane.TypedLine
	of pane.SaveDialog
}

// NewSaveLine returns a line with a path.
func NewSaveLine(of pane.SaveDialog) *SaveLine {
	return &SaveLine{pane.NewTypedLine(" save to: ", of.Path), of}
}

// SaveActions are the keys of the line.
func SaveActions() []keys.Action[*SaveLine] {
	return []keys.Action[*SaveLine]{
		{Name: "save_file", Keys: []string{"enter"}, Help: "save to this file", Hint: "save", Priority: 1, Do: (*SaveLine).saveFile},
		{Name: "keep_nothing", Keys: keys.Esc, Help: "save nothing", Hint: "cancel", Priority: 2, Effect: pane.Close{}},
	}
}

func (l *SaveLine) saveFile(*pane.Context) []pane.Effect {
	path := strings.TrimSpace(l.Typed())
	if path == "" {
		return pane.Saying("type the name of a file")
	}
	of := l.of
	return pane.Closing(pane.Say("Saving "+of.What+"..."), pane.Send(func() tea.Msg {
		words, err := of.Save(path)
		if err != nil {
			return pane.Said("Not saved: " + format.Error(err))
		}
		return pane.Said(words)
	}))
}

// Prompt draws the line, or a notice.
func (l *SaveLine) Prompt(c *pane.Context, width int) string {
	return l.DrawHinted(c, width, " the name of a new file")
}
