package export

import (
	"io"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/format"
)

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
		text("source", func(e *one) string { return book.SourceNames[e.Source] }),
		text("time", func(e *one) string { at, _ := e.At(); return rfc3339(at) }),
		timeColumn(model.UpdatedAt.Key(), model.UpdatedAt.Name(), "", func(e *one) model.Amount {
			return e.After().Number(model.UpdatedAt)
		}),
	}
}

// EventWriter writes events as they happen: a line for each, except in JSON.
type EventWriter struct {
	w       io.Writer
	format  Format
	options Options
	written bool
	empty   int    // numbers without known decimals, with Options.Scaled
	widths  [4]int // of the columns of the table so far
}

// NewEventWriter returns a writer of events in a format. JSON has one array for each Write.
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
	part := grid[event.Event]{columns: make([]column[event.Event], len(w.widths)),
		cells: make([][]string, len(w.widths)), widths: w.widths[:]}
	if heading {
		part.addRow("TIME", "PARTY", "MARKET", "EVENT")
	}
	for i := range events {
		part.addRow(w.tableRow(&events[i])...)
	}
	return part.write(w.w)
}

// tableRow returns the cells of an event. Its texts are not cut: a part of a number would be another number.
func (w *EventWriter) tableRow(e *event.Event) []string {
	happened, exact := e.At()
	clock := happened.In(w.options.Zone).Format(time.RFC3339)
	if !exact {
		clock = "<=" + clock
	}
	in := w.options.Instruments
	number := format.EventNumber(e, in, func(asset model.ID) string { return in.Asset(asset).Label() })
	words := strings.Join(format.Event(e, number), "; ")
	if source := format.EventSource(e); source != "" {
		words += " (" + source + ")"
	}
	party, market := shown(partyLabel(in, e.Party)), shown(marketLabel(in, e.Market))
	return []string{clock, draw.Cut(party, cellWidth), draw.Cut(market, cellWidth), model.Neutralise(words)}
}
