package store

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/format"
)

// BenchmarkJump goes to a time of a recording, with a million events before it, the most that a recording keeps, or
// with the margin levels of 100,000 positions. It measures, in the median of all jumps, the longest step of the Store,
// in which the screen does nothing else.
func BenchmarkJump(b *testing.B) {
	before, after := holding("p", "btc", 1), holding("p", "btc", 1)
	after.SetNumber(model.OpenVolume, model.AmountOf(2))
	e, _ := event.New(&before, &after, book.ChangedByUpdate, time.Now())
	rows := make([]model.Position, 100_000)
	var margins []book.MarginsRead
	for i := range rows {
		rows[i] = holding(fmt.Sprint("p", i), fmt.Sprint("m", i%100), int64(i))
		if i%1000 == 0 {
			margins = append(margins, book.MarginsRead{Page: &model.Page{ReadAt: time.Now()}})
		}
		page := margins[len(margins)-1].Page
		page.Rows = append(page.Rows, model.MarginLevels{
			MarginKey:   model.MarginKey{Key: rows[i].Key, Asset: model.MakeID("usdt")},
			Maintenance: model.AmountOf(int64(i * 7919 % 100_000)), Timestamp: model.AmountOf(1),
		})
	}
	for name, c := range map[string]struct {
		isPlay  bool // a snapshot comes in the course of the recording
		column  view.Column
		events  []event.Event
		margins []book.MarginsRead
	}{
		"rows":           {},
		"events":         {events: slices.Repeat([]event.Event{e}, 1<<20)},
		"margins":        {margins: margins},
		"margins-sorted": {column: view.MarginRatioColumn, margins: margins},
		"margins-again":  {isPlay: true, margins: margins},
	} {
		b.Run(name, func(b *testing.B) {
			options := Options{
				Instruments: model.NewInstruments(nil, nil, nil), Location: time.UTC, Now: time.Now, Extent: Whole(0),
				Settings: view.Settings{Order: view.Order{Column: c.column}}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
				Format: func(in *model.Instruments) *format.Formatter {
					return format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
				},
				Events: func() (bool, []event.Event) { return true, c.events }, IsJumping: func() bool { return false },
			}
			s := New(b.Context(), &scripted{}, options)
			var longest []time.Duration
			for b.Loop() {
				jumped := snapshot(s.Subscriptions()[0], rows...)
				jumped.Restart, jumped.Margins = !c.isPlay || s.View().Rows() == 0, slices.Clone(c.margins)
				s.flow.cancel = func() {}
				s.Handle(Received{Delta: jumped})
				took := time.Duration(0)
				for msg := tea.Msg(unappliedMsg{}); s.flow.held != nil; {
					began := time.Now()
					s.Handle(msg)
					cmd := s.Advance()
					took = max(took, time.Since(began))
					if msg = (unappliedMsg{}); s.MakesView() {
						msg = preparedBy(cmd)
					}
				}
				longest = append(longest, took)
			}
			slices.Sort(longest)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(longest[len(longest)/2].Microseconds())/1000, "ms/longest-step")
		})
	}
}

// preparedBy runs commands, and returns the view that the first of them makes that makes any.
func preparedBy(cmd tea.Cmd) tea.Msg {
	switch msg := cmd().(type) {
	case Prepared:
		return msg
	case tea.BatchMsg:
		for _, each := range msg {
			if made := preparedBy(each); made != nil {
				return made
			}
		}
	}
	return nil
}
