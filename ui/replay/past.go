package replay

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Memory is the recording that the screen keeps of itself.
type Memory interface {
	// Oldest returns how far back it reaches, and false if it has nothing.
	Oldest() (at time.Time, ok bool)
	// IsTooSmall reports whether nothing is kept any more, because there are too many positions and margin records.
	IsTooSmall() bool
	// Play returns what it has now. It may block.
	Play() (Past, error)
	// Place returns the path of a new file that it can be saved to, and false if no file may be written.
	Place() (path string, ok bool)
	// Save writes what it has now to a new file. It may block.
	Save(path string) error
}

// Rewind has the keys that show the past of the service, or go to a time of a file. Without a memory, the keys do
// nothing and say why.
type Rewind struct {
	Memory
	File Clock // of a recording that is shown from a file; nil if none is
}

// RewindActions are the keys. They work everywhere.
func RewindActions() []keys.Action[Rewind] {
	return []keys.Action[Rewind]{
		{Name: "rewind", Keys: []string{"w"}, Help: "rewind; again: to a time", Hint: "past", Priority: 22,
			PinnedFrom: keys.WideLine, Do: Rewind.show, WhyNot: Rewind.whyNotShow},
		{Name: "save_past", Keys: []string{"W"}, Help: "save the past to a file", Do: Rewind.save, WhyNot: Rewind.whyNotSave},
	}
}

// show shows the past, or asks for a time of it.
func (r Rewind) show(c *pane.Context) []pane.Effect {
	if c.WhyNotLive != "" || r.File != nil {
		return []pane.Effect{pane.Open{Dialog: pane.TimeDialog{}}}
	}
	return []pane.Effect{pane.Rewind{}}
}

func (r Rewind) save(*pane.Context) []pane.Effect {
	path, _ := r.Place()
	save := func(path string) (string, error) {
		return "Saved " + format.OneLine(path) + "; blotter replay plays it.", r.Save(path)
	}
	return []pane.Effect{pane.Open{Dialog: pane.SaveDialog{Path: path, What: "the past", Save: save}}}
}

func (r Rewind) whyNotSave(*pane.Context) string {
	if reason := r.WhyNot(); reason != "" {
		return reason
	}
	if _, ok := r.Place(); !ok {
		return "a desk writes no files for traders"
	}
	return ""
}

func (r Rewind) whyNotShow(*pane.Context) string {
	if r.File != nil {
		return ""
	}
	return r.WhyNot()
}

// Reach returns how far back the screen can be rewound.
func (r Rewind) Reach(s *store.Store) string {
	if reason := r.WhyNot(); reason != "" {
		return reason
	}
	oldest, _ := r.Oldest()
	return "back to " + s.Format().Local(oldest).Format(time.TimeOnly) + ", " + format.Ago(model.Elapsed(s.Now(), oldest))
}

// WhyNot returns why there is no past to show; empty if there is one.
func (r Rewind) WhyNot() string {
	if r.File != nil {
		return "not in a replay"
	}
	if r.Memory == nil {
		return "no past: rewind is off"
	}
	if r.IsTooSmall() {
		return "too many rows for rewind_memory in the configuration"
	}
	if _, ok := r.Oldest(); !ok {
		return "no past is kept yet"
	}
	return ""
}

// Follow calls show with the states of a position from one time to another, as far as the memory has them: see Clock.
// If the clock was set back meanwhile, the memory is ahead of now: what counts is how long ago something was.
func (r Rewind) Follow(ctx context.Context, key model.Key, from, to time.Time, show func(at time.Time, state *model.Position)) error {
	past, err := r.Play()
	if err != nil {
		return err
	}
	defer past.Close()
	_, newest := past.Range()
	ahead := max(newest.Sub(to), 0)
	return past.Follow(ctx, key, from.Add(ahead), to.Add(ahead), func(at time.Time, state *model.Position) { show(at.Add(-ahead), state) })
}

// Opened is the message of the past that was opened, or why it cannot be shown.
type Opened struct {
	Past  Past
	Bar   *Bar                 // of it, without alerts
	Shift *analysis.PriceShift // the change of mark prices at which its positions are shown; nil if there is none
	// Before has the positions at the prices that they have, if others are shown.
	Before *book.Baseline
	GoTo   *model.Key // the position that gets the cursor; nil if that is the one that was selected
	Err    error
}

// Open returns the command that opens the past as an effect wants it, paused at its time.
func (r Rewind) Open(ctx context.Context, e pane.Rewind, s *store.Store) tea.Cmd {
	in, watched := s.Instruments(), s.Subscriptions()
	return func() tea.Msg {
		to := e.To
		past, err := r.Play()
		if err != nil {
			return Opened{Err: err}
		}
		if _, newest := past.Range(); to.IsZero() || to.After(newest) {
			to = newest
		}
		past.Pause(true)
		past.Jump(to)
		opened := Opened{Past: past, Bar: newBar(past), Shift: e.Shift, GoTo: e.Position}
		if e.Shift != nil {
			other := &shifted{Past: past, Shift: e.Shift, Instruments: in}
			if opened.Before, err = other.before(ctx, watched); err != nil {
				past.Close()
				return Opened{Err: err}
			}
			opened.Past = other
		}
		return opened
	}
}

// Past is a recording of the screen itself, which is shown in place of the service.
type Past interface {
	store.Source
	Clock
	Now() time.Time
	// Events returns the events up to a time, the oldest first.
	Events(to time.Time) []event.Event
}

// TimeOf returns the time that a text means. It is a time of day, the last one before now, or how much earlier than the
// time that is shown, such as 5m or -5m, or later, such as +5m. An empty text means now.
func TimeOf(text string, shown, now time.Time) (time.Time, error) {
	if text == "" {
		return now, nil
	}
	text = strings.TrimSuffix(text, " ago")
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		if by, err := time.ParseDuration(text); err == nil {
			return shown.Add(by), nil
		}
	} else if ago, err := time.ParseDuration(text); err == nil {
		return shown.Add(-ago), nil
	}
	for _, layout := range []string{"15:04:05", "15:04", "15"} {
		clock, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, now.Location())
		if at.After(now) {
			at = at.AddDate(0, 0, -1)
		}
		return at, nil
	}
	return time.Time{}, errors.New("a time is 9:00, 14:02:11 or 5m ago")
}
