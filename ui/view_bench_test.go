package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// benchmarkScreen is a screen of 200x60 with so many live rows, under the cursor somewhere in the middle.
func benchmarkScreen(rows int) *Model {
	m := New(context.Background(), newFakeSource(), Options{Service: "mainnet", Instruments: deskInstruments(), Location: time.UTC})
	table := model.NewRows()
	markets := []model.ID{ethMarket, solMarket, btcMarket, linkMarket, dogeMarket}
	for i := range rows {
		party := model.MakeID(fmt.Sprintf("%064x", i))
		p := position(party, markets[i%len(markets)], fmt.Sprint(i*7919%10007+1), "341010", fmt.Sprint(i*7907%20011-10000), "5", 0, i)
		table.Put(&p)
	}
	m.data.view = m.data.viewOf(m.data.book.Replaced(all, table))
	m.data.book = m.data.view.Book()
	m.pull.links = []model.Link{liveLink(all)}
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	m.positions.window.to(positionRows{m.data.view}, rows/2)
	return m
}

// BenchmarkView draws a screen: the cost goes with the screen, not with the rows.
func BenchmarkView(b *testing.B) {
	for _, rows := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			m := benchmarkScreen(rows)
			b.ReportAllocs()
			for b.Loop() {
				m.View()
			}
		})
	}
}

// BenchmarkDelta takes 1,000 updates and draws what they change.
func BenchmarkDelta(b *testing.B) {
	for _, rows := range []int{1_000, 100_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			m := benchmarkScreen(rows)
			updates := make([]model.Position, 0, 1000)
			for i := range 1000 {
				updates = append(updates, *m.data.view.At(i * rows / 1000))
			}
			profit := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				profit++
				for i := range updates {
					updates[i].SetNumber(model.UnrealisedPnl, model.AmountOf(profit*int64(i)))
				}
				m.pull.cancel = func() {}
				m.Update(deltaMsg{delta: updatesOf(all, updates...)})
				m.View()
			}
		})
	}
}
