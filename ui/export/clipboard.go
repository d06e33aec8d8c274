package export

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
	maxClipboardLines = 10_000
	maxClipboardBytes = 4 << 20
)

// ClipboardHeading and ClipboardEventHeading are the names of the fields of Row and Event.
var (
	ClipboardHeading      = clipboardHeading()
	ClipboardEventHeading = []string{"time", "market", "market id", "party", "party id", "kinds", "size before", "size after",
		"loss socialised before", "loss socialised after", "status before", "status after"}
)

func clipboardHeading() []string {
	names := []string{"market", "market id", "party", "party id"}
	for f := range model.FieldCount {
		if f == model.UpdatedAt {
			names = append(names, "asset", "status")
		}
		names = append(names, columns.NumberWords(f))
		switch f {
		case model.AverageEntryPrice:
			names = append(names, "≈ mark", "≈ notional")
		case model.UnrealisedPnl:
			names = append(names, columns.RatioName)
		}
	}
	return names
}

// ClipboardLines returns a heading and the first lines, within the limits of a copy, and words about them. There are
// all lines, and name is what one of them is called.
func ClipboardLines(heading []string, name string, all int, lines iter.Seq[string]) (what, text string) {
	var b strings.Builder
	b.WriteString(strings.Join(heading, "\t") + "\n")
	copied := 0
	for line := range lines {
		if copied == maxClipboardLines || b.Len()+len(line) > maxClipboardBytes {
			break
		}
		b.WriteString(line)
		copied++
	}
	what = format.Counted(copied, name)
	if copied < all {
		what = "the first " + what + " of " + format.Grouped(all)
	}
	return what + " below a heading", b.String()
}

// ClipboardWriter makes the lines of what a view has.
type ClipboardWriter struct {
	View   *view.View
	Format *format.Formatter
}

