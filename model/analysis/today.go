package analysis

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// Today is what the positions in the scope of a view have changed since the baseline of the day, for each asset: the
// sum of the changes of positions, also of those that are no longer listed.
type Today struct {
	Of       *book.Book // whose rows were read; nil if there is no baseline of the day
	At       time.Time  // when that was
	Listings int        // of the book then: see book.Baselines.Listings
	Scope    model.Scope
	In       *model.Instruments
	Filter   string
	Assets   []TodayOfAsset // the asset with the most positions first
	// Parties are what each party has in each asset; nil if these are more than MaxParties, or not known.
	Parties map[PartyAsset]*TodayOfParty
}

// MaxParties is how many parties, each in each asset, are counted by themselves at most.
const MaxParties = 1000

// PartyAsset is a party, and one of the assets in which its positions settle.
type PartyAsset struct{ Party, Asset model.ID }

// TodayOfParty is what the positions of a party that settle in one asset have changed, and what they have: the last
// numbers of those that are no longer listed are in both.
type TodayOfParty struct {
	TodaySums
	Total model.Sum // unrealised and realised PnL together
}

// TodayOfAsset is the sum of the changes of the positions that settle in one asset.
type TodayOfAsset struct {
	Asset model.ID
	TodaySums
	Matching TodaySums // of the listed positions that match the filter of the view; empty without a filter
	Total    TodayTotal
	Rows     int
}

// TodaySums are sums of changes since the baseline of the day.
type TodaySums struct {
	PnL      model.Sum // unrealised and realised together
	Realised model.Sum
	Since    time.Time // when the earliest numbers were taken that it counts from; zero if there are none
	LeftOut  int       // positions whose change is not known
}

// TodayTotal has the totals of all listed positions when they were read.
type TodayTotal struct{ PnL, Realised model.Sum }

// Asset returns what an asset has changed, nil if that is not known.
func (t *Today) Asset(id model.ID) *TodayOfAsset {
	if i := slices.IndexFunc(t.Assets, func(a TodayOfAsset) bool { return a.Asset == id }); i >= 0 {
		return &t.Assets[i]
	}
	return nil
}

// TodayOf returns what the positions in the scope of a view, as it is at a time, have changed since the baseline of the
// day. It reads every row, so a command makes it: meanwhile the book must not change.
func TodayOf(v *view.View, at time.Time) *Today {
	baselines := v.Book().Baselines()
	t := &Today{At: at, Listings: baselines.Listings(), Scope: v.Scope(), In: v.Instruments(), Filter: v.Filter.Text}
	if baselines.Day() == nil {
		return t
	}
	t.Of = v.Book()
	scope := v.Scope()
	c := todayCounter{baselines.Day(), v.Instruments(), make(map[model.ID]*TodayOfAsset), make(map[model.ID]todayMarket),
		make(map[PartyAsset]*TodayOfParty)}
	for p := range v.InScope {
		if of, decimals := c.market(p.Market); of != nil {
			of.Rows++
			of.Total.addPosition(&p)
			c.addPosition(&p, decimals, &of.TodaySums, c.party(&p, of.Asset))
		}
	}
	if v.Filter.Text != "" {
		for p := range view.MatchingOf(v) {
			if of, decimals := c.market(p.Market); of != nil {
				c.addPosition(&p, decimals, &of.Matching)
			}
		}
	}
	for p := range baselines.Unlisted().All {
		if of, decimals := c.market(p.Market); of != nil && scope.Covers(p.Key) {
			c.addPosition(&p, decimals, &of.TodaySums, c.party(&p, of.Asset))
		}
	}
	for market, sum := range baselines.Unlisted().More {
		if of, _ := c.market(market); of != nil && scope.Covers(model.Key{Market: market}) {
			of.PnL.AddSum(sum.Unrealised)
			of.PnL.AddSum(sum.Realised)
			of.Realised.AddSum(sum.Realised)
			c.parties = nil // it is not known whose they are
		}
	}
	t.Parties = c.parties
	for _, of := range c.assets {
		t.Assets = append(t.Assets, *of)
	}
	slices.SortFunc(t.Assets, func(a, b TodayOfAsset) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Asset.Compare(b.Asset))
	})
	return t
}

// todayCounter makes a Today.
type todayCounter struct {
	day         *book.Baseline
	instruments *model.Instruments
	assets      map[model.ID]*TodayOfAsset
	markets     map[model.ID]todayMarket
	parties     map[PartyAsset]*TodayOfParty // nil if there are too many
}

type todayMarket struct {
	of       *TodayOfAsset // nil if the asset is not known
	decimals int
}

// market returns the sums of the asset that a market settles in, nil if that is not known, and its decimals.
func (c *todayCounter) market(id model.ID) (*TodayOfAsset, int) {
	m, ok := c.markets[id]
	if !ok {
		m.decimals = c.instruments.Decimals(model.UnrealisedPnl, id)
		if asset := c.instruments.Market(id).Asset; !asset.IsZero() {
			if c.assets[asset] == nil {
				c.assets[asset] = &TodayOfAsset{Asset: asset}
			}
			m.of = c.assets[asset]
		}
		c.markets[id] = m
	}
	return m.of, m.decimals
}

func (t *TodayTotal) addPosition(p *model.Position) {
	t.PnL.Add(p.Number(model.UnrealisedPnl))
	t.PnL.Add(p.Number(model.RealisedPnl))
	t.Realised.Add(p.Number(model.RealisedPnl))
}

// party returns the sums of the party of a position, to which it adds what the position has; nil if there are too many.
func (c *todayCounter) party(p *model.Position, asset model.ID) *TodaySums {
	key := PartyAsset{p.Party, asset}
	of := c.parties[key]
	if of == nil {
		if len(c.parties) >= MaxParties {
			c.parties = nil
		}
		if c.parties == nil {
			return nil
		}
		of = new(TodayOfParty)
		c.parties[key] = of
	}
	of.Total.Add(p.Number(model.UnrealisedPnl))
	of.Total.Add(p.Number(model.RealisedPnl))
	return &of.TodaySums
}

// addPosition adds the change of a position, in an asset with these decimals, to each of some sums; nil is none.
func (c *todayCounter) addPosition(p *model.Position, decimals int, to ...*TodaySums) {
	before, ok := c.day.Row(p.Key)
	pnl, realised, isKnown := before.PnLChange(p, decimals)
	for _, sums := range to {
		switch {
		case sums == nil:
		case !ok || !isKnown:
			sums.LeftOut++
		default:
			sums.PnL.AddSum(pnl)
			sums.Realised.AddSum(realised)
			sums.noteSince(&before)
		}
	}
}

// noteSince notes from when on a position counts. One that is new counts from 0, whenever that is.
func (t *TodaySums) noteSince(before *book.BaselineRow) {
	if !before.IsNew && !before.At.IsZero() && (t.Since.IsZero() || before.At.Before(t.Since)) {
		t.Since = before.At
	}
}
