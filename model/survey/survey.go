package survey

import (
	"cmp"
	"slices"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// Survey has the largest exposures and the largest changes of PnL of the positions of a view, for each asset: amounts
// of two assets are never added or compared.
type Survey struct {
	Assets []Asset // the assets with the most positions, the one with the most first
}

// Asset is the survey of the positions that settle in one asset.
type Asset struct {
	Asset   model.ID
	Moves   []Move     // the largest changes of PnL, the largest first
	Moved   int        // how many positions have moved
	Changes Changes    // of the PnL of all positions
	Markets []Exposure // the largest first, 1,000 at most
	Parties []Exposure
	Total   Exposure // of all positions, without an identifier and sizes
	LeftOut int      // open positions without an estimate of their notional
}

// Move is how much the PnL of a position has changed since the baseline: realised and unrealised together, so that
// taking a profit is not a move.
type Move struct {
	model.Key
	Change model.Amount // in the decimals of the asset
	IsNew  bool         // the position did not exist
}

// Changes are how much the PnL of positions has changed since the baseline, in two parts, in the decimals of the asset.
type Changes struct {
	Price      model.Amount // of positions that nothing but the price can have changed
	Others     model.Amount // of positions that are new, or whose size or realised PnL has changed: it is not split
	OthersRows int          // how many these are
}

// Exposure is the estimated notional and the unrealised PnL of all open positions in a market or of a party, in the
// decimals of the asset.
type Exposure struct {
	ID          model.ID
	Gross       model.Amount // of long and short positions together
	Net         model.Amount // of long positions less that of short ones
	Long, Short model.Amount // that of short positions is negative
	Profit      model.Amount
	// NetSize and GrossSize are sums of sizes, in the decimals of the market. Only a market has them.
	NetSize, GrossSize model.Amount
}

// The bounds of a survey.
const (
	surveyedAssets = 8
	surveyedMoves  = 50
	surveyedLarge  = 1000 // markets, and parties
)

// Of surveys all rows in the scope of a view, whatever its filter hides. It reads every row, so a command makes it:
// meanwhile the book must not change.
func Of(v *view.View) *Survey {
	s := surveyor{baseline: v.Baseline(), instruments: v.Instruments()}
	for _, total := range v.Totals() {
		if !total.Asset.IsZero() && len(s.assets) < surveyedAssets {
			s.assets = append(s.assets, &assetSurvey{asset: total.Asset, decimals: s.instruments.Asset(total.Asset).Decimals})
		}
	}
	for p := range v.InScope {
		s.add(&p)
	}
	result := &Survey{}
	for _, a := range s.assets {
		markets, parties := exposures(a.markets, a.decimals), exposures(a.parties, a.decimals)
		result.Assets = append(result.Assets, Asset{
			Asset: a.asset, Moves: a.moves.all(), Moved: a.moved, LeftOut: a.leftOut,
			Changes: Changes{Price: a.price.Amount(), Others: a.others.Amount(), OthersRows: a.othersRows}, Total: sumOf(markets),
			Markets: markets[:min(len(markets), surveyedLarge)], Parties: parties[:min(len(parties), surveyedLarge)],
		})
	}
	return result
}

// surveyor makes a survey.
type surveyor struct {
	baseline    *book.Baseline
	instruments *model.Instruments
	assets      []*assetSurvey
	markets     map[model.ID]surveyedMarket
}

type assetSurvey struct {
	asset            model.ID
	decimals         int
	moves            largestMoves
	moved, leftOut   int
	price, others    model.Sum // see Changes
	othersRows       int
	markets, parties map[model.ID]*exposure
}

// surveyedMarket is what is known of a market.
type surveyedMarket struct {
	of    *assetSurvey // nil: it is not surveyed
	scale int          // the decimals of its sizes and prices together; Unscaled if they are not known
}

// market returns what is known of a market. It is looked up once.
func (s *surveyor) market(id model.ID) surveyedMarket {
	m, ok := s.markets[id]
	if ok {
		return m
	}
	known := s.instruments.Market(id)
	m.scale = model.Unscaled
	if i := slices.IndexFunc(s.assets, func(a *assetSurvey) bool { return a.asset == known.Asset }); i >= 0 {
		m.of = s.assets[i]
		if known.SizeDecimals >= 0 && known.PriceDecimals >= 0 && m.of.decimals >= 0 {
			m.scale = known.SizeDecimals + known.PriceDecimals
		}
	}
	if s.markets == nil {
		s.markets = make(map[model.ID]surveyedMarket)
	}
	s.markets[id] = m
	return m
}

func (s *surveyor) add(p *model.Position) {
	m := s.market(p.Market)
	if m.of == nil {
		return
	}
	m.of.addMove(p, s.baseline)
	switch {
	case !p.IsOpen():
	case m.scale == model.Unscaled || !canBeEstimated(p):
		m.of.leftOut++
	default:
		addExposure(&m.of.markets, p.Market, p, m.scale).sizes.add(p.Number(model.OpenVolume))
		addExposure(&m.of.parties, p.Party, p, m.scale)
	}
}

// canBeEstimated reports whether the numbers of a position can be added to an exposure.
func canBeEstimated(p *model.Position) bool {
	return p.Number(model.OpenVolume).IsInteger() && p.Number(model.AverageEntryPrice).IsInteger() && !p.Number(model.UnrealisedPnl).Packed().IsText()
}

func (a *assetSurvey) addMove(p *model.Position, baseline *book.Baseline) {
	before, ok := baseline.Row(p.Key)
	if !ok {
		return
	}
	addTo := func(sum *model.Sum) {
		sum.Add(p.Number(model.UnrealisedPnl))
		sum.Add(p.Number(model.RealisedPnl))
		sum.Subtract(before.Number(model.UnrealisedPnl))
		sum.Subtract(before.Number(model.RealisedPnl))
	}
	var change model.Sum
	addTo(&change)
	if change == (model.Sum{}) || change.LeftOut() != 0 || !before.Number(model.UnrealisedPnl).IsInteger() || !before.Number(model.RealisedPnl).IsInteger() {
		return
	}
	a.moved++
	if before.IsOnlyPrice(p) {
		addTo(&a.price)
	} else {
		addTo(&a.others)
		a.othersRows++
	}
	magnitude, _ := change.Magnitude()
	a.moves.add(sumMove{key: p.Key, change: change, magnitude: magnitude, isNew: before.IsNew})
}

// sumMove is a move while the largest are searched.
type sumMove struct {
	key       model.Key
	change    model.Sum
	magnitude [3]uint64
	isNew     bool
}

// compare orders moves: the largest first, equal ones by their keys.
func (m *sumMove) compare(other *sumMove) int {
	for limb := len(m.magnitude) - 1; limb >= 0; limb-- {
		if c := cmp.Compare(other.magnitude[limb], m.magnitude[limb]); c != 0 {
			return c
		}
	}
	return m.key.Compare(other.key)
}

// largestMoves are the largest moves of those that were added, the largest first.
type largestMoves []sumMove

func (l *largestMoves) add(m sumMove) {
	if n := len(*l); n == surveyedMoves {
		if (*l)[n-1].compare(&m) <= 0 {
			return
		}
		*l = (*l)[:n-1]
	}
	at, _ := slices.BinarySearchFunc(*l, m, func(a, b sumMove) int { return a.compare(&b) })
	*l = slices.Insert(*l, at, m)
}

func (l largestMoves) all() []Move {
	var moves []Move
	for _, m := range l {
		moves = append(moves, Move{m.key, m.change.Amount(), m.isNew})
	}
	return moves
}
