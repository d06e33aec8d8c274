// Package wording has what is said in the same words on the screen, in alerts, and in what is printed: numbers of
// things, statuses, and events; and texts for the cells of a spreadsheet. It uses the values of package model.
package wording

import (
	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
)

// Counted returns a number of things: 1 row, 2,000 rows.
func Counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return model.AmountOf(int64(n)).Scaled(0, false) + " " + thing
}

// Status returns the status of a position, such as ORDERS CLOSED; empty if it has none.
func Status(p *model.Position) string { return ofStatus(p.StatusName()) }

// StatusOf returns the status before or after an event, as Status does.
func StatusOf(s *event.State) string { return ofStatus(s.StatusName) }

// StatusMeaning returns in a few words what a status says about a position; empty if it says nothing.
func StatusMeaning(status model.Status) string {
	switch status {
	case model.StatusDistressed:
		return "too little margin"
	case model.StatusOrdersClosed:
		return "its orders were closed"
	case model.StatusClosedOut:
		return "closed by the service"
	}
	return ""
}

// ofStatus returns a status by its name. The words are those that filters match, so that a reader can type what is
// seen.
func ofStatus(name string) string {
	if name == model.StatusUnspecified.Name(nil) {
		return ""
	}
	return filter.StatusText(name)
}
