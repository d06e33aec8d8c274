// Package timeline is the line in which the trader types a time of the past to go to.
package timeline

import (
	"time"

	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/replay"
)

const prompt = " go to: "

// Line is the line, in place of the messages.
type Line struct {
	pane.TypedLine
	latest func() time.Time // in the zone of the screen
	oldest time.Time        // in the zone of the screen
	isLive bool             // there is a service to go back to
}

// New returns an empty line. The function returns the latest time that can be meant; oldest is the first time that can
// be shown. Both are in the zone of the screen. If isLive is true, there is a service to go back to.
func New(latest func() time.Time, oldest time.Time, isLive bool) *Line {
	return &Line{pane.NewTypedLine(prompt, ""), latest, oldest, isLive}
}

// Actions are the keys of the line.
func Actions() []keys.Action[*Line] {
	return []keys.Action[*Line]{
		{Name: "go_to_time", Keys: []string{"enter"}, Help: "go there; empty: live at once", Hint: "go", Priority: 1, Do: (*Line).goThere},
		{Name: "keep_time", Keys: keys.Esc, Help: "stay here", Hint: "stay", Priority: 2, Effect: pane.Close{}},
	}
}

// goThere goes to the time, unless the text is none or the time is before the oldest one: then the line says so.
func (l *Line) goThere(c *pane.Context) []pane.Effect {
	text := l.Typed()
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
	if at.Before(l.oldest.Truncate(time.Minute)) {
		return pane.Saying("the oldest is " + l.oldest.Format(time.TimeOnly) + "; " + at.Format(time.TimeOnly) + " is too early")
	}
	return pane.Closing(pane.Rewind{To: at})
}

// hint is the text while nothing is typed, and liveHint what follows if there is a service.
const (
	hint     = " 9:00, 14:02:11, -5m"
	liveHint = "; nothing: live"
)

// Prompt draws the line, or a notice.
func (l *Line) Prompt(c *pane.Context, width int) string {
	if l.isLive {
		return l.DrawHinted(c, width, hint+liveHint)
	}
	return l.DrawHinted(c, width, hint)
}

// Changed removes the key that has opened the line, if it is pressed again.
func (l *Line) Changed(c *pane.Context) []pane.Effect {
	if l.Typed() == c.Keys.Fill("{rewind}") {
		l.TypedLine = pane.NewTypedLine(prompt, "")
	}
	return nil
}
