package ui

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	librarytable "charm.land/bubbles/v2/table"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/layout"
	"blotter/ui/store"
)

// BenchmarkTable draws the table of positions, from the rows of the view to lines, and compares with the table of
// bubbles, which is given the texts of the same rows. Nothing is kept from one frame to the next in either.
//
// all: every number on the screen changes. some: the numbers of 5% of the rows change. none: no number changes, so the
// table of bubbles is not given any rows.
func BenchmarkTable(b *testing.B) {
	for _, c := range []struct {
		name  string
		share int // one row of this number changes; 0: none
	}{{"all", 1}, {"some", 20}, {"none", 0}} {
		b.Run(c.name, func(b *testing.B) {
			m := millionScreen()
			l := m.parts()
			library := libraryTable(m.store.View(), l.Left, l.Positions)
			frames := changesOnScreen(m, c.share)
			drawLibrary := func() {
				if c.share > 0 {
					library.SetRows(libraryRows(m))
				}
				_ = library.View()
			}
			library.SetRows(libraryRows(m))
			compare(b, "x-cheaper-than-bubbles/table", frames, drawLibrary, func() { m.positions.Draw(m.contextOf(layout.Positions), l.Size(layout.Positions)) })
		})
	}
}

// changesOnScreen returns what changes the numbers of one row in share on the screen. The rows stay where they are:
// they are sorted by market.
func changesOnScreen(m *Model, share int) func() {
	w := &m.positions.Rows
	var frames [2][]model.Position
	for place := w.Top(); share > 0 && place < w.Top()+w.Height(); place += share {
		for i := range frames {
			p, _ := m.store.View().At(place)
			for _, field := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl, model.RealisedPnl} {
				n, _ := p.Number(field).Int64()
				p.SetNumber(field, model.AmountOf(n+int64(i)+1))
			}
			frames[i] = append(frames[i], p)
		}
	}
	i := 0
	return func() {
		delta, view := book.Delta{Updates: []book.Updates{{Subscription: all, Positions: frames[i%2]}}}, m.store.View()
		for changes, ok := delta.ApplyTo(view.Book()); ok; changes, ok = delta.ApplyTo(view.Book()) {
			view.Apply(changes)
		}
		i++
	}
}

// compare measures two things in turns, because a machine is not equally fast all the time, and reports how many times
// longer the first takes in the median. What comes before both is not measured.
func compare(b *testing.B, unit string, before, one, other func()) {
	b.Helper()
	var first, second []time.Duration
	for b.Loop() {
		before()
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

// libraryTable is a table of bubbles with the columns of the positions table.
func libraryTable(v *view.View, width, height int) librarytable.Model {
	var titled []librarytable.Column
	for _, c := range columns.Default().Shown(width, v) {
		titled = append(titled, librarytable.Column{Title: columns.Title(c), Width: 14})
	}
	return librarytable.New(librarytable.WithColumns(titled), librarytable.WithWidth(width), librarytable.WithHeight(height))
}

// libraryRows are the texts of the rows on the screen.
func libraryRows(m *Model) []librarytable.Row {
	w := &m.positions.Rows
	columns := m.positions.Columns().Shown(m.layout.Screen.Width, m.store.View())
	var rows []librarytable.Row
	for place := w.Top(); place < w.Top()+w.Height(); place++ {
		var row librarytable.Row
		p, _ := m.store.View().At(place)
		for _, cell := range m.positions.Cells(m.context(), &p, columns, m.store.Now()) {
			row = append(row, cell.Text)
		}
		rows = append(rows, row)
	}
	return rows
}

// BenchmarkFrame takes a batch of 1,000 changed rows among a million and draws the screen, and compares with the same
// among a thousand rows.
func BenchmarkFrame(b *testing.B) {
	large, small := frames(millionScreen()), frames(thousandScreen())
	compare(b, "x-of-1000-rows", func() {}, large, small)
}

// frames returns what makes one frame after the other of changes that are there. When a row comes again, it has another
// profit, and one row in twenty another size, which is an event.
func frames(m *Model) func() {
	random := rand.New(rand.NewPCG(3, 4))
	var changes, again []book.Delta
	for range 100 {
		rows := batch(m, random, 1000)
		changes = append(changes, updatesOf(all, rows...))
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].SetNumber(model.UnrealisedPnl, model.AmountOf(anyProfit(random)))
			if i%20 == 0 {
				rows[i].SetNumber(model.OpenVolume, model.AmountOf(10_000+random.Int64N(80_000)))
			}
		}
		again = append(again, updatesOf(all, rows...))
	}
	changes = append(changes, again...)
	i := 0
	return func() {
		d := changes[i%len(changes)]
		d.Updates = slices.Clone(d.Updates) // what was applied is removed from them
		m.Update(store.Received{Delta: d})
		m.View()
		i++
	}
}

// BenchmarkScreen draws the whole screen of a million rows.
func BenchmarkScreen(b *testing.B) {
	m := millionScreen()
	b.ReportAllocs()
	for b.Loop() {
		m.View()
	}
}

// BenchmarkNarrow narrows a million rows by what is typed, as the commands do, to what the screen shows next.
func BenchmarkNarrow(b *testing.B) {
	m := millionScreen()
	for name, text := range map[string]string{"word": "c12", "comparisons": "side:long upnl<-1000 m%<-20"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.store.View().Refiltered(view.Filter{Text: text})
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/key")
		})
	}
}

// BenchmarkFrameWith compares a frame among a thousand rows with the same without a part: groups in place of rows, the
// page of a position in place of all panes, the line of incidents on a screen that is one line higher, the backgrounds
// of cells that a terminal of 16 colours does not show.
func BenchmarkFrameWith(b *testing.B) {
	of := func(width, height int, group view.Grouping, messages ...tea.Msg) func() {
		m := benchmarkScreen(20, 50, func(o *Options) { o.Group = group })
		m.Update(tea.WindowSizeMsg{Width: width, Height: height})
		for _, each := range messages {
			m.Update(each)
		}
		return frames(m)
	}
	fewColours := tea.ColorProfileMsg{Profile: colorprofile.ANSI}
	for _, part := range []struct {
		name          string
		with, without func()
	}{
		{"groups", of(160, 50, view.GroupByParty), of(160, 50, view.Ungrouped)},
		{"detail", of(160, 50, view.Ungrouped, keyNamed("enter")), of(160, 50, view.Ungrouped)},
		{"incidents", of(200, 60, view.Ungrouped), of(200, 59, view.Ungrouped)},
		{"backgrounds", of(160, 50, view.Ungrouped), of(160, 50, view.Ungrouped, fewColours)},
	} {
		b.Run(part.name, func(b *testing.B) { compare(b, "x-of-without", func() {}, part.with, part.without) })
	}
}
