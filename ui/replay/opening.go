package replay

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Opening keeps the messages that wait while the past is opened: what is typed, which is meant for the past, and a
// profile that was opened, which replaces what is shown. Only ctrl+c does not wait. Afterwards each is a message of its
// own again, so that the screen is drawn in between, however many there are.
type Opening struct {
	isUnderWay bool
	waiting    []tea.Msg
}

// Begin notes that the past is being opened, until its Opened comes.
func (o *Opening) Begin() { o.isUnderWay = true }

// nextMsg comes when the next message that has waited is to be handled.
type nextMsg struct{}

// Pass returns the message that is handled now in place of the one that has come, nil if that waits, and the command
// that brings the next one; nil if none waits. If the past cannot be shown, what was typed is dropped: it was not meant
// for the service.
func (o *Opening) Pass(msg tea.Msg, isProfile bool) (now tea.Msg, next tea.Cmd) {
	switch msg := msg.(type) {
	case Opened:
		if o.isUnderWay = false; msg.Err != nil {
			o.waiting = slices.DeleteFunc(o.waiting, isTyped)
		}
	case nextMsg:
		if o.isUnderWay || len(o.waiting) == 0 { // what has waited may open the past too
			return nil, nil
		}
		now, o.waiting = o.waiting[0], o.waiting[1:]
	default:
		if (o.isUnderWay || len(o.waiting) > 0) && (isProfile || isTyped(msg)) {
			o.waiting = append(o.waiting, msg)
			return nil, nil
		}
		return msg, nil
	}
	if now == nil {
		now = msg
	}
	if len(o.waiting) > 0 {
		next = func() tea.Msg { return nextMsg{} }
	}
	return now, next
}

// isTyped reports whether a message is a key, a click or a paste, but not ctrl+c.
func isTyped(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String() != "ctrl+c"
	case tea.PasteMsg, tea.MouseMsg:
		return true
	}
	return false
}
