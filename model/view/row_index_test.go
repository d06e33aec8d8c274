package view

import (
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view/sorting"
)

// deskRows returns the rows of a view of six positions, in the order of their markets. The filter leaves out what is
// short.
func deskRows(by Grouping, showClosed bool) *rowIndex {
	rows := book.NewRows()
	for _, each := range []string{"p b 10", "p c -5", "p d 0", "p f 4", "q a 0", "q e 3"} {
		words := strings.Fields(each)
		p := model.Position{Key: model.Key{Party: model.MakeID(words[0]), Market: model.MakeID(words[1])}}
		p.SetNumber(model.OpenVolume, model.ParseAmount(words[2]))
		rows.Put(&p)
	}
	b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows, NotAfter: notAfter})
	f := Filter{Text: "side:long|side:flat", ShowClosed: showClosed}
	v := NewGrouped(b, model.Scope{}, f, Order{Column: MarketColumn}, Groups{By: by}, model.NewInstruments(nil, nil, nil))
	return &v.rowIndex
}

// find returns the row of a market.
func (r *rowIndex) find(market string) (sorting.Entry, model.Position) {
	for e := range r.index.All {
		if p := r.encoder.Position(e); p.Market == model.MakeID(market) {
			return e, p
		}
	}
	panic("there is no row of " + market)
}

// shownLines returns the markets of the rows that are shown, line by line, with # for a heading.
func (r *rowIndex) shownLines() string {
	var lines strings.Builder
	for i := 0; ; i++ {
		e, heading, ok := r.rowAt(i)
		switch {
		case !ok:
			return lines.String()
		case heading != nil:
			lines.WriteString("#")
		default:
			p := r.encoder.Position(e)
			lines.WriteString(p.Market.String())
		}
	}
}

// counted is what the rows are counted as.
type counted struct {
	shown, hiddenAsClosed, filteredOut, open, inTotals int
}

func (r *rowIndex) counted() counted {
	of := counted{r.counts.rows[shown], r.counts.rows[hiddenAsClosed], r.counts.rows[filteredOut], r.counts.open, 0}
	for _, total := range r.counts.totals {
		of.inTotals += total.Rows
	}
	return of
}

// TestARowThatIsRemovedIsInNoCount, and is in its place again when it is inserted. A count of all rows agrees.
func TestARowThatIsRemovedIsInNoCount(t *testing.T) {
	for _, c := range []struct {
		market    string
		by        Grouping
		all, left string // the lines
		counted   counted
	}{
		{"b", Ungrouped, "bef", "ef", counted{2, 2, 1, 3, 5}},
		{"c", Ungrouped, "bef", "bef", counted{3, 2, 0, 3, 5}},
		{"d", Ungrouped, "bef", "bef", counted{3, 1, 1, 4, 5}},
		{"b", GroupByParty, "#bf#e", "#e#f", counted{2, 2, 1, 3, 5}}, // the group of its first row is now the last
		{"e", GroupByParty, "#bf#e", "#bf", counted{2, 2, 1, 3, 5}},
		{"d", GroupByParty, "#bf#e", "#bf#e", counted{3, 1, 1, 4, 5}},
	} {
		r := deskRows(c.by, false)
		all := counted{3, 2, 1, 4, 6}
		is := func(when, lines string, want counted) {
			t.Helper()
			if got := r.shownLines(); got != lines || r.counted() != want {
				t.Errorf("%s, %s: the lines are %q, want %q; counted %+v, want %+v", c.market, when, got, lines, r.counted(), want)
			}
		}
		is("at first", c.all, all)
		e, p := r.find(c.market)
		r.remove(e, &p)
		r.repositionGroup(e)
		is("removed", c.left, c.counted)
		if r.groups == nil { // a count of all rows is in new groups
			r.countAll()
			is("removed, and all are counted", c.left, c.counted)
		}
		r.insert(e, &p)
		r.repositionGroup(e)
		is("inserted", c.all, all)
	}
}

// TestWhyARowIsHidden: a row that the filter leaves out is not one that is hidden because it is closed.
func TestWhyARowIsHidden(t *testing.T) {
	for showClosed, want := range map[bool]string{
		false: "a hidden as closed, b shown, c filtered out, d hidden as closed, e shown, f shown",
		true:  "a shown, b shown, c filtered out, d shown, e shown, f shown",
	} {
		r := deskRows(Ungrouped, showClosed)
		var all []string
		for _, market := range strings.Split("abcdef", "") {
			e, _ := r.find(market)
			all = append(all, market+" "+[visibilities]string{"shown", "hidden as closed", "filtered out"}[r.visibilityOf(e)])
		}
		if got := strings.Join(all, ", "); got != want {
			t.Errorf("closed ones shown %t: %s, want %s", showClosed, got, want)
		}
	}
}

// TestARowThatIsShownAgainIsInItsPlace, and so is its group.
func TestARowThatIsShownAgainIsInItsPlace(t *testing.T) {
	for by, want := range map[Grouping][]string{Ungrouped: {"bef", "abef", "bef"}, GroupByParty: {"#bf#e", "#ae#bf", "#bf#e"}} {
		r := deskRows(by, false)
		e, p := r.find("a")
		change := func(before, after visibility) {
			r.count(e, &p, before, -1)
			r.count(e, &p, after, +1)
			r.changeVisibility(e, before, after)
			r.repositionGroup(e)
		}
		lines := []string{r.shownLines()}
		r.encoder.Kept[p.Key] = true
		change(hiddenAsClosed, shown)
		lines = append(lines, r.shownLines())
		delete(r.encoder.Kept, p.Key)
		change(shown, hiddenAsClosed)
		if lines = append(lines, r.shownLines()); !slices.Equal(lines, want) {
			t.Errorf("the lines are %q, want %q", lines, want)
		}
	}
}
