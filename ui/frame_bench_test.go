package ui

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"charm.land/bubbles/v2/table"

	"blotter/model"
)

// BenchmarkTable draws the table of positions, and compares with a table of the library that has no more than the same
// rows, as texts.
func BenchmarkTable(b *testing.B) {
	m := millionScreen()
	l := m.layout()
	library, rows := libraryTable(m, l.left, l.positions)
	compare(b, "x-cheaper-than-bubbles/table",
		func() { library.SetRows(rows); _ = library.View() }, // draws the rows; View puts the title over them
		func() { m.drawPositions(l.left, l.positions) })
}

// compare measures two things in turns, because a machine is not equally fast all the time, and reports how many times
// longer the first takes in the median.
func compare(b *testing.B, unit string, one, other func()) {
	b.Helper()
	var first, second []time.Duration
	for b.Loop() {
		first = append(first, timed(one))
		second = append(second, timed(other))
	}
	slices.Sort(first)
	slices.Sort(second)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(second[len(second)/2].Nanoseconds()), "ns/median")
	b.ReportMetric(float64(first[len(first)/2])/float64(second[len(second)/2]), unit)
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// libraryTable is the same rows in a table of bubbles.
func libraryTable(m *Model, width, height int) (table.Model, []table.Row) {
	var rows []table.Row
	for place := m.positions.window.top; len(rows) < height-1; place++ {
		var row table.Row
		p := m.data.view.At(place)
		for _, cell := range m.positionCells(p, ageOf(p.Number(model.UpdatedAt), m.now())) {
			row = append(row, cell.text)
		}
		rows = append(rows, row)
	}
	var columns []table.Column
	for _, c := range positionColumns {
		columns = append(columns, table.Column{Title: c.title, Width: 14})
	}
	return table.New(table.WithColumns(columns), table.WithRows(rows), table.WithWidth(width), table.WithHeight(height)), rows
}

// BenchmarkFrame takes a batch of 1,000 changed rows among a million and draws the screen, and compares with the same
// among a thousand rows.
func BenchmarkFrame(b *testing.B) {
	large, small := frames(millionScreen()), frames(thousandScreen())
	compare(b, "x-of-1000-rows", large, small)
}

// frames returns what makes one frame after the other of changes that are there.
func frames(m *Model) func() {
	random := rand.New(rand.NewPCG(3, 4))
	var changes []model.Delta
	for range 100 {
		changes = append(changes, updatesOf(all, batch(m, random, 1000)...))
	}
	i := 0
	return func() {
		m.pull.cancel = func() {}
		m.Update(deltaMsg{delta: changes[i%len(changes)]})
		m.View()
		i++
	}
}

// BenchmarkView draws the whole screen of a million rows.
func BenchmarkView(b *testing.B) {
	m := millionScreen()
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}

// BenchmarkNarrow narrows a million rows by what is typed, as the commands do, to what the screen shows next.
func BenchmarkNarrow(b *testing.B) {
	m := millionScreen()
	d := m.data
	d.filter = model.Filter{Text: "c12"}
	for b.Loop() {
		d.prepared()
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/key")
}
