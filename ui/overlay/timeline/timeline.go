// Package timeline is the line in which the trader types a time of the past to go to.
package timeline

import (
	"image"
	"time"

	"blotter/ui/draw"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/replay"
)

// Line is the line, in place of the messages.
type Line struct {
	line   input.Line
	latest func() time.Time // in the zone of the screen
	isLive bool             // there is a service to go back to
}

// New returns an empty line. The function returns the latest time that can be meant, in the zone of the screen. If
// isLive is true, there is a service to go back to.
func New(latest func() time.Time, isLive bool) *Line { return &Line{input.New(""), latest, isLive} }

// Actions are the keys of the line.
func Actions() []keys.Action[*Line] {
	return []keys.Action[*Line]{
		{Name: "go_to_time", Keys: []string{"enter"}, Help: "go there; empty: live at once", Hint: "go", Priority: 1, Do: (*Line).goThere},
		{Name: "keep_time", Keys: keys.Esc, Help: "stay here", Hint: "stay", Priority: 2, Do: (*Line).stay},
	}
}

// goThere goes to the time, unless the text is none: then the line says so.
func (l *Line) goThere(c *pane.Context) []pane.Effect {
	text := l.line.String()
	switch {
	case text == "" && l.isLive:
		return pane.Closing(pane.Live{})
	case text == "":
		return pane.Closing()
	}
	at, err := replay.TimeOf(text, c.Store.Now(), l.latest())
	if err != nil {
		return pane.Saying(err.Error())
	}
	return pane.Closing(pane.Rewind{To: at})
}

func (*Line) stay(*pane.Context) []pane.Effect { return pane.Closing() }

// hint is the text while nothing is typed, and liveHint what follows if there is a service.
const (
	hint     = " 9:00, 14:02:11, -5m"
	liveHint = "; nothing: live"
)

// Prompt draws the line, or a notice.
func (l *Line) Prompt(c *pane.Context, width int) string {
	text, _ := l.line.Seen(width - len(prompt))
	to := draw.NewLine(width).Put(c.Styles.Accent, prompt).Put(draw.Plain, text)
	switch {
	case c.Notice != "":
		to.Space(3).Put(c.Styles.Warning, c.Notice)
	case text == "":
		if to.Put(c.Styles.Dim, hint); l.isLive {
			to.Put(c.Styles.Dim, liveHint)
		}
	}
	return to.String()
}

const prompt = " go to: "

// Text returns the line.
func (l *Line) Text() *input.Line { return &l.line }

// Cursor returns the cell of the cursor in the line.
func (l *Line) Cursor(s pane.Size) image.Point {
	_, column := l.line.Seen(s.Width - len(prompt))
	return image.Pt(len(prompt)+column, 0)
}

// Changed removes the key that has opened the line, if it is pressed again.
func (l *Line) Changed(c *pane.Context) []pane.Effect {
	if l.line.String() == c.Keys.Fill("{rewind}") {
		l.line = input.New("")
	}
	return nil
}

// The line has no list and no room of its own.

func (l *Line) Fit(*pane.Context, pane.Size)                              {}
func (l *Line) Draw(*pane.Context, pane.Size) []string                    { return nil }
func (l *Line) Click(*pane.Context, pane.Size, image.Point) []pane.Effect { return nil }
func (l *Line) List() pane.List                                           { return nil }
