// Package format writes values as the screen, alerts and prints have them: numbers, times, ages, names of parties,
// markets and assets, and in words statuses, events and changes of PnL. Its texts are on one line and safe for a
// terminal. A number is written as the service sent it or computed exactly, and is marked if its decimals are not
// known. It uses the values of package model, and package draw, so that names of any script stay in their cells. It
// does not depend on a clock or on what is on the screen.
package format

import (
	"cmp"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/draw"
)

// Formatter formats values for the screen.
type Formatter struct {
	instruments     *model.Instruments
	location        *time.Location
	displayDecimals func(asset model.ID) int
	parties         *labels
	markets         *labels
	assets          *labels
	ascii           bool
	shift           *analysis.PriceShift // nil if positions have the PnL that was sent
	part            model.Scope          // what may be shown of all parties and of all markets
}

// New returns a formatter with the names and decimals of the instruments. It formats times in a zone, and amounts
// of an asset with its display decimals in tables. With ascii, names and arrows have only ASCII.
func New(instruments *model.Instruments, location *time.Location, displayDecimals func(asset model.ID) int, ascii bool) *Formatter {
	return &Formatter{
		instruments: instruments, location: location, displayDecimals: displayDecimals, ascii: ascii,
		parties: newLabels(ascii, func(id model.ID) (string, bool) {
			return NameOrID(instruments.Party(id).Name, id, instruments.PartyNamed)
		}),
		markets: newLabels(ascii, func(id model.ID) (string, bool) {
			return NameOrID(instruments.Market(id).Name, id, instruments.MarketNamed)
		}),
		assets: newLabels(ascii, func(id model.ID) (string, bool) { a := instruments.Asset(id); return a.Label(), a.Symbol != "" }),
	}
}

// Clone returns a formatter that formats the same, for another goroutine: each has its own cache of labels.
func (f *Formatter) Clone() *Formatter {
	return New(f.instruments, f.location, f.displayDecimals, f.ascii).Within(f.part).At(f.shift)
}

// Within returns a formatter for a screen that may show only a part: all parties are its parties, and all markets its
// markets.
func (f *Formatter) Within(part model.Scope) *Formatter {
	within := *f
	within.part = part
	return &within
}

// At returns a formatter of positions whose mark prices a shift has changed: their unrealised PnL is an estimate.
func (f *Formatter) At(shift *analysis.PriceShift) *Formatter {
	shifted := *f
	shifted.shift = shift
	return &shifted
}

// Shift returns the change of mark prices; nil if there is none.
func (f *Formatter) Shift() *analysis.PriceShift { return f.shift }

// Instruments returns the names and decimals that values are formatted with.
func (f *Formatter) Instruments() *model.Instruments { return f.instruments }

// Party returns the name of a party, or else its identifier, which is shortened to its two ends if it is long.
func (f *Formatter) Party(id model.ID) string { return f.parties.of(id) }

// Market does for a market what Party does for a party.
func (f *Formatter) Market(id model.ID) string { return f.markets.of(id) }

// Asset does for an asset what Party does for a party.
func (f *Formatter) Asset(id model.ID) string { return f.assets.of(id) }

// Position returns the market and the party of a position.
func (f *Formatter) Position(key model.Key) string {
	return f.Market(key.Market) + " " + f.Party(key.Party)
}

// Title returns the same for a title: market · party.
func (f *Formatter) Title(key model.Key) string {
	return f.Market(key.Market) + " · " + f.Party(key.Party)
}

// Label makes the labels of a row. It is called for all rows before the first one is drawn: a label may become longer
// because of another.
func (f *Formatter) Label(key model.Key) {
	f.Party(key.Party)
	f.Market(key.Market)
}

// The marks after a number whose decimals are not known. The number is the integer that the service sent, with its
// digits grouped.
const (
	RawMark = "r"    // if there is little room
	RawWord = " raw" // in the detail and in copies
)

// The decimals of sizes and prices that tables show: all up to a limit, and more if a number would otherwise have
// too few digits. In a market with more decimals, zeros after the second decimal are left out at the end.
const (
	maxDecimals = 8
	minDecimals = 2
	minDigits   = 5
)

