package ui

import (
	"math"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// The desk of the tests: its rows, on a day on which ETH has a loss.

var (
	desk1   = model.MakeID("1a" + strings.Repeat("d1", 31))
	desk2   = model.MakeID("2b" + strings.Repeat("d2", 31))
	desk3   = model.MakeID("3c" + strings.Repeat("d3", 31))
	nobody  = model.MakeID("a3f9" + strings.Repeat("00", 28) + "81c2")
	network = model.MakeID("network")

	ethMarket  = model.MakeID("e7" + strings.Repeat("01", 31))
	solMarket  = model.MakeID("50" + strings.Repeat("02", 31))
	btcMarket  = model.MakeID("b7" + strings.Repeat("03", 31))
	linkMarket = model.MakeID("71" + strings.Repeat("04", 31))
	dogeMarket = model.MakeID("d0" + strings.Repeat("05", 31))
	usdt       = model.MakeID("ee" + strings.Repeat("94", 31))
)

func deskInstruments() *model.Instruments {
	return model.NewInstruments(
		[]model.Party{{ID: desk1, Name: "desk-1"}, {ID: desk2, Name: "desk-2"}, {ID: desk3, Name: "desk-3"}},
		[]model.Market{
			{ID: ethMarket, Name: "ETH/USDT", Asset: usdt, PriceDecimals: 2, SizeDecimals: 3},
			{ID: solMarket, Name: "SOL/USDT", Asset: usdt, PriceDecimals: 3, SizeDecimals: 2},
			{ID: btcMarket, Name: "BTC/USDT", Asset: usdt, PriceDecimals: 1, SizeDecimals: 3},
			{ID: linkMarket, Name: "LINK/USDT", Asset: usdt, PriceDecimals: 3, SizeDecimals: 1},
			{ID: dogeMarket, Name: "DOGE/USDT", Asset: usdt, PriceDecimals: 5, SizeDecimals: 0},
		},
		[]model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}})
}

// position makes a position that was updated the given number of seconds ago.
func position(party, market model.ID, size, entry, unrealised, realised string, status model.Status, ago int) model.Position {
	p := model.Position{Key: model.Key{Party: party, Market: market}}
	p.SetNumber(model.OpenVolume, model.ParseAmount(size))
	p.SetNumber(model.AverageEntryPrice, model.ParseAmount(entry))
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(unrealised))
	p.SetNumber(model.RealisedPnl, model.ParseAmount(realised))
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(-time.Duration(ago)*time.Second).UnixNano()))
	p.SetStatus([]byte(model.AmountOf(int64(status)).String()))
	return p
}

// deskRows are the positions of the desk.
func deskRows() []model.Position {
	return []model.Position{
		position(desk1, ethMarket, "-10000", "341010", "-44920", "100210", model.StatusDistressed, 2),
		position(desk1, solMarket, "42000", "148220", "-13230", "8841", model.StatusUnspecified, 1),
		position(network, btcMarket, "-31", "639900", "-1265", "0", model.StatusUnspecified, 14*60),
		position(desk3, linkMarket, "25000", "14118", "21750", "-104402", model.StatusOrdersClosed, 3),
		position(nobody, dogeMarket, "-81000", "38410", "23085", "410", model.StatusUnspecified, 0),
		position(desk2, btcMarket, "1250", "641205", "34688", "1200", model.StatusUnspecified, 0),
		position(desk2, ethMarket, "0", "0", "0", "5210", model.StatusUnspecified, 3600),
		position(desk2, solMarket, "0", "0", "0", "-120", model.StatusUnspecified, 7200),
		position(desk3, btcMarket, "0", "0", "0", "0", model.StatusClosedOut, 86400),
		position(desk3, dogeMarket, "0", "0", "0", "1210", model.StatusUnspecified, 90000),
	}
}

// all is the subscription of a screen that watches everything.
var all = model.Subscription{}

// watchAll has a screen watch everything.
func watchAll(o *Options) { o.Scope = model.Scope{} }

func rowsOf(positions []model.Position) *book.Rows {
	rows := book.NewRows()
	for i := range positions {
		rows.Put(&positions[i])
	}
	return rows
}

// liveLink is a link whose last message came just now.
func liveLink(s model.Subscription) model.Link {
	now := time.Now()
	return model.Link{
		Subscription: s, Phase: model.Live, Address: "https://node.example", Committed: true, MessageAt: now, VerifiedAt: now,
	}
}

// whole is a snapshot with its link, and an audit that finds nothing.
func whole(s model.Subscription, positions ...model.Position) book.Delta {
	return book.Delta{
		Links:     []model.Link{liveLink(s)},
		Snapshots: []book.Snapshot{{AsIs: true, Subscription: s, Rows: rowsOf(positions), Told: math.MaxInt64}}, // all margin records count
		Audits:    []book.AuditPage{{Subscription: s, Positions: positions, First: true, Last: true, IsBelieved: true}},
	}
}

// deskDelta is the whole desk, each party under its subscription.
func deskDelta(s *screen) book.Delta {
	var delta book.Delta
	for _, subscription := range s.m.store.Subscriptions() {
		var rows []model.Position
		for _, p := range deskRows() {
			if p.Party == subscription.Party {
				rows = append(rows, p)
			}
		}
		one := whole(subscription, rows...)
		delta.Links = append(delta.Links, one.Links...)
		delta.Snapshots = append(delta.Snapshots, one.Snapshots...)
		delta.Audits = append(delta.Audits, one.Audits...)
	}
	return delta
}

func record(party, market model.ID, ago int, levels ...int64) model.MarginLevels {
	return model.MarginLevels{
		MarginKey:   model.MarginKey{Key: model.Key{Party: party, Market: market}, Asset: usdt},
		Maintenance: model.AmountOf(levels[0]), Search: model.AmountOf(levels[1]),
		Initial: model.AmountOf(levels[2]), Release: model.AmountOf(levels[3]),
		Timestamp: model.AmountOf(time.Now().Add(-time.Duration(ago) * time.Second).UnixNano()),
	}
}

// deskRecords are the margin levels of the desk.
func deskRecords() []model.MarginLevels {
	return []model.MarginLevels{
		record(desk1, ethMarket, 4, 120000, 132000, 144000, 168000),
		record(desk2, btcMarket, 4, 402487, 442736, 482984, 563482),
		record(desk3, linkMarket, 11, 177562, 195318, 213075, 248587),
		record(desk1, solMarket, 120, 310600, 341660, 372720, 434840),
	}
}

// deskPage returns the response to a request for the desk's margin levels.
func deskPage(request model.PageRequest) *model.Page {
	page := &model.Page{ReadAt: time.Now()}
	for _, r := range deskRecords() {
		in := request.Scope
		if (len(in.Parties) == 0 || contains(in.Parties, r.Party)) && (len(in.Markets) == 0 || contains(in.Markets, r.Market)) {
			page.Rows = append(page.Rows, r)
		}
	}
	return page
}

func contains(ids []model.ID, id model.ID) bool {
	for _, each := range ids {
		if each == id {
			return true
		}
	}
	return false
}
