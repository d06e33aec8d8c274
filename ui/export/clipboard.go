package export

import (
	"iter"
	"slices"
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

var clipboardColumns = copiedColumns()

// copiedColumns are those that are printed, but for the distances, in the order of the detail. So the market is before
// the party, and the asset after the amounts.
func copiedColumns() []columns.Printed {
	all := slices.DeleteFunc(columns.AllPrinted(), func(c columns.Printed) bool { return c.Words == "" })
	move := func(key string, to int) {
		at := slices.IndexFunc(all, func(c columns.Printed) bool { return c.Key == key })
		moved := all[at]
		all = slices.Insert(slices.Delete(all, at, at+1), to, moved)
	}
	move(view.MarketColumn.Key(), 0)
	status := slices.IndexFunc(all, func(c columns.Printed) bool { return c.Key == view.StatusColumn.Key() })
	move(view.AssetColumn.Key(), status-1)
	return all
}

// idSuffix is after the key, or the heading, of the field with the identifier of a party or a market. The field before
// it has its name.
const idSuffix = " id"

// hasIDField reports whether the identifier of a column is a field of its own, after the one with the name.
func hasIDField(c *columns.Printed) bool {
	return c.Key == view.PartyColumn.Key() || c.Key == view.MarketColumn.Key()
}

func clipboardHeading() (names []string) {
	for _, c := range clipboardColumns {
		if names = append(names, c.Words); hasIDField(&c) {
			names = append(names, c.Words+idSuffix)
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

// clipboardRow has the fields of a line by the keys of their columns, and identifiers by keys with idSuffix.
type clipboardRow map[string]string

func (r clipboardRow) set(c view.Column, text string) { r[c.Key()] = text }

func (r clipboardRow) line() string {
	var fields []string
	for _, c := range clipboardColumns {
		if fields = append(fields, r[c.Key]); hasIDField(&c) {
			fields = append(fields, r[c.Key+idSuffix])
		}
	}
	return strings.Join(fields, "\t") + "\n"
}

// Group returns the line of a group: the fields of Row, with the name of the group, the subtotals of the asset that the
// heading shows, and its status.
func (w *ClipboardWriter) Group(g *view.Group) string {
	in := w.Format.Instruments()
	heading := columns.Heading{Group: g, By: w.View.Groups.By, Format: w.Format}
	fields, status := make(clipboardRow), safeText(strings.Join(append([]string{heading.Size()}, heading.Statuses()...), ", "))
	switch w.View.Groups.By {
	case view.GroupByParty:
		fields.setNamed(view.PartyColumn, in.Party(g.ID).Name, g.ID.String())
	case view.GroupByMarket:
		fields.setNamed(view.MarketColumn, in.Market(g.ID).Name, g.ID.String())
		decimals := in.Decimals(model.OpenVolume, g.ID)
		if net, _, ok := g.Sizes(decimals); ok {
			fields[model.OpenVolume.Key()] = number(net, decimals)
		}
	case view.GroupByAsset:
		fields.set(view.AssetColumn, safeText(in.Asset(g.ID).Label()))
	case view.GroupByOwn:
		status = safeText(heading.Name() + ": " + status)
	}
	fields.set(view.StatusColumn, status)
	if total, ok := g.Total(); ok {
		asset := in.Asset(total.Asset)
		for _, f := range model.Summed() {
			fields[f.Key()] = number(total.Sum(f).Amount(asset.Decimals), asset.Decimals)
		}
		fields.set(view.AssetColumn, safeText(asset.Label()))
		if net, ok := total.NetNotional(asset.Decimals); ok {
			fields.set(view.NotionalColumn, estimated(net, asset.Decimals))
		}
		if ratio, ok := total.MarginRatio(asset.Decimals); ok && !ratio.IsEstimate {
			fields.set(view.MarginRatioColumn, strings.ReplaceAll(ratio.String(), ",", ""))
		}
	}
	return fields.line()
}

func (r clipboardRow) setNamed(c view.Column, name, id string) {
	r.set(c, safeText(name))
	r[c.Key()+idSuffix] = safeText(id)
}

// Row returns the line of a position. What the position does not have is empty.
func (w *ClipboardWriter) Row(p *model.Position) string {
	in, fields := w.Format.Instruments(), make(clipboardRow)
	fields.setNamed(view.MarketColumn, in.Market(p.Market).Name, p.Market.Label())
	fields.setNamed(view.PartyColumn, in.Party(p.Party).Name, p.Party.Label())
	for _, c := range clipboardColumns {
		if !hasIDField(&c) {
			fields[c.Key] = w.field(&c, p)
		}
	}
	return fields.line()
}

// field returns what a column has of a position, with whole names, every digit and no commas.
func (w *ClipboardWriter) field(c *columns.Printed, p *model.Position) string {
	in := w.Format.Instruments()
	switch {
	case c.Number.Of != nil:
		e, ok := c.Number.Of(p, in)
		if ok && c.Number.Unit.IsTime() {
			return w.time(e.Amount)
		} else if ok {
			return estimated(e, in.Decimals(c.Number.Unit, p.Market))
		}
		return ""
	case c.ID != nil:
		if id := c.ID(p, in); !id.IsZero() {
			return safeText(in.Asset(id).Label())
		}
		return ""
	case c.Percent != nil:
		return strings.ReplaceAll(percentOf(c, p, in, w.View.Margins().Ratio), ",", "")
	}
	name, _ := c.Text(p)
	return safeText(name)
}

// time returns a time of the service, as it was sent if it is not understood.
func (w *ClipboardWriter) time(sent model.Amount) string {
	if at, ok := sent.Time(); ok {
		return w.Format.Timestamp(at)
	} else if sent.IsOddTime() {
		return number(sent, 0)
	}
	return ""
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

// estimated returns the digits of an estimate that are known, without commas, and all of an exact number; empty if it
// is not known.
func estimated(e model.Estimate, decimals int) string {
	if e.Bound.IsZero() {
		return number(e.Amount, decimals)
	}
	return strings.ReplaceAll(format.Estimate(e, decimals, format.EveryDigit, false).Text, ",", "")
}
