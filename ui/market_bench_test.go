package ui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/store"
	"blotter/ui/uitest"
)

// The benchmarks look at 2,000 parties in 500 markets on a screen of 160x50, and for comparison at 40 in 25 of them.

var (
	thousandScreen = sync.OnceValue(func() *Model { return benchmarkScreen(40, 25) })
	millionScreen  = sync.OnceValue(func() *Model { return benchmarkScreen(2000, 500) })
)

// benchmarkScreen is a screen of live rows that has the cursor on one of the first.
func benchmarkScreen(parties, markets int, change ...func(*Options)) *Model {
	m, rows := benchmarkModel(parties, markets, change...)
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	m.store.Start()
	type noMsg struct{} // that no part handles
	_, first := m.Update(noMsg{})
	show(m, first)
	_, prepare := m.Update(store.Received{Delta: book.Delta{
		Links: []model.Link{liveLink(all)}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: all, Rows: rows}},
	}})
	show(m, prepare)
	page := func(_ context.Context, request model.PageRequest) (*model.Page, error) { return deskPage(request), nil }
	pages := m.margins.Pages
	pages.Handle(pages.FirstPage(m.store.Now()).Send(page), m.store.Book().Margins(), m.store.Now())
	m.Update(noMsg{})
	m.positions.Rows.MoveTo(5)
	return m
}

// show runs commands until a view is complete, and shows it.
func show(m *Model, cmd tea.Cmd) {
	messages := make(chan tea.Msg, 100)
	uitest.Run(cmd, messages)
	for m.store.MakesView() {
		m.Update(<-messages)
	}
}

// benchmarkModel is a screen without rows, and rows for it. Its clock is stopped.
func benchmarkModel(parties, markets int, change ...func(*Options)) (*Model, *book.Rows) {
	var named []model.Market
	for i := range markets {
		id := model.MakeID(fmt.Sprintf("%064x", i+1))
		named = append(named, model.Market{ID: id, Name: fmt.Sprintf("C%d/USDT", i), Asset: usdt, PriceDecimals: 2, SizeDecimals: 3})
	}
	instruments := model.NewInstruments(nil, named, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 6}})
	random := rand.New(rand.NewPCG(1, 2))
	rows := book.NewRows()
	for _, pair := range random.Perm(parties * markets) {
		party := model.MakeID(fmt.Sprintf("%064x", pair/markets+1))
		p := position(party, named[pair%markets].ID, fmt.Sprint(10_000+random.IntN(80_000)), "341010", "", "88410200", 0, 1)
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(anyProfit(random)))
		rows.Put(&p)
	}
	now := time.Now()
	options := Options{Service: "mainnet", Instruments: instruments, Extent: store.Whole(0), Location: time.UTC, Now: func() time.Time { return now }}
	for _, each := range change {
		each(&options)
	}
	return New(context.Background(), newFakeSource(), options), rows
}

// clockRuns lets the clock of a benchmark run.
func clockRuns(o *Options) { o.Now = time.Now }

// anyProfit is a profit or a loss of some hundred units of the asset.
func anyProfit(random *rand.Rand) int64 { return 100_000_000 + random.Int64N(900_000_000) }

// batch is changes of the profit in rows of the screen's book, anywhere in it.
func batch(m *Model, random *rand.Rand, size int) []model.Position {
	var rows []model.Position
	for len(rows) < size {
		p, isRow := m.store.View().At(random.IntN(m.store.View().Lines()))
		if !isRow { // the heading of a group
			continue
		}
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(anyProfit(random)))
		rows = append(rows, p)
	}
	return rows
}
