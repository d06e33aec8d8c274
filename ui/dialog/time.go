package dialog

import (
	"time"

	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/replay"
)

const timePrompt = " go to: "

// TimeLine is the line, in place of the messages, in which the trader types a time of the past to go to.
type TimeLine struct {
	pane.TypedLine
	latest func() time.Time // in the zone of the screen
	oldest time.Time        // in the zone of the screen
	isLive bool             // there is a service to go back to
}

// NewTimeLine returns an empty line. The function returns the latest time that can be meant; oldest is the first time
// that can be shown. Both are in the zone of the screen. If isLive is true, there is a service to go back to.
func NewTimeLine(latest func() time.Time, oldest time.Time, isLive bool) *TimeLine {
	return &TimeLine{pane.NewTypedLine(timePrompt, ""), latest, oldest, isLive}
}

// TimeActions are the keys of the line.
func TimeActions() []keys.Action[*TimeLine] {
	return []keys.Action[*TimeLine]{
		{Name: "go_to_time", Keys: []string{"enter"}, Help: "go there; empty: live at once", Hint: "go",
			Priority: 1, Do: (*TimeLine).goThere},
		{Name: "keep_time", Keys: keys.Esc, Help: "stay here", Hint: "stay", Priority: 2, Effect: pane.Close{}},
	}
}

// goThere goes to the time, unless the text is none or the time is before the oldest one: then the line says so.
func (l *TimeLine) goThere(c *pane.Context) []pane.Effect {
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

// timeHint is the text while nothing is typed, and timeLiveHint what follows if there is a service.
const (
	timeHint     = " 9:00, 14:02:11, 5m ago"
	timeLiveHint = "; nothing: live"
)

// Prompt draws the line, or a notice.
func (l *TimeLine) Prompt(c *pane.Context, width int) string {
	if l.isLive {
		return l.DrawHinted(c, width, timeHint+timeLiveHint)
	}
	return l.DrawHinted(c, width, timeHint)
}

// Changed removes the key that has opened the line, if it is pressed again.
func (l *TimeLine) Changed(c *pane.Context) []pane.Effect {
	if l.Typed() == c.Keys.Fill("{rewind}") {
		l.TypedLine = pane.NewTypedLine(timePrompt, "")
	}
	return nil
}
