// Package story writes what has happened to positions in trouble: the stories of package event, in words.
package story

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/ui/format"
)

// Writer writes stories with the names and decimals of a format. It reads the positions as they are now in a book, and
// the alerts of stories in a log.
type Writer struct {
	Format          *format.Formatter
	Book            *book.Book
	Log             *event.Log
	Now, ServiceNow time.Time // by the clock of the screen, and by that of the service
}

// Change returns by how much the realised and unrealised PnL together, and the realised PnL, of a position have
// changed since before its trouble, or since it was last or first seen: until the end of the story, or until now. Each
// is not a number if it is not known.
func (w *Writer) Change(of *event.Story) (total, realised model.Amount) {
	now := of.Last()
	if p, ok := w.Book.Find(of.Key); ok && of.Outcome == event.IsUnderWay {
		now = &p
	}
	return of.Change(now, w.Format.Instruments().Decimals(model.UnrealisedPnl, of.Key.Market))
}

// Numbers says how PnL has changed in a story: "was -10.000, realised -7,127.64 USDT, -2,713.46 USDT since before
// the trouble". If the state before the trouble was not seen, it says since when the PnL has changed.
func (w *Writer) Numbers(of *event.Story) string {
	f, words := w.Format, ""
	if size := of.Size(); !size.IsZero() {
		words = "was " + f.NumberIn(size, model.OpenVolume, of.Key.Market, true).Marked(format.RawMark) + ", "
	}
	total, realised := w.Change(of)
	switch {
	case of.Before.Of != event.BeforeTrouble && total.IsNumber():
		words += "PnL " + w.amount(of, total) + " since it was "
		if of.Before.Of == event.FirstSeen {
			return words + "first seen, in trouble already"
		}
		if words += "last seen"; !of.Before.At.IsZero() {
			words += ", " + f.ShortClockOn(of.Before.At, w.Now)
		}
		return words
	case !total.IsNumber() && !realised.IsNumber():
		return words + "its PnL since before the trouble is not known"
	}
	var parts []string
	if realised.IsNumber() {
		parts = append(parts, "realised "+w.amount(of, realised))
	}
	if total.IsNumber() {
		parts = append(parts, w.amount(of, total)+" since before the trouble")
	}
	return words + strings.Join(parts, ", ")
}

// amount is an amount of a story, with its asset.
func (w *Writer) amount(of *event.Story, a model.Amount) string {
	words := w.Format.NumberIn(a, model.UnrealisedPnl, of.Key.Market, true).Marked(format.RawMark)
	if asset := w.Format.Instruments().Market(of.Key.Market).Asset; !asset.IsZero() {
		words += " " + w.Format.Asset(asset)
	}
	return words
}

// Status is the status of a position whose row is kept, with its story after it: "CLOSED OUT 12s ago, realised
// -7,127.64", and "CLOSED OUT -7,127.64" for a narrow screen.
func (w *Writer) Status(of *event.Story, p *model.Position) (long, short string) {
	status, ended := format.Status(p), outcomeWords[of.Outcome]
	switch {
	case of.Outcome == event.ClosedOut && p.Status() == model.StatusClosedOut:
		ended = status
	case of.Outcome == event.ClosedDistressed && p.Status() == model.StatusDistressed:
		ended = status + ", closed"
	case status != "":
		ended = status + ", " + ended
	}
	long, short = ended+" "+format.Ago(w.ServiceNow.Sub(of.EndedAt)), ended
	total, realised := w.Change(of)
	number := func(a model.Amount) string {
		return w.Format.NumberIn(a, model.UnrealisedPnl, of.Key.Market, true).Marked(format.RawMark)
	}
	switch {
	case of.Before.Of == event.BeforeTrouble && realised.IsNumber():
		return long + ", realised " + number(realised), short + " " + number(realised)
	case of.Before.Of == event.LastSeen && total.IsNumber() && !of.Before.At.IsZero():
		long += ", PnL " + number(total) + " since " + w.Format.ShortClockOn(of.Before.At, w.Now)
	}
	return long, short
}

// outcomeWords say in the middle of a line how a story has ended.
var outcomeWords = [...]string{
	event.IsUnderWay: "in trouble", event.ClosedOut: "closed out", event.PartlyClosedOut: "partly closed out",
	event.ClosedDistressed: "closed while distressed", event.ClosedRecovered: "closed", event.SideChanged: "its side has changed", event.Recovered: "recovered",
	event.Gone: "the service has it no longer",
}

// OutcomeName is how a story has ended, or that a part of the position was closed out, as the name of a fact.
func OutcomeName(of *event.Story) string {
	switch {
	case of.Outcome == event.IsUnderWay && of.IsPart, of.Outcome == event.PartlyClosedOut:
		return "PARTLY CLOSED OUT"
	case of.Outcome == event.ClosedOut:
		return "CLOSED OUT"
	}
	return outcomeWords[of.Outcome]
}

