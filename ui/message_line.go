package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/layout"
	"blotter/ui/store"
)

// messageLine is what the second line says.
type messageLine struct {
	layout.Notice
	now            func() time.Time // the clock of the screen
	recordingError error            // what is wrong with the recording, if a notice has shown it; nil if none has
	quit           time.Time        // when the key that quits was last pressed and did something else
	demoBegan      time.Time        // zero if the demo gives no hints
}

func (l *messageLine) say(text string) { l.Show(text, l.now()) }

// confirms reports whether an action, which ends the program, is done for the second time in a row. At the first time
// it shows words.
func (l *messageLine) confirms(action, words string) bool {
	if l.QuitsNext == action {
		return true
	}
	l.say(words)
	l.QuitsNext = action
	return false
}

// take shows the latest of a store's notices, then those that are kept, and returns the command that rings the bell
// and notifies the desktop.
func (l *messageLine) take(notices []store.Notice) tea.Cmd {
	var raised []tea.Cmd
	for _, notice := range notices {
		if notice.IsKept {
			l.Then(notice.Text, l.now())
		} else {
			l.Follow(notice.Text, l.now())
		}
		for _, sequence := range notice.Sequences {
			raised = append(raised, tea.Raw(sequence))
		}
	}
	return tea.Batch(raised...)
}
