package ui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/table"
)

// formatter formats values for the screen.
type formatter struct {
	instruments     *model.Instruments
	location        *time.Location
	displayDecimals func(asset model.ID) int
	parties         *labels
	markets         *labels
	assets          *labels
}

func newFormatter(instruments *model.Instruments, options *Options) *formatter {
	return &formatter{
		instruments: instruments, location: options.Location, displayDecimals: options.DisplayDecimals,
		parties: newLabels(options.Looks.ASCII, func(id model.ID) (string, bool) { p := instruments.Party(id); return p.Label(), p.Name != "" }),
		markets: newLabels(options.Looks.ASCII, func(id model.ID) (string, bool) { m := instruments.Market(id); return m.Label(), m.Name != "" }),
		assets:  newLabels(options.Looks.ASCII, func(id model.ID) (string, bool) { a := instruments.Asset(id); return a.Label(), a.Symbol != "" }),
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

// What is after a number whose decimals are not known: it is the integer that the service sent, with its digits
// grouped.
const (
	rawMark = "r"    // where there is little room
	rawWord = " raw" // in the detail and in copies
)

// The decimals of sizes and prices that tables show: all up to a limit, and more of a number that would have too few
// digits else. Of a market with more decimals, zeros at the end are left out, but for two of them.
const (
	maxDecimals = 8
	minDecimals = 2
	minDigits   = 5
)

// shownNumber is a number as a table shows it. What it lacks is marked in the heading of its column.
type shownNumber struct {
	text      string
	isRounded bool // it has more digits
	isRaw     bool // its decimals are not known
}

// cell returns the number as a cell of a table.
func (n shownNumber) cell() table.Cell {
	return table.Cell{Text: n.text, Rounded: n.isRounded, Raw: n.isRaw}
}

// marked returns the number with a mark where it is raw.
func (n shownNumber) marked(mark string) string {
	if n.isRaw {
		return n.text + mark
	}
	return n.text
}

// rounded formats a number with at most the given number of decimal places. With plus, positive numbers have a sign
// too.
func rounded(a model.Amount, decimals, places int, plus bool) shownNumber {
	switch {
	case !a.IsInteger():
		return shownNumber{text: cmp.Or(shown(a.String()), `""`), isRaw: true}
	case decimals == model.Unscaled:
		return shownNumber{text: a.Scaled(0, plus), isRaw: !a.IsZero()}
	}
	text, isExact := a.Rounded(decimals, places, plus)
	return shownNumber{text: text, isRounded: !isExact}
}

// exact formats a number with every digit.
func exact(a model.Amount, decimals int, plus bool) string {
	return rounded(a, decimals, decimals, plus).marked(rawWord)
}

// amount formats an amount of an asset with its display decimals.
func (f *formatter) amount(a model.Amount, asset model.ID, plus bool) shownNumber {
	return rounded(a, f.instruments.Asset(asset).Decimals, f.displayDecimals(asset), plus)
}

// roundedAmount formats an amount of an asset with its display decimals, where it has no heading.
func (f *formatter) roundedAmount(a model.Amount, asset model.ID, plus bool) string {
	return f.amount(a, asset, plus).marked(rawMark)
}

// exactAmount formats an amount of an asset with every digit.
func (f *formatter) exactAmount(a model.Amount, asset model.ID, plus bool) string {
	return exact(a, f.instruments.Asset(asset).Decimals, plus)
}

// number formats a number of a position for a table.
func (f *formatter) number(p *model.Position, field model.Field) shownNumber {
	a, plus := p.Number(field), hasSign(field)
	return f.numberIn(a, field, p.Market, plus)
}

// numberIn formats a number that a position in a market has in a field.
func (f *formatter) numberIn(a model.Amount, field model.Field, market model.ID, plus bool) shownNumber {
	if field != model.OpenVolume && field != model.AverageEntryPrice {
		return f.amount(a, f.instruments.Market(market).Asset, plus)
	}
	return priceOrSize(a, f.instruments.Decimals(field, market), plus)
}

// priceOrSize formats a price or a size for a table.
func priceOrSize(a model.Amount, decimals int, plus bool) shownNumber {
	number := rounded(a, decimals, max(maxDecimals, decimals-a.Digits()+minDigits), plus)
	if point := strings.IndexByte(number.text, '.'); decimals > maxDecimals && point >= 0 && !number.isRaw && !number.isRounded {
		least := min(point+1+minDecimals, len(number.text))
		number.text = number.text[:least] + strings.TrimRight(number.text[least:], "0")
	}
	return number
}

// exactNumber formats a number of a position with every digit.
func (f *formatter) exactNumber(p *model.Position, field model.Field) string {
	return exact(p.Number(field), f.instruments.Decimals(field, p.Market), hasSign(field))
}

// hasSign reports whether positive numbers in a field have a sign too.
func hasSign(field model.Field) bool {
	return field == model.OpenVolume || field == model.UnrealisedPnl || field == model.RealisedPnl
}

// status formats the status of a position.
func status(p *model.Position) string { return shown(p.StatusWords()) }

// oddTime is shown in place of a time that cannot be right.
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