// Words says what has happened to a position, in the order in which it happened: "14:01:19 alert margin -52.7%
// → :24 DISTRESSED → :34 CLOSED OUT". In short, it is only the first and the last of that.
func (w *Writer) Words(of *event.Story, isShort bool) string {
	parts := w.parts(of, isShort)
	if isShort && len(parts) > 2 {
		parts = []part{parts[0], parts[len(parts)-1]}
	}
	f, now := w.Format, w.Now
	var all []string
	last := ""
	for _, each := range parts {
		at := f.ShortClockOn(each.at, now)
		words := at + " "
		if minute := strings.LastIndexByte(at, ':'); len(last) == len(at) && at[:minute] == last[:minute] { // else one has a day
			words = at[minute:] + " "
		}
		if last = at; !each.exact {
			words = "by " + words
		}
		all = append(all, words+each.words)
	}
	return f.Change(strings.Join(all, " → "))
}

// part is a part of what has happened in a story.
type part struct {
	at    time.Time
	exact bool
	words string
}

func (w *Writer) parts(of *event.Story, isShort bool) (parts []part) {
	for _, step := range of.Steps {
		parts = append(parts, part{step.At, step.IsExact, stepWords(step.Status)})
	}
	last := &parts[len(parts)-1]
	switch {
	case of.Outcome == event.PartlyClosedOut, of.Outcome == event.IsUnderWay && of.IsPart:
		for i := range parts {
			if of.Steps[i].Status == model.StatusClosedOut {
				parts[i].words = "partly CLOSED OUT"
			}
		}
		if size := of.Last().Number(model.OpenVolume); !size.IsZero() && last.words == "partly CLOSED OUT" {
			last.words += ", " + w.Format.NumberIn(size, model.OpenVolume, of.Key.Market, true).Marked(format.RawMark) + " left"
		}
	case of.Outcome == event.ClosedOut && of.Steps[len(of.Steps)-1].Status != model.StatusClosedOut,
		of.Outcome == event.ClosedDistressed, of.Outcome == event.Gone, of.Outcome == event.SideChanged:
		parts = append(parts, part{of.EndedAt, of.IsExact, outcomeWords[of.Outcome]})
	}
	if e, ok := w.Log.Numbered(of.Alert); ok && e.Alert != nil {
		parts = withAlertOf(parts, e, of.Outcome == event.ClosedOut, isShort)
	}
	return parts
}

// withAlertOf puts the beginning of an alert in its place. A close-out is what a story ends with.
func withAlertOf(parts []part, e *event.Event, isClosedOut, isShort bool) []part {
	words := "alert " + format.OneLine(e.Alert.Rule)
	if e.Alert.HasRatio && !e.Alert.Ratio.HasEnded() && !isShort {
		words += " " + e.Alert.Ratio.String()
	}
	place := slices.IndexFunc(parts, func(p part) bool { return !p.at.Before(e.SeenAt()) })
	if place < 0 {
		place = len(parts)
		if isClosedOut {
			place--
		}
	}
	return slices.Insert(parts, place, part{e.SeenAt(), true, words})
}

// LastStatus is the status that a position in a story got last.
func LastStatus(of *event.Story) string { return stepWords(of.Steps[len(of.Steps)-1].Status) }

func stepWords(status model.Status) string {
	switch {
	case status == model.StatusUnspecified:
		return "recovered"
	case status.IsText():
		return "another status"
	}
	return filter.StatusText(status.Name(nil))
}

// Told says which stories have ended: many in one line.
func (w *Writer) Told(all []*event.Story) string {
	f := w.Format
	switch len(all) {
	case 0:
		return ""
	case 1:
		return strings.ToUpper(outcomeWords[all[0].Outcome]) + ": " + f.Position(all[0].Key) + ", " + w.Numbers(all[0]) + "."
	}
	words := format.Counted(len(all), "position") + " CLOSED OUT: "
	for i, of := range all {
		if i > 0 {
			words += "; "
		}
		words += f.Position(of.Key)
		if of.Outcome != event.ClosedOut {
			words += ", " + outcomeWords[of.Outcome]
		}
		if total, realised := w.Change(of); of.Before.Of != event.BeforeTrouble && total.IsNumber() {
			words += ", PnL " + w.amount(of, total)
		} else if realised.IsNumber() {
			words += ", realised " + w.amount(of, realised)
		}
	}
	return words + "."
}

// SharedLoss says which rows of the scope have got a part of a loss in the same block, with the given number of
// names at most; empty if none have.
func (w *Writer) SharedLoss(losses []*event.Event, names int) string {
	if len(losses) == 0 {
		return ""
	}
	f, words := w.Format, "loss socialised in the same block: "
	for i, e := range losses[:min(len(losses), names)] {
		if i > 0 {
			words += ", "
		}
		words += f.Position(e.Key)
		is, was := e.After().Number(model.LossSocialisationAmount), e.Before().Number(model.LossSocialisationAmount)
		decimals := f.Instruments().Decimals(model.LossSocialisationAmount, e.Market)
		if amount, ok := model.Difference(is, was, decimals); ok {
			words += " " + f.NumberIn(amount, model.LossSocialisationAmount, e.Market, true).Marked(format.RawMark)
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

// IsCloseOut reports whether the position of a story, or a part of it, was closed out, or closed while it was
// distressed.
func IsCloseOut(of *event.Story) bool {
	switch of.Outcome {
	case event.ClosedOut, event.PartlyClosedOut, event.ClosedDistressed:
		return true
	case event.IsUnderWay:
		return of.IsPart
	}
	return false
}
