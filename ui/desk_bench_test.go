package ui

import (
	"io"
	"math/rand/v2"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"blotter/model"
	"blotter/model/book"
)

// BenchmarkBytesOfADesk counts what goes to a terminal of 120x40 with 256 colours in a second in which five updates
// change the profit of 4 of 30 positions each.
func BenchmarkBytesOfADesk(b *testing.B) {
	m, rows := benchmarkModel(6, 5, clockRuns)
	var desk []model.Position
	for row := range rows.All {
		desk = append(desk, row)
	}
	delta := book.Delta{Links: []model.Link{liveLink(all)}, Snapshots: []book.Snapshot{{Subscription: all, Rows: rows}}}
	m.source.(*fakeSource).publish(delta)
	keys, typed := io.Pipe()
	defer typed.Close()
	out, ended := &counter{}, make(chan struct{})
	p := tea.NewProgram(m, tea.WithInput(keys), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithWindowSize(120, 40),
		tea.WithColorProfile(colorprofile.ANSI256), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	go func() {
		defer close(ended)
		if _, err := p.Run(); err != nil {
			b.Error(err)
		}
	}()
	time.Sleep(2 * time.Second) // the view is made
	random := rand.New(rand.NewPCG(7, 8))
	second := func() {
		for range 5 {
			var changed []model.Position
			for _, row := range desk {
				if random.IntN(30) < 4 {
					row.SetNumber(model.UnrealisedPnl, model.AmountOf(anyProfit(random)-500_000_000))
					changed = append(changed, row)
				}
			}
			m.source.(*fakeSource).publish(updatesOf(all, changed...))
			time.Sleep(time.Second / 5)
		}
	}
	second()
	before, seconds := out.bytes.Load(), 0
	for b.Loop() {
		second()
		seconds++
	}
	b.ReportMetric(float64(out.bytes.Load()-before)/float64(seconds), "B/s")
	b.ReportMetric(0, "ns/op")
	p.Quit()
	<-ended
}
