package dialog

import (
	"cmp"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// SaveLine is the line, in place of the messages, in which the trader types the file that something is saved to, or
// chooses that it is copied.
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
		{Name: "save_file", Keys: []string{"enter"}, Help: "save or copy it", Hint: "confirm", Priority: 1, Do: (*SaveLine).do},
		{Name: "to_clipboard", Keys: []string{"tab"}, Help: "copy it; again: to a file", Hint: "copy", Priority: 3,
			Do: (*SaveLine).turn, WhyNot: (*SaveLine).whyNoTurn},
		{Name: "keep_nothing", Keys: keys.Esc, Help: "save nothing", Hint: "cancel", Priority: 2, Effect: pane.Close{}},
	}
}

func (l *SaveLine) copies() bool { return l.of.Copy != nil && (l.of.Save == nil || *l.of.IsCopied) }

// turn copies, or if enter would copy goes to the name of a file.
func (l *SaveLine) turn(c *pane.Context) []pane.Effect {
	if *l.of.IsCopied = !*l.of.IsCopied; !*l.of.IsCopied {
		return nil
	}
	return l.do(c)
}

func (l *SaveLine) whyNoTurn(*pane.Context) string {
	return cmp.Or(keys.ReasonIf(l.of.Copy == nil, "it cannot be copied"), l.of.WhyNoFile)
}

func (l *SaveLine) do(*pane.Context) []pane.Effect {
	if l.copies() {
		return pane.Closing(l.of.Copy)
	}
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

// copyWords are in the line while enter copies.
func (l *SaveLine) copyWords() string { return " to the clipboard: " + l.of.What }

// Cursor returns the cell of the cursor in the line.
func (l *SaveLine) Cursor(s pane.Size) image.Point {
	if l.copies() {
		return image.Pt(min(draw.Width(l.copyWords()), s.Width-1), 0)
	}
	return l.TypedLine.Cursor(s)
}

// Changed notes that the name of a file is typed.
func (l *SaveLine) Changed(*pane.Context) []pane.Effect {
	if l.copies() && l.of.Save != nil {
		*l.of.IsCopied = false
	}
	return nil
}

// Prompt draws the line, or a notice.
func (l *SaveLine) Prompt(c *pane.Context, width int) string {
	if l.copies() {
		return draw.NewLine(width).Put(c.Styles.Accent, l.copyWords()).Space(3).Put(c.Styles.Warning, c.Notice).String()
	}
	return l.DrawHinted(c, width, " the name of a new file")
}
