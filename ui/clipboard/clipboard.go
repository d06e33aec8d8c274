// Package clipboard writes positions, groups and events as the terminal's clipboard gets them, for a spreadsheet or a
// chat: one line each, with a tab between two fields. A line has whole identifiers and every digit, without commas
// between thousands. Texts are neutralised, also because a clipboard may be pasted into a shell.
package clipboard

import (
	"iter"
	"strings"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/format"
)

// The limits of a copy. A terminal has to take all of it at once.
const (
	maxLines = 10_000
	maxBytes = 4 << 20
)

// Lines returns the first of all lines, as many as a terminal may have to take, and what they are: all is how many
// lines of a name there are.
func Lines(name string, all int, lines iter.Seq[string]) (what, text string) {
	var b strings.Builder
	copied := 0
	for line := range lines {
		if copied == maxLines || b.Len()+len(line) > maxBytes {
			break
		}
		b.WriteString(line)
		copied++
	}
	what = model.Counted(copied, name)
	if copied < all {
		what = "the first " + what + " of " + format.Grouped(all)
	}
	return what, b.String()
}

// Writer writes what a view has in it.
type Writer struct {
	View   *view.View
	Format *format.Formatter
}

// Table yields the line of each line of the table, in its order: the headings of groups and the rows, but not those of
// folded groups.
func (w *Writer) Table(yield func(string) bool) {
	v := w.View
	if v.Groups.By == view.Ungrouped {
		for p := range v.Shown {
			if !yield(w.Row(&p)) {
				return
			}
		}
		return
	}
	for g := range v.GroupsShown {
		if !yield(w.Group(g)) {
			return
		}
		for p := range v.RowsOf(g.ID) {
			if g.IsFolded {
				break
			}
			if !yield(w.Row(&p)) {
				return
			}
		}
	}
}

// Group returns the line of a group: the fields of Row, with the name of the group, the subtotals of the asset that the
// heading shows, and its status.
func (w *Writer) Group(g *view.Group) string {
	in := w.Format.Instruments()
	fields := make([]string, rowFields)
	switch w.View.Groups.By {
	case view.GroupByParty:
		fields[2], fields[3] = safeText(in.Party(g.ID).Name), safeText(g.ID.String())
	case view.GroupByMarket:
		fields[0], fields[1] = safeText(in.Market(g.ID).Name), safeText(g.ID.String())
	case view.GroupByAsset:
		fields[12] = safeText(in.Asset(g.ID).Label())
	}
	if total, ok := g.Total(); ok {
		asset := in.Asset(total.Asset)
		fields[8], fields[10] = number(total.Unrealised.Amount(), asset.Decimals), number(total.Realised.Amount(), asset.Decimals)
		fields[12] = safeText(asset.Label())
		if ratio, ok := total.MarginRatio(); ok {
			fields[9] = strings.ReplaceAll(ratio.String(), ",", "")
		}
	}
	heading := columns.Heading{Group: g, By: w.View.Groups.By, Format: w.Format}
	fields[13] = safeText(strings.Join(append([]string{heading.Size()}, heading.Statuses()...), ", "))
	return strings.Join(fields, "\t") + "\n"
}

// rowFields is how many fields the line of a row has.
const rowFields = 15

// Row returns the line of a position. The fields are those of the detail, with the margin ratio; what a row has none of
// is empty.
func (w *Writer) Row(p *model.Position) string {
	in := w.Format.Instruments()
	market := in.Market(p.Market)
	of := func(field model.Field) string { return number(p.Number(field), in.Decimals(field, p.Market)) }
	mark, notional, ratio, asset := "", "", "", ""
	if price, value, ok := model.Estimate(p, in); ok {
		mark = number(price, in.Decimals(model.AverageEntryPrice, p.Market))
		notional = number(value, in.Decimals(model.UnrealisedPnl, p.Market))
	}
	if r, ok := w.View.MarginRatio(p); ok && !r.HasEnded() {
		ratio = strings.ReplaceAll(r.String(), ",", "")
	}
	if !market.Asset.IsZero() {
		asset = in.Asset(market.Asset).Label()
	}
	updated := ""
	if at, ok := p.Number(model.UpdatedAt).Time(); ok {
		updated = w.Format.Timestamp(at)
	}
	fields := []string{
		safeText(market.Name), safeText(p.Market.Label()), safeText(in.Party(p.Party).Name), safeText(p.Party.Label()),
		of(model.OpenVolume), of(model.AverageEntryPrice), mark, notional,
		of(model.UnrealisedPnl), ratio, of(model.RealisedPnl), of(model.LossSocialisationAmount),
		safeText(asset), safeText(p.StatusName()), updated,
	}
	return strings.Join(fields, "\t") + "\n"
}

// Event returns the line of an event: time, market, party, kinds, and size, loss and status before and after.
func (w *Writer) Event(e *event.Event) string {
	in := w.Format.Instruments()
	before, after := e.Before(), e.After()
	at, exact := e.At()
	when := w.Format.Timestamp(at)
	if !exact {
		when = "before " + when
	}
	size := func(a model.Amount) string { return number(a, in.Decimals(model.OpenVolume, e.Market)) }
	loss := func(a model.Amount) string {
		return number(a, in.Decimals(model.LossSocialisationAmount, e.Market))
	}
	return strings.Join([]string{
		when, safeText(in.Market(e.Market).Name), safeText(e.Market.Label()), safeText(in.Party(e.Party).Name), safeText(e.Party.Label()),
		strings.Join(e.Kinds.Names(), " "), size(before.Size), size(after.Size), loss(before.LossSocialised), loss(after.LossSocialised),
		safeText(before.StatusName), safeText(after.StatusName),
	}, "\t") + "\n"
}

// safeText returns a text that neither a shell nor a spreadsheet runs.
func safeText(text string) string { return model.SpreadsheetCell(format.Text(text)) }

// number formats a number with every digit and without commas.
func number(a model.Amount, decimals int) string {
	text := format.Exact(a, decimals, false)
	if !a.IsInteger() {
		return safeText(text)
	}
	return strings.ReplaceAll(text, ",", "")
}