// Table yields the line of each line of the table, in its order: the headings of groups and the rows, but not those of
// folded groups.
func (w *ClipboardWriter) Table(yield func(string) bool) {
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

// clipboardRow has the fields of the line of a row, by their names in ClipboardHeading.
type clipboardRow map[string]string

// line returns the fields from left to right.
func (r clipboardRow) line() string {
	var fields []string
	for _, name := range ClipboardHeading {
		fields = append(fields, r[name])
	}
	return strings.Join(fields, "\t") + "\n"
}

// Group returns the line of a group: the fields of Row, with the name of the group, the subtotals of the asset that the
// heading shows, and its status.
func (w *ClipboardWriter) Group(g *view.Group) string {
	in := w.Format.Instruments()
	heading := columns.Heading{Group: g, By: w.View.Groups.By, Format: w.Format}
	fields := clipboardRow{"status": safeText(strings.Join(append([]string{heading.Size()}, heading.Statuses()...), ", "))}
	switch w.View.Groups.By {
	case view.GroupByParty:
		fields["party"], fields["party id"] = safeText(in.Party(g.ID).Name), safeText(g.ID.String())
	case view.GroupByMarket:
		fields["market"], fields["market id"] = safeText(in.Market(g.ID).Name), safeText(g.ID.String())
		decimals := in.Decimals(model.OpenVolume, g.ID)
		if net, _, ok := g.Sizes(decimals); ok {
			fields[columns.NumberWords(model.OpenVolume)] = number(net, decimals)
		}
	case view.GroupByAsset:
		fields["asset"] = safeText(in.Asset(g.ID).Label())
	case view.GroupByOwn:
		fields["status"] = safeText(heading.Name() + ": " + fields["status"])
	}
	if total, ok := g.Total(); ok {
		asset := in.Asset(total.Asset)
		for _, f := range model.Summed() {
			fields[columns.NumberWords(f)] = number(total.Sum(f).Amount(asset.Decimals), asset.Decimals)
		}
		fields["asset"] = safeText(asset.Label())
		if net, ok := total.NetNotional(asset.Decimals); ok {
			fields["≈ notional"] = number(net, asset.Decimals)
		}
		if ratio, ok := total.MarginRatio(asset.Decimals); ok && !ratio.IsEstimate {
			fields[columns.RatioName] = strings.ReplaceAll(ratio.String(), ",", "")
		}
	}
	return fields.line()
}

// Row returns the line of a position. The fields are those of the detail, with the margin ratio. What the position does
// not have is empty.
func (w *ClipboardWriter) Row(p *model.Position) string {
	in := w.Format.Instruments()
	market := in.Market(p.Market)
	fields := clipboardRow{
		"market": safeText(market.Name), "market id": safeText(p.Market.Label()),
		"party": safeText(in.Party(p.Party).Name), "party id": safeText(p.Party.Label()), "status": safeText(p.StatusName()),
	}
	for field := range model.FieldCount {
		name := columns.NumberWords(field)
		if !field.IsTime() {
			fields[name] = w.number(p, field)
		} else if at, ok := p.Number(field).Time(); ok {
			fields[name] = w.Format.Timestamp(at)
		} else if p.Number(field).IsOddTime() {
			fields[name] = w.number(p, field)
		}
	}
	mark, notional := w.Format.ExactEstimates(p)
	fields["≈ mark"], fields["≈ notional"] = ClipboardField(mark), ClipboardField(notional)
	if r, ok := w.View.MarginRatio(p); ok && !r.HasEnded() {
		fields[columns.RatioName] = strings.ReplaceAll(r.String(), ",", "")
	}
	if !market.Asset.IsZero() {
		fields["asset"] = safeText(in.Asset(market.Asset).Label())
	}
	return fields.line()
}

func (w *ClipboardWriter) number(p *model.Position, field model.Field) string {
	return number(p.Number(field), w.Format.Instruments().Decimals(field, p.Market))
}

// Event returns the line of an event: time, market, party, kinds, and size, loss and status before and after.
func (w *ClipboardWriter) Event(e *event.Event) string {
	in := w.Format.Instruments()
	before, after := e.Before(), e.After()
	at, exact := e.At()
	when := w.Format.Timestamp(at)
	if !exact {
		when = "before " + when
	}
	kinds := strings.Join(e.Kinds.Names(), " ")
	if e.Alert != nil {
		kinds = safeText(format.EventAlert(e.Alert))
	}
	return strings.Join([]string{
		when, safeText(in.Market(e.Market).Name), safeText(e.Market.Label()), safeText(in.Party(e.Party).Name), safeText(e.Party.Label()),
		kinds, w.number(before, model.OpenVolume), w.number(after, model.OpenVolume),
		w.number(before, model.LossSocialisationAmount), w.number(after, model.LossSocialisationAmount),
		safeText(before.StatusName()), safeText(after.StatusName()),
	}, "\t") + "\n"
}

// ClipboardField returns a value of the screen for the clipboard. A number has no commas and no plus, and no word after
// it if its decimals are not known.
func ClipboardField(value string) string {
	value = strings.TrimSuffix(value, format.RawWord)
	plain := strings.TrimPrefix(strings.ReplaceAll(value, ",", ""), "+")
	if digits := strings.TrimPrefix(plain, "-"); isSigned("+" + digits) {
		return plain
	}
	return safeText(value)
}

// safeText returns a text that neither a shell nor a spreadsheet runs. A spreadsheet into which it is pasted would take
// a quote at its start for that of a cell: it would read the text without it, and join the cells up to the next quote.
func safeText(text string) string {
	safe := spreadsheetCell(format.Text(text))
	if strings.HasPrefix(safe, `"`) {
		return "'" + safe
	}
	return safe
}

// number formats a number with every digit and without commas.
func number(a model.Amount, decimals int) string {
	text := format.Exact(a, decimals, false)
	if !a.IsNumber() {
		return safeText(text)
	}
	return strings.ReplaceAll(text, ",", "")
}
