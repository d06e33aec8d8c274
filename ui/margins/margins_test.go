package margins

import (
	"context"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
	"blotter/ui/store"
)

var start = time.Unix(1_700_000_000, 0)

// noMargins are no records that were read before.
var noMargins = book.New(0).Margins()

// respond sends a request, and returns the response with a page of one record.
func respond(request *store.Request) store.Response {
	return request.Send(func(context.Context, model.PageRequest) (*model.Page, error) {
		key := model.MarginKey{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}, Asset: model.MakeID("a")}
		return &model.Page{Rows: []model.MarginLevels{{MarginKey: key}}, ReadAt: start}, nil
	})
}

// TestALateResponseIsIgnored: the request was cancelled by a newer one.
func TestALateResponseIsIgnored(t *testing.T) {
	pages := NewPages(t.Context(), model.Scope{}, 50, true)
	first := pages.FirstPage(start)
	newer := pages.Reverse(start)
	if pages.Handle(respond(first), noMargins, start) != nil || pages.page != nil {
		t.Error("the response to the first request is shown")
	}
	if pages.Handle(respond(newer), noMargins, start) == nil || pages.page == nil {
		t.Error("the response to the newer request is not shown")
	}
}

func TestResize(t *testing.T) {
	for _, test := range []struct {
		size   int
		up     bool
		want   int
		resize bool
	}{
		{50, true, 100, true}, {50, false, 20, true}, {30, true, 50, true}, {30, false, 20, true}, {5, false, 5, false}, {5, true, 10, true},
		{10, false, 10, false}, {1000, true, 1000, false}, {5000, true, 5000, false}, {5000, false, 1000, true},
	} {
		pages := NewPages(t.Context(), model.Scope{}, test.size, true)
		if resized := pages.Resize(test.up); resized != test.resize || pages.Size() != test.want {
			t.Errorf("%d, up %t: %t, %d", test.size, test.up, resized, pages.Size())
		}
	}
}

// TestLongTextsAreShortened: a service may send texts of megabytes, and each frame formats them again.
func TestLongTextsAreShortened(t *testing.T) {
	long := strings.Repeat("x", 1_000_000)
	record := model.MarginLevels{
		MarginKey:   model.MarginKey{Key: model.Key{Party: model.MakeID(long), Market: model.MakeID(long)}, Asset: model.MakeID(long)},
		Maintenance: model.ParseAmount(long), Release: model.ParseAmount(strings.Repeat("9", 1_000_000)), Timestamp: model.ParseAmount(long),
		MarginTexts: model.MarginTexts{long, long, long},
	}
	f := format.New(model.NewInstruments(nil, nil, nil), time.UTC, func(model.ID) int { return 2 }, false)
	for i, c := range cellsOf(&record, f, start) {
		if len(c.Text) > 1<<10 {
			t.Errorf("the cell of %s has %d bytes", tableColumns[i].Title, len(c.Text))
		}
	}
}

// TestIsolatedMarginInTheTable has no search and release level, and a mode.
func TestIsolatedMarginInTheTable(t *testing.T) {
	f := format.New(model.NewInstruments(nil, nil, nil), time.UTC, func(model.ID) int { return 2 }, false)
	words := func(mode string) string {
		record := model.MarginLevels{Maintenance: model.AmountOf(5), Initial: model.AmountOf(7), MarginTexts: model.MarginTexts{mode}}
		cells := cellsOf(&record, f, start)
		return cells[3].Text + " " + cells[4].Text + " " + cells[5].Text + " " + cells[6].Text + " " + cells[8].Text
	}
	if got := words("MARGIN_MODE_ISOLATED_MARGIN"); got != "5 – 7 – isolated" {
		t.Errorf("isolated margin is shown as %q", got)
	}
	for _, mode := range []string{"MARGIN_MODE_CROSS_MARGIN", ""} {
		if got := words(mode); got != "5 0 7 0 " {
			t.Errorf("mode %q is shown as %q", mode, got)
		}
	}
}

// TestPagesOfAnOlderNode: each request may reach another node. The pane does not go back to the records of one that is
// behind, and says so.
func TestPagesOfAnOlderNode(t *testing.T) {
	key := model.MarginKey{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}, Asset: model.MakeID("a")}
	page := func(height, at int64) *model.Page {
		return &model.Page{Rows: []model.MarginLevels{{MarginKey: key, Timestamp: model.AmountOf(at)}}, ReadAt: start, Block: model.Block{Height: height}}
	}
	positions := book.New(0)
	known := positions.Margins()
	pages := NewPages(t.Context(), model.Scope{}, 50, true)
	handle := func(request *store.Request, page *model.Page) {
		positions.MergeMargins(page)
		pages.Handle(request.Send(func(context.Context, model.PageRequest) (*model.Page, error) { return page, nil }), known, start)
	}
	want := func(why string, at int64, message string) {
		t.Helper()
		if got := pages.page.Rows[0].Timestamp; got != model.AmountOf(at) || pages.message != message {
			t.Errorf("%s, the record of %s is shown, and %q; want %d and %q", why, got, pages.message, at, message)
		}
	}
	behind := "A node that is 40 blocks behind has responded: newer records stay."
	handle(pages.FirstPage(start), page(100, 20))
	want("at first", 20, "")
	handle(pages.Again(start), page(60, 10))
	want("after a refresh by an older node", 20, behind)
	handle(pages.Again(start), &model.Page{ReadAt: start, Block: model.Block{Height: 60}}) // it has no record yet
	want("after a refresh by an older node", 20, behind)
	handle(pages.Reverse(start), page(60, 10))
	want("after turning to a page of an older node", 20, behind)
	handle(pages.Again(start), page(101, 30))
	want("after a refresh by a newer node", 30, "")
	merged := page(102, 10) // its block is the newest one, of another list
	merged.Places = make([]model.Place, 2)
	handle(pages.Again(start), merged)
	want("after a page with a list of an older node", 30, "")
	pages.Watch(model.Scope{Parties: []model.ID{model.MakeID("p")}}, start)
	handle(pages.FirstPage(start), page(60, 31))
	want("after another scope", 31, "")
}
