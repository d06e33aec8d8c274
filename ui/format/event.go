package format

import (
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// Event returns the changes of an event as texts, one for each kind: "flipped +5.000 → -3.000" and "status DISTRESSED".
// number formats an amount of a field: the open volume or the loss socialisation amount.
func Event(e *event.Event, number func(model.Field, model.Amount) string) []string {
	before, after := e.Before(), e.After()
	size := func(p *model.Position) string { return number(model.OpenVolume, p.Number(model.OpenVolume)) }
	loss := func(p *model.Position) string {
		return number(model.LossSocialisationAmount, p.Number(model.LossSocialisationAmount))
	}
	var parts []string
	for _, kind := range e.Kinds.Names() {
		switch kind {
		case "opened":
			kind += " " + size(after)
		case "closed", "removed":
			kind += ", was " + size(before)
		case "flipped", "grown", "reduced":
			kind += " " + size(before) + " → " + size(after)
		case "status":
			kind = statusChangeWords(before, after)
		case "loss":
			kind = "loss socialised "
			if !before.Number(model.LossSocialisationAmount).IsZero() {
				kind += loss(before) + " → "
			}
			kind += loss(after)
		case "alert":
			kind = EventAlert(e.Alert)
		case "trouble":
			kind = "in trouble, status " + Status(after)
		case "recovered":
			kind = "neither distressed nor closed out for " + Duration(event.WellFor)
		}
		parts = append(parts, kind)
	}
	return parts
}

// EventAlert returns the beginning or the end of an alert in words.
func EventAlert(alert *event.AlertReport) string {
	words := "alert " + alert.Rule + " ended"
	switch {
	case alert.IsAgain:
		words = "alert " + alert.Rule + " lasts"
	case alert.Begins:
		words = "alert " + alert.Rule + " began"
	}
	if alert.About != "" {
		words += ": " + alert.About
	}
	return words
}

func statusChangeWords(before, after *model.Position) string {
	if words := Status(after); words != "" {
		return "status " + words
	}
	return "status none, was " + Status(before)
}

// EventSource returns how an event without an exact time was found; empty for events of the active stream.
func EventSource(e *event.Event) string {
	_, exact := e.At()
	switch {
	case exact:
		return ""
	case e.Source == book.ChangedByAudit:
		return "found by a check"
	case e.Source == book.ChangedBySnapshot:
		return "found by a snapshot"
	}
	return "without a usable time"
}

// EventNumber returns what formats the amounts of an event with every digit, with the names of assets.
func EventNumber(e *event.Event, in *model.Instruments, name func(asset model.ID) string) func(model.Field, model.Amount) string {
	return func(field model.Field, a model.Amount) string {
		text := Exact(a, in.Decimals(field, e.Market), field.HasSign())
		if asset := in.Market(e.Market).Asset; field.IsAmount() && !asset.IsZero() {
			text += " " + name(asset)
		}
		return text
	}
}
