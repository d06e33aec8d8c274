package export

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/wording"
)

// sourceNames are the names of the sources of events.
var sourceNames = map[book.ChangeSource]string{
	book.ChangedByUpdate: "update", book.ChangedByAudit: "audit", book.ChangedBySnapshot: "snapshot",
}

// eventColumns are the columns of events for programs. Those of the position after the event have the names of the
// interface.
func eventColumns() []column[event.Event] {
	type one = event.Event
	text := func(field string, text func(*one) string) column[one] {
		return textColumn(field, field, "", always, func(e *one, _ *Options) string { return text(e) })
	}
	amount := func(of model.Field, suffix string, position func(*one) *model.Position) column[one] {
		field := of.Name() + suffix
		return amountColumn(field, field, "", always, false, amounts[one]{
			func(e *one, _ *Options) (model.Amount, bool) { return position(e).Number(of), true },
			func(e *one, in *model.Instruments) int { return in.Decimals(of, e.Market) },
		})
	}
	rfc3339 := func(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
	return []column[one]{
		text("event", func(e *one) string { return strings.Join(e.Kinds.Names(), " ") }),
		amount(model.LossSocialisationAmount, "", (*one).After),
		amount(model.LossSocialisationAmount, "Before", (*one).Before),
		marketColumn(func(e *one) model.ID { return e.Market }),
		amount(model.OpenVolume, "", (*one).After),
		amount(model.OpenVolume, "Before", (*one).Before),
		partyColumn(func(e *one) model.ID { return e.Party }),
		text("positionStatus", func(e *one) string { return e.After().StatusName() }),
		text("positionStatusBefore", func(e *one) string { return e.Before().StatusName() }),
		text("seenAt", func(e *one) string { return rfc3339(e.SeenAt()) }),
		text("source", func(e *one) string { return sourceNames[e.Source] }),
		text("time", func(e *one) string { at, _ := e.At(); return rfc3339(at) }),
		timeColumn(model.UpdatedAt.Key(), model.UpdatedAt.Name(), "", func(e *one) model.Amount {
			at, ok := e.UpdatedAt()
			if !ok {
				return model.Amount{}
			}
			return model.AmountOf(at.UnixNano())
		}),
	}
}

// EventWriter writes events as they happen, a line for each.
type EventWriter struct {
	w       io.Writer
	format  Format
	options Options
	written bool
	empty   int    // numbers without known decimals, with Options.Scaled
	widths  [3]int // of the columns of the table so far, except the last one
}

// NewEventWriter returns a writer of events as a table, CSV or NDJSON.
func NewEventWriter(w io.Writer, format Format, options Options) *EventWriter {
	return &EventWriter{w: w, format: format, options: options}
}

// Write writes events. The first call writes a heading before them, even if there are none.
func (w *EventWriter) Write(events []event.Event) error {
	first := !w.written
	w.written = true
	if w.format == Table {
		return w.writeTable(events, first)
	}
	at := func(i int, _ *event.Event) *event.Event { return &events[i] }
	r := records[event.Event]{columns: eventColumns(), count: len(events), at: at, options: &w.options}
	var err error
	if w.format == CSV && !first {
		err = r.writeCSVRows(w.w)
	} else {
		_, err = r.write(w.w, w.format)
	}
	w.empty += r.result.Unscaled
	return err
}

// Unscaled returns how many numbers were written empty, because their decimals are not known.
func (w *EventWriter) Unscaled() int { return w.empty }

// writeTable writes a part of the table. Its columns are at least as wide as those of the parts before.
func (w *EventWriter) writeTable(events []event.Event, heading bool) error {
	var rows [][]string
	if heading {
		rows = append(rows, []string{"TIME", "PARTY", "MARKET", "EVENT"})
	}
	for i := range events {
		rows = append(rows, w.tableRow(&events[i]))
	}
	for _, cells := range rows {
		for i := range w.widths {
			w.widths[i] = max(w.widths[i], ansi.StringWidth(cells[i]))
		}
	}
	var lines strings.Builder
	for _, cells := range rows {
		for i, width := range w.widths {
			lines.WriteString(cells[i] + strings.Repeat(" ", width-ansi.StringWidth(cells[i])+2))
		}
		lines.WriteString(cells[len(w.widths)] + "\n")
	}
	_, err := io.WriteString(w.w, lines.String())
	return err
}

// tableRow returns the cells of an event. Its texts are not cut: a part of a number would be another number.
func (w *EventWriter) tableRow(e *event.Event) []string {
	happened, exact := e.At()
	clock := happened.In(w.options.Zone).Format(time.RFC3339)
	if !exact {
		clock = "<=" + clock
	}
	words := strings.Join(wording.Event(e, w.number(e)), "; ")
	if source := wording.EventSource(e); source != "" {
		words += " (" + source + ")"
	}
	name := func(label string) string { return ansi.Truncate(model.Neutralise(label), cellWidth, "…") }
	return []string{
		clock, name(w.options.Instruments.Party(e.Party).Label()), name(w.options.Instruments.Market(e.Market).Label()),
		model.Neutralise(words),
	}
}

// number returns a function that formats the amounts of an event.
func (w *EventWriter) number(e *event.Event) func(model.Field, model.Amount) string {
	in := w.options.Instruments
	return func(field model.Field, amount model.Amount) string {
		text := scaled(amount, in.Decimals(field, e.Market), field == model.OpenVolume)
		asset := in.Market(e.Market).Asset
		if field == model.LossSocialisationAmount && !asset.IsZero() {
			text += " " + in.Asset(asset).Label()
		}
		return text
	}
}
