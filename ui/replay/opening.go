package replay

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/pane"
)

// Opening keeps the messages that wait while the past is opened: what is typed, which is meant for the past, and a
// profile that was opened, which replaces what is shown. Only ctrl+c does not wait. Afterwards each is a message of its
// own again, so that the screen is drawn in between, however many there are. A profile also waits for an overlay to be
// closed, because the rest of a text that is typed there must not become keys of the profile.
type Opening struct {
	isUnderWay bool
	waiting    []tea.Msg
	refusal    pane.Said // why keys do nothing until a text that was meant for the past has ended; empty if they do
}

// Begin notes that the past is being opened, until its Opened comes.
func (o *Opening) Begin() { o.isUnderWay = true }

// nextMsg comes when the next message that has waited is to be handled.
type nextMsg struct{}

// Pass returns the message that is handled now in place of the one that has come; nil if that waits, or is dropped. If
// the past cannot be shown, what was typed is dropped, and what follows until enter or esc: it was not meant for the
// service.
func (o *Opening) Pass(msg tea.Msg, isProfile, isOverlaid bool) (now tea.Msg) {
	switch msg := msg.(type) {
	case Opened:
		if o.isUnderWay = false; msg.Err != nil {
			return o.refuse(pane.Said("The past cannot be shown: " + format.Error(msg.Err)))
		}
	case nextMsg:
		if place := o.place(isOverlaid); place >= 0 {
			now = o.waiting[place]
			o.waiting = slices.Delete(o.waiting, place, place+1)
		}
		return now
	case tea.KeyPressMsg:
		if refusal := o.refusal; refusal != "" && isTyped(msg) {
			if slices.Contains([]string{"enter", "esc"}, msg.String()) {
				o.refusal, refusal = "", ""
			}
			return refusal
		}
	}
	switch {
	case (isProfile || isTyped(msg)) && (o.isUnderWay || o.place(isOverlaid) >= 0):
		o.waiting = append(o.waiting, msg)
		return nil
	case isProfile && isOverlaid:
		o.waiting = append(o.waiting, msg)
		return pane.Said("The profile is shown when this is closed.")
	}
	return msg
}

// refuse drops what was typed for the past, and returns why.
func (o *Opening) refuse(why pane.Said) pane.Said {
	waited := len(o.waiting)
	if o.waiting = slices.DeleteFunc(o.waiting, isTyped); len(o.waiting) < waited {
		why = "Keys do nothing until enter or esc. " + why
		o.refusal = why
	}
	return why
}

// Next returns the command that brings the next message that has waited; nil if none can be handled now.
func (o *Opening) Next(isOverlaid bool) tea.Cmd {
	if o.place(isOverlaid) < 0 {
		return nil
	}
	return func() tea.Msg { return nextMsg{} }
}

// place returns which of the waiting messages is handled next; -1 if none can be now.
func (o *Opening) place(isOverlaid bool) int {
	if o.isUnderWay { // what has waited may open the past too
		return -1
	}
	return slices.IndexFunc(o.waiting, func(msg tea.Msg) bool { return !isOverlaid || isTyped(msg) })
}

// isTyped reports whether a message is a key, a click or a paste, but not ctrl+c.
func isTyped(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		const interrupt = "ctrl+c"
		meant, _ := new(input.Keyboard).Meant(msg, false, func(name string) bool { return name == interrupt })
		return meant.String() != interrupt
	case tea.PasteMsg, tea.MouseMsg:
		return true
	}
	return false
}
