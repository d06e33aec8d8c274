package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// The texts of alerts: on the message line, on the first line, and for the desktop.

// alertWords returns a line about an event: the alert, and its position or the number of positions.
func (m *Model) alertWords(event *view.AlertEvent) string {
	words := format.OneLine(event.Rule.Name)
	if !event.Begins {
		words += " ended"
	}
	if event.Count == 1 {
		return words + ": " + m.alertPositionWords(&event.Changes[0])
	}
	return words + ": " + model.Counted(event.Count, "position")
}

// begunWords returns a line about the begin of an alert; empty where the events have none.
func (m *Model) begunWords(events []view.AlertEvent) string {
	var begun view.AlertEvent
	for i := range events {
		if count := begun.Count; events[i].Begins {
			begun = events[i]
			begun.Count += count
		}
	}
	if begun.Count == 0 {
		return ""
	}
	return m.alertWords(&begun)
}

// alertPositionWords returns the position of a change.
func (m *Model) alertPositionWords(change *view.AlertChange) string {
	p := &change.Position
	words := []string{
		m.format.Position(p.Key),
		"size " + m.format.Number(p, model.OpenVolume).Marked(format.RawMark),
		"uPnL " + m.format.Number(p, model.UnrealisedPnl).Marked(format.RawMark),
	}
	if change.HasRatio {
		words = append(words, "M% "+change.Ratio.String())
	}
	if status := format.Status(p); status != "" {
		words = append(words, status)
	}
	return strings.Join(words, ", ")
}

// updateAlertWords sets the texts of the first line about alerts that were not seen: "ALERT distress 2, loss 1", and
// "ALERT 3" where there is little room.
func (m *Model) updateAlertWords() {
	a := &m.alerts
	counts := make([]int, len(a.rules))
	var order []int
	unseen := a.watched.Unseen()
	for _, alert := range unseen {
		if counts[alert.Rule]++; counts[alert.Rule] == 1 {
			order = append(order, alert.Rule)
		}
	}
	var names []string
	for _, rule := range order {
		names = append(names, format.OneLine(a.rules[rule].Name)+" "+format.Grouped(counts[rule]))
	}
	a.words, a.count = "", ""
	if len(names) > 0 {
		a.count = "ALERT " + format.Grouped(len(unseen))
		a.words = draw.Cut("ALERT "+strings.Join(names, ", "), maxAlertWords)
	}
}

// maxAlertWords is how many cells of the first line the alerts have.
const maxAlertWords = 32

// nextAlert puts the cursor on the position of the next alert, which then counts as seen.
func (m *Model) nextAlert() tea.Cmd {
	alert, ok := m.alerts.watched.Next()
	switch {
	case len(m.alerts.rules) == 0:
		m.notify("No alerts are set: [[alert]] in the configuration.")
		return nil
	case !ok:
		m.notify("No position has an alert.")
		return nil
	}
	m.updateAlertWords()
	words := format.OneLine(m.alerts.rules[alert.Rule].Name) + ": " + m.format.Position(alert.Key)
	if alert.Ended.IsZero() {
		words += ", since " + m.format.Clock(alert.Began)
	} else {
		words += ", from " + m.format.Clock(alert.Began) + " to " + m.format.Clock(alert.Ended)
	}
	if place, isShown := m.placeOf(alert.Key); isShown {
		m.closePages()
		m.setFocus(positionsPane)
		m.positions.moved = true
		m.positions.window.MoveTo(positionRows{m.data.view}, place)
	} else {
		words += "; hidden (closed or filtered)"
	}
	m.notify(words + ".")
	return nil
}

// Notification is the kind of escape sequence that makes a terminal notify the desktop.
type Notification string

// The notifications; the zero value is none. Terminals know one of them, or none.
const (
	OSC9   Notification = "osc9"
	OSC777 Notification = "osc777"
)

// sequence returns the escape sequence with a text, which has no control characters.
func (n Notification) sequence(text string) string {
	switch n {
	case OSC9:
		return ansi.Notify("blotter: " + text) // OSC 9 with a number at its beginning is something else
	case OSC777:
		return ansi.URxvtExt("notify", "blotter", strings.ReplaceAll(text, ";", ","))
	}
	return ""
}

// maxNotification is how many cells the text of a notification has at most.
const maxNotification = 200

// raise returns the command that rings the bell and notifies the desktop, where the alert is set to do that and has
// begun.
func (a *Alert) raise(words string) tea.Cmd {
	if words == "" {
		return nil
	}
	sequence := a.Notify.sequence(draw.Cut(format.OneLine(words), maxNotification))
	if a.Bell {
		sequence += "\a"
	}
	if sequence == "" {
		return nil
	}
	return tea.Raw(sequence)
}