// Rounded formats a number with at most the given number of decimal places, as a cell of a table. With plus, positive
// numbers have a sign too. A number with a decimal point of its own has all its digits if decimals is model.Unscaled:
// then no display precision is known.
func Rounded(a model.Amount, decimals, places int, plus bool) draw.Cell {
	switch {
	case !a.IsNumber():
		return draw.Cell{Text: cmp.Or(Text(a.String()), `""`), Raw: true}
	case decimals == model.Unscaled && a.IsDecimal():
		return draw.Cell{Text: a.Scaled(decimals, plus)}
	case decimals == model.Unscaled:
		return draw.Cell{Text: a.Scaled(0, plus), Raw: !a.IsZero()}
	}
	text, isExact := a.Rounded(decimals, places, plus)
	return draw.Cell{Text: text, Rounded: !isExact}
}

// Estimate formats an estimate as Rounded formats a number, but only with the digits that its bound leaves: an empty
// cell if it is not known well enough for this place.
func Estimate(e model.Estimate, decimals, places int, plus bool) draw.Cell {
	switch known := e.KnownPlaces(decimals); {
	case e.Bound.IsZero():
		return Rounded(e.Amount, decimals, places, plus)
	case !e.IsKnown(decimals, places):
		return draw.Cell{}
	case known <= places:
		text, _ := e.Rounded(decimals, known, plus)
		return draw.Cell{Text: text}
	}
	return Rounded(e.Amount, decimals, places, plus)
}

// Exact formats a number with every digit.
func Exact(a model.Amount, decimals int, plus bool) string {
	return Rounded(a, decimals, a.Places(decimals), plus).Marked(RawWord)
}

// Decimals returns the decimals of an asset; model.Unscaled if they are not known.
func (f *Formatter) Decimals(asset model.ID) int { return f.instruments.Asset(asset).Decimals }

// Amount formats an amount of an asset with its display decimals.
func (f *Formatter) Amount(a model.Amount, asset model.ID, plus bool) draw.Cell {
	return Rounded(a, f.instruments.Asset(asset).Decimals, f.displayDecimals(asset), plus)
}

// EveryDigit is how many decimal places a number has in a place that shows all its digits.
const EveryDigit = model.MaxDigits

// Places returns how many decimal places amounts of an asset have in tables.
func (f *Formatter) Places(asset model.ID) int { return f.displayDecimals(asset) }

// EstimatedAmount formats an estimate in an asset as Amount formats an amount: an empty cell if it is not known.
func (f *Formatter) EstimatedAmount(e model.Estimate, asset model.ID, plus bool) draw.Cell {
	return Estimate(e, f.instruments.Asset(asset).Decimals, f.displayDecimals(asset), plus)
}

// RoundedAmount formats an amount of an asset with its display decimals, if it has no heading.
func (f *Formatter) RoundedAmount(a model.Amount, asset model.ID, plus bool) string {
	return f.Amount(a, asset, plus).Marked(RawMark)
}

// ExactAmount formats an amount of an asset with every digit.
func (f *Formatter) ExactAmount(a model.Amount, asset model.ID, plus bool) string {
	return Exact(a, f.instruments.Asset(asset).Decimals, plus)
}

// Number formats a number of a position for a table.
func (f *Formatter) Number(p *model.Position, field model.Field) draw.Cell {
	return f.NumberOf(p.Number(field), p, field, field.HasSign())
}

// ProfitSum formats a sum that has the unrealised PnL of positions in it, in one market or in any, with the bound of
// their notional: an empty cell if it is not known.
func (f *Formatter) ProfitSum(a model.Amount, notional model.Estimate, positions int, market, asset model.ID) draw.Cell {
	if f.shift == nil {
		return f.Amount(a, asset, true)
	}
	return f.EstimatedAmount(f.shift.ProfitOf(a, notional, positions, market, f.Decimals(asset)), asset, true)
}

