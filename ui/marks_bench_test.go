package ui

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// BenchmarkChanges takes 1,000 changed rows among a million and draws the screen, with changed cells marked and changes
// since a baseline shown, and compares with the same without both.
func BenchmarkChanges(b *testing.B) {
	screen := func(marks, baseline bool) *Model {
		m := benchmarkScreen(2000, 500, func(o *Options) { o.WithoutMarks = !marks })
		if baseline {
			show(m, m.store.Baseline().Take())
		}
		return m
	}
	plain := frames(screen(false, false))
	for _, c := range []struct{ marks, baseline bool }{{marks: true}, {baseline: true}, {true, true}} {
		b.Run(fmt.Sprintf("marks=%t/baseline=%t", c.marks, c.baseline), func(b *testing.B) {
			compare(b, "x-of-without", func() {}, frames(screen(c.marks, c.baseline)), plain)
		})
	}
}

// BenchmarkMarkedBytes counts what goes to the terminal for a frame in which the profits of three rows change, and the
// size of one row in each tenth frame, with changed cells marked and without.
func BenchmarkMarkedBytes(b *testing.B) {
	for _, marks := range []bool{false, true} {
		b.Run(fmt.Sprintf("marks=%t", marks), func(b *testing.B) {
			onProgram(b, func(o *Options) { o.Now, o.WithoutMarks = time.Now, !marks }, func(m *Model, p *tea.Program, out *counter) {
				random, before, frame := rand.New(rand.NewPCG(5, 6)), out.bytes.Load(), 0
				for ; b.Loop(); frame++ {
					w := &m.positions.Rows
					var rows []model.Position
					for i := range 3 {
						row, _ := m.store.View().At(w.Top() + random.IntN(w.Height()))
						row.SetNumber(model.UnrealisedPnl, model.AmountOf(anyProfit(random)))
						if i == 0 && frame%10 == 0 {
							row.SetNumber(model.OpenVolume, model.AmountOf(10_000+random.Int64N(80_000)))
						}
						rows = append(rows, row)
					}
					m.source.(*fakeSource).publish(updatesOf(all, rows...))
					time.Sleep(aFrame)
				}
				b.ReportMetric(float64(out.bytes.Load()-before)/float64(frame), "B/frame")
			})
			b.ReportMetric(0, "ns/op")
		})
	}
}
