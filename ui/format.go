package ui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"blotter/model"
)

// formatter formats values for the screen.
type formatter struct {
	instruments *model.Instruments
	location    *time.Location
	parties     *labels
	markets     *labels
	assets      *labels
}

func newFormatter(instruments *model.Instruments, location *time.Location) *formatter {
	return &formatter{
		instruments: instruments, location: location,
		parties: newLabels(func(id model.ID) (string, bool) { p := instruments.Party(id); return p.Label(), p.Name != "" }),
		markets: newLabels(func(id model.ID) (string, bool) { m := instruments.Market(id); return m.Label(), m.Name != "" }),
		assets:  newLabels(func(id model.ID) (string, bool) { a := instruments.Asset(id); return a.Label(), a.Symbol != "" }),
	}
}

func (f *formatter) party(id model.ID) string  { return f.parties.of(id) }
func (f *formatter) market(id model.ID) string { return f.markets.of(id) }
func (f *formatter) asset(id model.ID) string  { return f.assets.of(id) }

// label makes the labels of a row, before the first row is drawn: a label may become longer because of another.
func (f *formatter) label(key model.Key) {
	f.party(key.Party)
	f.market(key.Market)
}

// maxShown is how many bytes a text of the service may have and still be shown whole. To format a megabyte for each
// frame would stop the screen.
const maxShown = 1 << 10

// shown returns a text of the service, neutralised and safe for the screen. A longer text than any real one is cut, and
// its length is added.
func shown(text string) string {
	if len(text) <= maxShown {
		return model.Neutralise(text)
	}
	const kept = 100
	return model.Neutralise(strings.ToValidUTF8(text[:kept], "")) + "… (" + grouped(len(text)) + " bytes)"
}

// rawMark stands after a number whose decimals are not known: it is the integer that the service sent. Where that is so for
// a whole column, its heading has rawTitle instead.
const (
	rawMark  = "r"
	rawTitle = " raw"
)

// amount formats a number: scaled where its decimals are known, else raw and marked as raw. With plus, positive numbers
// have a sign too.
func amount(a model.Amount, decimals int, plus bool) string {
	text := unmarked(a, decimals, plus)
	if !a.IsInteger() || decimals == model.Unscaled && !a.IsZero() {
		return text + rawMark
	}
	return text
}

// unmarked is amount without the mark.
func unmarked(a model.Amount, decimals int, plus bool) string {
	if !a.IsInteger() {
		return cmp.Or(shown(a.String()), `""`)
	}
	if decimals == model.Unscaled {
		decimals = 0 // an integer, with its digits grouped
	}
	return a.Scaled(decimals, plus)
}

// number formats a number of a position.
func (f *formatter) number(p *model.Position, field model.Field) string {
	return amount(p.Number(field), f.instruments.Decimals(field, p.Market), hasSign(field))
}

// cell formats a number of a position for a column that is marked where all of it is raw.
func (f *formatter) cell(p *model.Position, field model.Field) string {
	if !f.instruments.KnowsDecimals(field) {
		return unmarked(p.Number(field), model.Unscaled, hasSign(field))
	}
	return f.number(p, field)
}

// hasSign reports whether a positive number of the field has a sign too.
func hasSign(field model.Field) bool {
	return field == model.OpenVolume || field == model.UnrealisedPnl || field == model.RealisedPnl
}

// title returns the heading of a column of a number.
func (f *formatter) title(title string, field model.Field) string {
	if f.instruments.KnowsDecimals(field) {
		return title
	}
	return title + rawTitle
}

// level formats a margin level.
func (f *formatter) level(a model.Amount, asset model.ID) string {
	return amount(a, f.instruments.Asset(asset).Decimals, false)
}

// levelCell formats a margin level for a column that is marked where all of it is raw.
func (f *formatter) levelCell(a model.Amount, asset model.ID) string {
	if !f.instruments.KnowsDecimals(model.UnrealisedPnl) {
		return unmarked(a, model.Unscaled, false)
	}
	return f.level(a, asset)
}

// status formats the status of a position.
func status(p *model.Position) string { return shown(p.StatusWords()) }

// oddTime stands where a time is that cannot be right.
const oddTime = "odd"

// ageOf returns the age of a time in nanoseconds, by the clock of the service; empty where the service gave no time,
// and oddTime where the time is ahead of its clock.
func ageOf(nanoseconds model.Amount, now time.Time) string {
	at, ok := nanoseconds.Time()
	switch {
	case !ok:
		return ""
	case at.Sub(now) > model.AheadFor:
		return oddTime
	}
	return age(max(now.Sub(at), 0))
}

// age formats a duration in one unit. It is negative where the clock of the service is ahead of this one.
func age(d time.Duration) string {
	switch {
	case d <= -2*time.Second:
		return "-" + age(-d)
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// ago formats how long ago something was: 5m ago.
func ago(d time.Duration) string {
	if d < -model.AheadFor {
		return age(-d) + " ahead of the service's clock"
	}
	return age(max(d, 0)) + " ago"
}

// until formats the time until something happens, rounded up, so that it is not 0s too early.
func until(d time.Duration) string {
	unit := time.Second
	switch {
	case d >= time.Hour:
		unit = time.Hour
	case d >= time.Minute:
		unit = time.Minute
	}
	return age((max(d, 0) + unit - 1).Truncate(unit))
}

// clock formats a time of day with the name of its zone.
func (f *formatter) clock(t time.Time) string { return t.In(f.location).Format("15:04:05 MST") }

// timestamp formats a time to the last digit that the service gave, with day and zone.
func (f *formatter) timestamp(t time.Time) string {
	return t.In(f.location).Format("2006-01-02 15:04:05.999999999 MST")
}

// grouped formats a count with its thousands grouped.
func grouped(n int) string { return model.AmountOf(int64(n)).Scaled(0, false) }

// oneLine returns the words of an error or of the service on one line, neutralised.
func oneLine(text string) string {
	return model.Neutralise(strings.Join(strings.Fields(text), " "))
}
