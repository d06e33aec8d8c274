package ui

import (
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/store"
)

// newMessageLine returns a line, and what moves its clock.
func newMessageLine() (line *messageLine, pass func(time.Duration)) {
	now := time.Date(2026, 3, 4, 14, 2, 8, 0, time.UTC)
	return &messageLine{now: func() time.Time { return now }}, func(d time.Duration) { now = now.Add(d) }
}

// TestAnActionIsConfirmedOnlyByItself, done again without another key between.
func TestAnActionIsConfirmedOnlyByItself(t *testing.T) {
	const otherKey = ""
	for _, c := range []struct {
		done []string
		want bool // the last one is confirmed
	}{
		{[]string{"quit"}, false},
		{[]string{"quit", "quit"}, true},
		{[]string{"quit", "interrupt"}, false},
		{[]string{"quit", "interrupt", "interrupt"}, true},
		{[]string{"quit", "interrupt", "quit"}, false},
		{[]string{"quit", otherKey, "quit"}, false},
	} {
		line, _ := newMessageLine()
		confirmed := false
		for _, action := range c.done {
			if action == otherKey {
				line.Dismiss(false)
				continue
			}
			confirmed = line.confirms(action, action+" again ends the program.")
			if want := action + " again ends the program."; !confirmed && line.Text != want {
				t.Errorf("%q: the line is %q, want %q", c.done, line.Text, want)
			}
		}
		if confirmed != c.want {
			t.Errorf("%q: the last one is confirmed: %t", c.done, confirmed)
		}
	}
}

// TestNoticesOfAStore: those that are kept are all shown, one after the other; of the others only the latest. Whatever
// is shown, the bell rings for each.
func TestNoticesOfAStore(t *testing.T) {
	news := func(text string) store.Notice {
		return store.Notice{Text: text, Sequences: []string{"bell of " + text}}
	}
	kept := func(text string) store.Notice { return store.Notice{Text: text, IsKept: true} }
	for name, c := range map[string]struct {
		notices     []store.Notice
		shown, bell []string
	}{
		"none":                   {},
		"the latest of several":  {[]store.Notice{news("one"), news("two")}, []string{"two"}, []string{"bell of one", "bell of two"}},
		"news before what waits": {[]store.Notice{kept("a"), kept("b"), news("one")}, []string{"a", "one", "b"}, []string{"bell of one"}},
		"all that are kept":      {[]store.Notice{kept("a"), kept("b"), kept("c")}, []string{"a", "b", "c"}, nil},
	} {
		line, pass := newMessageLine()
		cmd := line.take(c.notices)
		var shown []string
		for line.Text != "" && len(shown) < 10 {
			shown = append(shown, line.Text)
			pass(time.Minute)
			line.Expire(line.now())
		}
		if !slices.Equal(shown, c.shown) {
			t.Errorf("%s: the line has %q, want %q", name, shown, c.shown)
		}
		if bell := rawOf(cmd); !slices.Equal(bell, c.bell) {
			t.Errorf("%s: the terminal gets %q, want %q", name, bell, c.bell)
		}
	}
}

// rawOf returns what a command writes to the terminal.
func rawOf(cmd tea.Cmd) (sequences []string) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, each := range msg {
			sequences = append(sequences, rawOf(each)...)
		}
	case tea.RawMsg:
		sequences = append(sequences, msg.Msg.(string))
	}
	return sequences
}

// TestWhatIsSaidEnds after a time by the clock of the screen. A notice that waits comes after it.
func TestWhatIsSaidEnds(t *testing.T) {
	line, pass := newMessageLine()
	line.take([]store.Notice{{Text: "Baseline removed.", IsKept: true}, {Text: "No margin levels.", IsKept: true}})
	pass(time.Hour)
	line.say("Nothing to undo.")
	for _, want := range []string{"Nothing to undo.", "No margin levels.", ""} {
		for second := range 4 {
			if line.Text != want {
				t.Errorf("after %d s more the line is %q, want %q", second, line.Text, want)
			}
			pass(time.Second)
			line.Expire(line.now())
		}
	}
}
