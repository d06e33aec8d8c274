package ui

import (
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"blotter/model"
	"blotter/model/book"
)

// counter is a terminal that counts what is written to it.
type counter struct{ bytes, writes atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	c.writes.Add(1)
	return len(p), nil
}

// onProgram runs a million rows in a whole program, in the middle of their list, while do is done.
func onProgram(b *testing.B, change func(*Options), do func(m *Model, p *tea.Program, out *counter)) {
	m, rows := benchmarkModel(2000, 500, change)
	delta := book.Delta{Links: []model.Link{liveLink(all)}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: all, Rows: rows}}}
	m.source.(*fakeSource).publish(delta)
	keys, typed := io.Pipe()
	defer typed.Close()
	out := &counter{}
	p := tea.NewProgram(m, tea.WithInput(keys), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithWindowSize(160, 50),
		tea.WithColorProfile(colorprofile.ANSI), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, err := p.Run(); err != nil {
			b.Error(err)
		}
	}()
	time.Sleep(10 * time.Second) // the view is made
	p.Send(tea.KeyPressMsg{Code: tea.KeyPgDown})
	for range 40 {
		p.Send(tea.KeyPressMsg{Code: tea.KeyDown})
	}
	time.Sleep(time.Second)
	do(m, p, out)
	p.Quit()
	<-ended
}

// aFrame is long enough for a message to be on the terminal.
const aFrame = 40 * time.Millisecond

// BenchmarkBytes counts what goes to the terminal: for a frame in which 5% of the numbers on the screen and many others
// change, for a step of the cursor at the end of the screen, and for a second in which nothing happens.
func BenchmarkBytes(b *testing.B) {
	perFrame := func(b *testing.B, change func(m *Model, p *tea.Program)) {
		onProgram(b, func(*Options) {}, func(m *Model, p *tea.Program, out *counter) {
			before := out.bytes.Load()
			frames := 0
			for b.Loop() {
				change(m, p)
				time.Sleep(aFrame)
				frames++
			}
			b.ReportMetric(float64(out.bytes.Load()-before)/float64(frames), "B/frame")
		})
		b.ReportMetric(0, "ns/op")
	}
	b.Run("numbers", func(b *testing.B) {
		random := rand.New(rand.NewPCG(5, 6))
		perFrame(b, func(m *Model, p *tea.Program) {
			w := &m.positions.Rows
			rows := batch(m, random, 1000)
			for range 3 { // of 27 rows with 6 numbers each the profit, and the mark and the notional that follow
				row, _ := m.store.View().At(w.Top() + random.IntN(w.Height()))
				row.SetNumber(model.UnrealisedPnl, model.AmountOf(anyProfit(random)))
				rows = append(rows, row)
			}
			m.source.(*fakeSource).publish(updatesOf(all, rows...))
		})
	})
	b.Run("scroll", func(b *testing.B) {
		perFrame(b, func(_ *Model, p *tea.Program) { p.Send(tea.KeyPressMsg{Code: tea.KeyDown}) })
	})
	b.Run("nothing", func(b *testing.B) {
		for b.Loop() {
			onProgram(b, clockRuns, func(_ *Model, _ *tea.Program, out *counter) {
				bytes, writes := out.bytes.Load(), out.writes.Load()
				time.Sleep(5 * time.Second)
				b.ReportMetric(float64(out.bytes.Load()-bytes)/5, "B/s")
				b.ReportMetric(float64(out.writes.Load()-writes)/5, "writes/s")
			})
		}
		b.ReportMetric(0, "ns/op")
	})
}
