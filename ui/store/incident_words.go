package store

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/filter"
	"blotter/ui/format"
)

// IncidentWords says what has happened to a position, in the order in which it happened: "14:01:19 alert margin -52.7%
// → :24 DISTRESSED → :34 CLOSED OUT". In short, it is only the first and the last of that. now is the time of the
// screen.
func IncidentWords(of *Incident, f *format.Formatter, now time.Time, isShort bool) string {
	type part struct {
		at    time.Time
		exact bool
		words string
	}
	var parts []part
	for _, step := range of.Steps {
		parts = append(parts, part{step.At, step.IsExact, statusWords(step.Status)})
	}
	if of.Alert.Name != "" {
		words := "alert " + format.OneLine(of.Alert.Name)
		if of.Alert.HasRatio && !of.Alert.Ratio.HasEnded() && !isShort {
			words += " " + of.Alert.Ratio.String()
		}
		place := slices.IndexFunc(parts, func(p part) bool { return !p.at.Before(of.Alert.At) })
		if place < 0 {
			place = len(parts)
		}
		if of.Closed != nil && place == len(parts) { // the close-out is what the story ends with
			place--
		}
		parts = slices.Insert(parts, place, part{of.Alert.At, true, words})
	}
	if isShort && len(parts) > 2 {
		parts = []part{parts[0], parts[len(parts)-1]}
	}
	var all []string
	last := ""
	for _, each := range parts {
		at := f.ShortClockOn(each.at, now)
		words := at + " "
		if minute := strings.LastIndexByte(at, ':'); len(last) == len(at) && at[:minute] == last[:minute] { // else one has a day
			words = at[minute:] + " "
		}
		if last = at; !each.exact {
			words = "≤ " + words
		}
		all = append(all, words+each.words)
	}
	words := strings.Join(all, " → ")
	if of.Gone {
		words += " → the service has it no longer"
	}
	return f.Change(words)
}

// LastStatus is the status that a position in an incident got last.
func LastStatus(of *Incident) string { return statusWords(of.Steps[len(of.Steps)-1].Status) }

// statusWords is a status in an incident.
func statusWords(status model.Status) string {
	switch {
	case status == model.StatusUnspecified:
		return "recovered"
	case status.IsText():
		return "another status"
	}
	return filter.StatusText(status.Name(nil))
}

// SharedLossWords says which rows of the scope have got a part of a loss in the same block, with the given number of
// names at most; empty if none have.
func SharedLossWords(losses []SharedLoss, names int, f *format.Formatter) string {
	if len(losses) == 0 {
		return ""
	}
	words := "loss socialised in the same block: "
	for i, each := range losses[:min(len(losses), names)] {
		if i > 0 {
			words += ", "
		}
		if words += f.Position(each.Key); each.Amount.IsNumber() {
			words += " " + f.NumberIn(each.Amount, model.LossSocialisationAmount, each.Key.Market, true).Marked(format.RawMark)
		}
	}
	switch more := len(losses) - names; {
	case more > 0 && names > 0:
		words += " and " + format.Counted(more, "other row")
	case more > 0:
		words += format.Counted(more, "row")
	}
	return words
}