// NumberOf formats a number in the unit of a field: that of a position, or by how much it has changed.
func (f *Formatter) NumberOf(a model.Amount, p *model.Position, field model.Field, plus bool) draw.Cell {
	if f.shift != nil && field == model.UnrealisedPnl {
		return f.EstimateIn(f.shift.Profit(a, p, f.instruments), field, p.Market, plus)
	}
	return f.NumberIn(a, field, p.Market, plus)
}

// NumberIn formats a number that a position in a market has in a field.
func (f *Formatter) NumberIn(a model.Amount, field model.Field, market model.ID, plus bool) draw.Cell {
	if field.IsAmount() {
		return f.Amount(a, f.instruments.Market(market).Asset, plus)
	}
	return PriceOrSize(a, f.instruments.Decimals(field, market), plus)
}

// EstimateIn formats an estimate in the unit of a field, of a position in a market: an empty cell if it is not known.
func (f *Formatter) EstimateIn(e model.Estimate, unit model.Field, market model.ID, plus bool) draw.Cell {
	decimals := f.instruments.Decimals(unit, market)
	switch places := e.Places(decimals); {
	case e.Bound.IsZero():
		return f.NumberIn(e.Amount, unit, market, plus)
	case unit.IsAmount():
		return f.EstimatedAmount(e, f.instruments.Market(market).Asset, plus)
	case decimals == model.Unscaled || places <= maxDecimals:
		return Estimate(e, decimals, maxDecimals, plus)
	default:
		return Estimate(e, decimals, max(maxDecimals, places-e.Digits()+minDigits), plus)
	}
}

// PriceOrSize formats a price or a size for a table.
func PriceOrSize(a model.Amount, decimals int, plus bool) draw.Cell {
	if decimals == model.Unscaled {
		return Rounded(a, decimals, maxDecimals, plus)
	}
	decimals = a.Places(decimals)
	if decimals <= maxDecimals {
		return Rounded(a, decimals, maxDecimals, plus)
	}
	number := Rounded(a, decimals, max(maxDecimals, decimals-a.Digits()+minDigits), plus)
	if point := strings.IndexByte(number.Text, '.'); point >= 0 && !number.Raw && !number.Rounded {
		least := min(point+1+minDecimals, len(number.Text))
		number.Text = number.Text[:least] + strings.TrimRight(number.Text[least:], "0")
	}
	return number
}

// ExactNumber formats a number of a position with every digit that is known.
func (f *Formatter) ExactNumber(p *model.Position, field model.Field) string {
	return f.ExactNumberOf(p.Number(field), p, field, field.HasSign())
}

// ExactNumberOf formats a number in the unit of a field as NumberOf does, with every digit that is known.
func (f *Formatter) ExactNumberOf(a model.Amount, p *model.Position, field model.Field, plus bool) string {
	e, decimals := model.Estimate{Amount: a}, f.instruments.Decimals(field, p.Market)
	if f.shift != nil && field == model.UnrealisedPnl {
		e = f.shift.Profit(a, p, f.instruments)
	}
	if e.Bound.IsZero() {
		return Exact(a, decimals, plus)
	}
	return cmp.Or(Estimate(e, decimals, e.Places(decimals), plus).Marked(RawWord), "not known")
}

// oddTime is shown in place of a time that is certainly wrong.
const oddTime = "odd"

// AgeOf returns the age of a time by the clock of the service; empty if the service sent no time that is understood,
// and oddTime if the time is ahead of its clock.
func AgeOf(sent model.Amount, now time.Time) string {
	at, ok := sent.Time()
	switch {
	case !ok:
		return ""
	case at.Sub(now) > model.AheadFor:
		return oddTime
	}
	return Age(max(now.Sub(at), 0))
}

// Change returns words with arrows between two values. In ASCII an arrow has two characters, because one alone would be
// a comparison, and a text for cells must have its width before it is drawn.
func (f *Formatter) Change(words string) string {
	if f.ascii {
		return strings.ReplaceAll(words, "→", "->")
	}
	return words
}

// OneLine returns the text of an error or of the service on one line, neutralised.
func OneLine(text string) string {
	return model.Neutralise(strings.Join(strings.Fields(text), " "))
}
