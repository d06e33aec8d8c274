package view

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
)

func TestComplete(t *testing.T) {
	party := func(name string) model.Party { return model.Party{ID: model.MakeID("id of " + name), Name: name} }
	asset := model.Asset{ID: model.MakeID("usd"), Symbol: "USD", Decimals: 2}
	market := model.Market{ID: model.MakeID("btc"), Name: "BTC/USD", Asset: asset.ID, PriceDecimals: 1, SizeDecimals: 1}
	in := model.NewInstruments([]model.Party{party("desk-10"), party("Desk-2"), party("two words"), party("a|b")}, []model.Market{market}, []model.Asset{asset})
	view := New(book.New(0), model.Scope{}, Filter{}, Order{}, in)
	for _, id := range []model.ID{model.MakeID("f00"), party("desk-10").ID} {
		merge(view, updateOf(model.Subscription{}, model.Position{Key: model.Key{Party: id, Market: market.ID}}))
	}
	for text, want := range map[string]struct {
		start      int
		candidates []string
	}{
		"eth !M":            {5, []string{"maintenance", "mark", "market:"}},
		"eth uPnL/":         {4, []string{"upnl/mm"}},
		"x|st":              {2, []string{"status:"}},
		"nothing":           {0, nil},
		`"par`:              {0, nil},
		"party:":            {6, []string{`"a|b"`, `"two words"`, "Desk-2", "desk-10", "f00"}},
		"party:=DESK-":      {7, []string{"Desk-2", "desk-10"}},
		`!party:"two w`:     {7, []string{`"two words"`}},
		"party:x|market:b":  {15, []string{"BTC/USD"}},
		"asset:":            {6, []string{"USD"}},
		"status:d":          {7, []string{"distressed"}},
		"status:c":          {7, []string{`"closed out"`}},
		"side:":             {5, []string{"flat", "long", "short"}},
		"size>":             {5, nil},
		"statis:":           {0, nil},
		"size>5 market:btc": {14, []string{"BTC/USD"}},
		`"a b" !par`:        {7, []string{"party:"}},
		`party:"a b"|"two `: {12, []string{`"two words"`}},
	} {
		start, got := filter.Complete(text, view.Names())
		if start != want.start || !slices.Equal(got, want.candidates) {
			t.Errorf("%q: %q from %d, want %q from %d", text, got, start, want.candidates, want.start)
		}
		for _, candidate := range got { // as a filter, a candidate matches its own name
			var wrong *filter.Error
			if _, err := filter.Parse(text[:start] + candidate); errors.As(err, &wrong) && !wrong.Unfinished {
				t.Errorf("%q with %q: %v", text, candidate, err)
			}
		}
	}
}

// TestCompletedTextsMatch completes identifiers with characters that cannot be typed: each candidate matches its own
// row and no other.
func TestCompletedTextsMatch(t *testing.T) {
	ids := []string{"", "a\u202eb", "\x1b[31mred", "שלום\u200fx", "line\nbreak", "no\u00a0break", `quote"d`, "a|b", "<U+0041>", "é=e\u0301"}
	viewOf := func(text string) *View {
		view := New(book.New(0), model.Scope{}, Filter{Text: text, ShowClosed: true}, Order{}, model.NewInstruments(nil, nil, nil))
		for _, id := range ids {
			merge(view, updateOf(model.Subscription{}, model.Position{Key: model.Key{Party: model.MakeID(id), Market: model.MakeID("btc")}}))
		}
		return view
	}
	_, candidates := filter.Complete("party:", viewOf("").Names())
	matched := make(map[model.ID]bool)
	for _, candidate := range candidates {
		if typed := strings.ReplaceAll(candidate, "שלום", ""); model.Neutralise(typed) != typed {
			t.Errorf("%q cannot be typed", candidate)
		}
		for _, text := range []string{"party:=" + candidate, "party:nobody|=" + candidate, filter.Exactly("party", "nobody", candidate)} {
			view := viewOf(text)
			for p := range view.Shown {
				matched[p.Party] = true
			}
			if view.Len() != 1 {
				t.Errorf("%q matches %d rows", text, view.Len())
			}
		}
	}
	if len(matched) != len(ids) {
		t.Errorf("%d of %d rows are matched", len(matched), len(ids))
	}
}
