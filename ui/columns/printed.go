package columns

import (
	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Printed is a column of positions as it is printed to a pipe or a file, and copied to the clipboard. Its key and its
// heading are those of the screen.
//
// Three things differ from the screen. The screen shows a margin ratio that is no longer true with its age; a file has
// no such age, so the ratio is empty. The screen has the age of a position, a file the time itself. A file has no
// changes since a baseline, because only the screen has baselines.
type Printed struct {
	Key     string // its name among columns
	Heading string // in a table
	Field   string // its name in CSV and JSON
	Words   string // its heading in the clipboard; empty if it is not copied
	About   string // what it is, in the schema
	Keep    int    // if there is no room in a table, the column with the lowest is left out first

	IsComputed bool // the service does not send it

	// What it has of a position: one of these.
	ID      func(*model.Position, *model.Instruments) model.ID
	Number  Number
	Percent func(model.MarginRatio, *model.Position, *model.Instruments) string   // empty if there is none
	Text    func(*model.Position) (name, words string)                            // for programs, and for people
	Amount  func(*model.MarginLevels) model.Amount                                // of the margin record
	Figure  func(*model.Position, *model.MarginLevels, *model.Instruments) string // the margin record may be nil
}

// Number is a number of a position: one that the service sends, whose bound is 0, or an estimate.
type Number struct {
	Unit    model.Field // it has the decimals of this number
	HasSign bool        // a positive number is written with a plus
	Of      func(*model.Position, *model.Instruments) (model.Estimate, bool)
	at      estimateAt // nil if it is sent
}

// The estimates. The service does not send a mark price.
var (
	markEstimate     = estimateOf(model.AverageEntryPrice, false, (*analysis.PriceShift).Mark)
	notionalEstimate = estimateOf(model.UnrealisedPnl, true, (*analysis.PriceShift).Notional)
)

// estimateAt returns an estimate of a position, whose mark price a shift has changed unless it is nil.
type estimateAt func(*analysis.PriceShift, *model.Position, *model.Instruments) (model.Estimate, bool)

func estimateOf(unit model.Field, hasSign bool, at estimateAt) Number {
	now := func(p *model.Position, in *model.Instruments) (model.Estimate, bool) { return at(nil, p, in) }
	return Number{unit, hasSign, now, at}
}

// shown returns what the number is at the prices of the positions that are shown.
func (n *Number) shown(p *model.Position, f *format.Formatter) (model.Estimate, bool) {
	if n.at == nil {
		return n.Of(p, f.Instruments())
	}
	return n.at(f.Shift(), p, f.Instruments())
}

// Cell formats the number for a table on the screen, in an empty cell if there is none or if it is not known.
func (n *Number) Cell(p *model.Position, f *format.Formatter) draw.Cell {
	e, ok := n.shown(p, f)
	if !ok {
		return draw.Cell{}
	}
	return f.EstimateIn(e, n.Unit, p.Market, n.HasSign)
}

// Exact formats the number with every digit that is known; empty if there is none.
func (n *Number) Exact(p *model.Position, f *format.Formatter) string {
	e, ok := n.shown(p, f)
	if !ok {
		return ""
	}
	return format.Estimate(e, f.Instruments().Decimals(n.Unit, p.Market), format.EveryDigit, n.HasSign).Marked(format.RawWord)
}

// AllPrinted returns all columns of positions that are printed, in the order in which they are listed.
func AllPrinted() []Printed {
	all := []Printed{PrintedOf(view.PartyColumn), PrintedOf(view.MarketColumn), PrintedOf(view.AssetColumn)}
	for f := range model.FieldCount {
		if f == model.UpdatedAt {
			all = append(all, PrintedOf(view.StatusColumn))
		}
		all = append(all, printedNumber(f))
		switch f {
		case model.AverageEntryPrice:
			all = append(all, Estimates()...)
		case model.UnrealisedPnl:
			all = append(all, PrintedOf(view.MarginRatioColumn), PrintedOf(view.ToHalfColumn), PrintedOf(view.ToAllColumn),
				PrintedOf(view.MaintenanceColumn), PrintedOf(view.PartOfEntryColumn), PrintedOf(view.LeverageColumn))
		}
	}
	return all
}

// UsesMargins reports whether the printed column with a name depends on margin records.
func UsesMargins(name string) bool {
	c, err := view.ParseSortColumn(name)
	return err == nil && c.UsesMargins()
}

// Estimates returns the columns of the mark price and the notional.
func Estimates() []Printed {
	return []Printed{PrintedOf(view.MarkColumn), PrintedOf(view.NotionalColumn)}
}

// PrintedOf returns how a column of the screen is printed. It must not be one of a number that the service sends.
func PrintedOf(c view.Column) Printed {
	p := layouts[c].printed
	p.Key, p.Heading = c.Key(), layouts[c].title
	return p
}

// printedNumber returns how a number that the service sends is printed.
func printedNumber(f model.Field) Printed {
	heading, keep := NumberHeading(f)
	sent := func(p *model.Position, _ *model.Instruments) (model.Estimate, bool) {
		return model.Estimate{Amount: p.Number(f)}, true
	}
	return Printed{
		Key: f.Key(), Heading: heading, Field: f.Name(), Words: NumberWords(f), About: NumberAbout(f), Keep: keep,
		Number: Number{Unit: f, HasSign: f.HasSign(), Of: sent},
	}
}
