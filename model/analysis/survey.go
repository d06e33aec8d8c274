package analysis

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// Survey has the largest exposures and the largest changes of PnL of the positions of a view, for each asset: amounts
// of two assets are never added or compared.
type Survey struct {
	At     time.Time // when the rows were read
	Assets []Asset   // the assets with the most positions, the one with the most first
}

// Asset returns the survey of an asset, nil if there is none.
func (s *Survey) Asset(id model.ID) *Asset {
	if i := slices.IndexFunc(s.Assets, func(a Asset) bool { return a.Asset == id }); i >= 0 {
		return &s.Assets[i]
	}
	return nil
}

// Asset is the survey of the positions that settle in one asset.
type Asset struct {
	Asset       model.ID
	Moves       []Move // the largest changes of PnL, the largest first
	Moved       int    // how many positions have moved
	Change      Change // of the PnL of all positions since the baseline
	UnsplitRows int    // how many positions have a change that is not split
	// Groups are the changes of the groups of the view, 10,000 at most. There are none if the view has a filter: groups
	// have only the rows that match, and a survey has all.
	Groups  map[model.ID]*Change
	Markets []Exposure // the largest first, 1,000 at most
	Parties []Exposure
	// OwnGroups are those of the own groups: a position counts in each that it is in. That of the positions in none has
	// no identifier. There are none without own groups.
	OwnGroups  []Exposure
	Shared     int      // positions that are in several own groups
	Total      Exposure // of all positions, without an identifier and sizes
	LeftOut    int      // open positions without an estimate of their notional
	Unreadable int      // those of the positions in LeftOut that have a number which cannot be added: they are in no sum

	// Maintenance is the sum of the maintenance margins of the open positions that have a margin record, of which there
	// are Recorded. Unrecorded ones have no ratio.
	Maintenance          model.Sum
	Recorded, Unrecorded int
	Grid                 Grid
	Shown                Figures // of the positions that the view shows

	cells map[model.Key]Exposure // of an own group in a market: see OwnCell
}

// Open returns how many positions are open.
func (a *Asset) Open() int { return a.Recorded + a.Unrecorded }

// OwnCell returns the exposure of the positions of an own group in a market, with their sizes, and false if none is
// open.
func (a *Asset) OwnCell(group, market model.ID) (Exposure, bool) {
	e, ok := a.cells[model.Key{Party: group, Market: market}]
	return e, ok
}

// Move is how much the PnL of a position has changed since the baseline: realised and unrealised together, so that
// taking a profit is not a move.
type Move struct {
	model.Key
	Change model.Amount
	IsNew  bool // the position did not exist
}

// compare orders moves in an asset with these decimals: the largest first, equal ones by their keys.
func (m *Move) compare(other *Move, decimals int) int {
	return cmp.Or(model.CompareMagnitudes(other.Change, m.Change, decimals), m.Key.Compare(other.Key))
}

// Exposure is the estimated notional and the unrealised PnL of all open positions in a market or of a party, in the
// decimals of the asset. The notional is only that of positions with an estimate.
type Exposure struct {
	ID          model.ID
	IsEstimated bool           // a position has an estimate of its notional
	Gross       model.Estimate // of long and short positions together
	Net         model.Estimate // of long positions less that of short ones
	Long, Short model.Estimate // that of short positions is negative
	Profit      model.Amount
	// NetSize and GrossSize are sums of sizes, in the decimals of the market. Only a market has them.
	NetSize, GrossSize model.Amount
	withoutProfit      int // positions whose profit cannot be added to decimals: see Sum.LeftOut
}

// The bounds of a survey.
const (
	surveyedAssets    = 8
	surveyedMoves     = 50
	surveyedExposures = 1000 // of markets, and of parties
	surveyedGroups    = 10_000
)

// SurveyOf surveys all rows in the scope of a view, whatever its filter hides, with what a log has of their trades
// since the baseline, at a time. It reads every row, so a command makes it: meanwhile the book and the log must not
// change.
func SurveyOf(v *view.View, trades *Log, at time.Time) *Survey {
	return surveyOf(v, trades, at, true, func(*model.Position) {})
}

// SurveyBefore surveys the same positions with the unrealised PnL that they have in the baseline, and counts no
// changes. A position that the baseline lacks keeps what it has.
func SurveyBefore(v *view.View, at time.Time) *Survey {
	return surveyOf(v, nil, at, false, func(p *model.Position) {
		if before, ok := v.Baseline().Row(p.Key); ok && !before.IsNew {
			p.SetNumber(model.UnrealisedPnl, before.Number(model.UnrealisedPnl))
		}
	})
}

// surveyOf surveys all rows in the scope of a view as set leaves them.
func surveyOf(v *view.View, trades *Log, at time.Time, countsChanges bool, set func(*model.Position)) *Survey {
	s := surveyor{
		baseline: v.Baseline(), trades: trades, countsChanges: countsChanges,
		instruments: v.Instruments(), markets: make(map[model.ID]surveyedMarket),
		partyGroups: make(map[model.ID]model.GroupSet),
	}
	if v.Groups.By != view.Ungrouped && v.Filter.Text == "" {
		s.groupsOf = func(key model.Key) func(yield func(model.ID) bool) { return v.GroupsOf(key) }
	}
	for _, total := range v.Totals() {
		if !total.Asset.IsZero() && len(s.assets) < surveyedAssets {
			s.assets = append(s.assets, &assetSurvey{
				found: Asset{Asset: total.Asset}, decimals: s.instruments.Asset(total.Asset).Decimals,
				markets: make(map[model.ID]*exposure), parties: make(map[model.ID]*exposure),
				own: make(map[model.ID]*exposure), cells: make(map[model.Key]*exposure),
				shown: figures{exposures: make(map[model.ID]*exposure), decimals: s.instruments.Asset(total.Asset).Decimals},
			})
		}
	}
	for p := range v.InScope {
		set(&p)
		s.addPosition(&p, v)
	}
	for p := range v.Shown {
		set(&p)
		if m := s.market(p.Market); m.of != nil {
			m.of.shown.add(&p, v, m.scale.Of(&p))
		}
	}
	result := &Survey{At: at}
	for _, a := range s.assets {
		ofMarket := func(id model.ID) int { return s.instruments.Decimals(model.OpenVolume, id) }
		ofParty := func(model.ID) int { return model.Unscaled }
		markets, parties := exposures(a.markets, a.decimals, ofMarket), exposures(a.parties, a.decimals, ofParty)
		a.found.Total, a.found.Shown = sumOf(markets, a.decimals), a.shown.figures()
		a.found.Unreadable += a.found.Total.withoutProfit
		a.found.Markets, a.found.Parties = markets[:min(len(markets), surveyedExposures)], parties[:min(len(parties), surveyedExposures)]
		a.found.OwnGroups, a.found.cells = exposures(a.own, a.decimals, ofParty), make(map[model.Key]Exposure)
		for key, e := range a.cells {
			a.found.cells[key] = e.rounded(key.Market, a.decimals, ofMarket(key.Market))
		}
		result.Assets = append(result.Assets, a.found)
	}
	return result
}

// surveyor makes a survey.
type surveyor struct {
	baseline    *book.Baseline
	trades      *Log
	instruments *model.Instruments
	// countsChanges is true if the changes since the baseline are surveyed.
	countsChanges bool
	groupsOf      func(model.Key) func(yield func(model.ID) bool) // nil if the changes of groups are not surveyed
	assets        []*assetSurvey
	markets       map[model.ID]surveyedMarket
	partyGroups   map[model.ID]model.GroupSet // the own groups of parties
}

type assetSurvey struct {
	found            Asset // so far, without exposures
	decimals         int
	markets, parties map[model.ID]*exposure
	own              map[model.ID]*exposure  // by own group; zero: of the positions in none
	cells            map[model.Key]*exposure // by own group, in place of the party, and market
	shown            figures
}

// surveyedMarket is what is known of a market.
type surveyedMarket struct {
	of     *assetSurvey // nil: it is not surveyed
	scale  model.NotionalScale
	groups model.GroupSet // own ones
}

// market returns what is known of a market. It is looked up once.
func (s *surveyor) market(id model.ID) surveyedMarket {
	m, ok := s.markets[id]
	if ok {
		return m
	}
	known := s.instruments.Market(id)
	m.scale, m.groups = s.instruments.NotionalScale(id), s.instruments.GroupsOfMarket(id)
	if i := slices.IndexFunc(s.assets, func(a *assetSurvey) bool { return a.found.Asset == known.Asset }); i >= 0 {
		m.of = s.assets[i]
	}
	s.markets[id] = m
	return m
}

func (s *surveyor) addPosition(p *model.Position, v *view.View) {
	m := s.market(p.Market)
	if m.of == nil {
		return
	}
	if s.countsChanges {
		change, isNew := s.change(p)
		m.of.addChange(p.Key, &change, isNew)
		if s.groupsOf != nil {
			s.addToGroups(p.Key, m.of, change)
		}
	}
	if p.IsOpen() {
		m.of.addMaintenance(p, v)
	}
	switch {
	case !p.IsOpen():
	case !p.HasAddableNotional():
		m.of.found.LeftOut++
		m.of.found.Unreadable++
	default:
		scale := m.scale.Of(p)
		if scale == model.Unscaled {
			m.of.found.LeftOut++
		}
		addExposure(m.of.markets, p.Market, p, scale).sizes.AddSigned(p.Number(model.OpenVolume), +1)
		addExposure(m.of.parties, p.Party, p, scale)
		if len(s.instruments.Groups()) > 0 {
			s.addOwn(p, &m, scale)
		}
	}
}

// addToGroups adds a change to the groups of the view that a position is in. The change is a copy: it is allocated.
func (s *surveyor) addToGroups(key model.Key, of *assetSurvey, change Change) {
	for group := range s.groupsOf(key) {
		of.addToGroup(group, &change)
	}
}

// addOwn adds an open position to the own groups that it is in.
func (s *surveyor) addOwn(p *model.Position, m *surveyedMarket, scale int) {
	ofParty, ok := s.partyGroups[p.Party]
	if !ok {
		ofParty = s.instruments.GroupsOfParty(p.Party)
		s.partyGroups[p.Party] = ofParty
	}
	set := m.groups & ofParty
	if s.instruments.HasGroupOfRows(set) {
		set = s.instruments.GroupsAmong(set, p.Key)
	}
	if set == 0 {
		addExposure(m.of.own, model.ID{}, p, scale)
		return
	}
	if set&(set-1) != 0 {
		m.of.found.Shared++
	}
	for ; set != 0; set &= set - 1 {
		id := s.instruments.Groups()[bits.TrailingZeros64(uint64(set))].ID()
		addExposure(m.of.own, id, p, scale)
		addExposure(m.of.cells, model.Key{Party: id, Market: p.Market}, p, scale).sizes.AddSigned(p.Number(model.OpenVolume), +1)
	}
}

// change returns by how much the PnL of a position has changed since the baseline, and whether it did not exist then.
func (s *surveyor) change(p *model.Position) (change Change, isNew bool) {
	before, ok := s.baseline.Row(p.Key)
	if ok {
		change, ok = s.trades.Of(p, &before, s.instruments.Decimals(model.UnrealisedPnl, p.Market))
	}
	if !ok {
		return Change{LeftOut: 1}, false
	}
	return change, before.IsNew
}

// addMaintenance adds the maintenance margin of an open position, and counts it in the grid.
func (a *assetSurvey) addMaintenance(p *model.Position, v *view.View) {
	levels, _, ok := v.Margins().Levels(p)
	if !ok {
		a.found.Unrecorded++
		return
	}
	a.found.Recorded++
	a.found.Maintenance.Add(levels.Maintenance)
	a.found.Grid.addPosition(p, v)
}

func (a *assetSurvey) addChange(key model.Key, change *Change, isNew bool) {
	a.found.Change.Add(change)
	if change.IsUnsplit {
		a.found.UnsplitRows++
	}
	sum := change.Total()
	if sum.IsZero() {
		return
	}
	a.found.Moved++
	m := Move{key, sum.Amount(a.decimals), isNew}
	if n := len(a.found.Moves); n == surveyedMoves {
		if a.found.Moves[n-1].compare(&m, a.decimals) <= 0 {
			return
		}
		a.found.Moves = a.found.Moves[:n-1]
	}
	at, _ := slices.BinarySearchFunc(a.found.Moves, m, func(x, y Move) int { return x.compare(&y, a.decimals) })
	a.found.Moves = slices.Insert(a.found.Moves, at, m)
}

func (a *assetSurvey) addToGroup(id model.ID, change *Change) {
	if a.found.Groups == nil {
		a.found.Groups = make(map[model.ID]*Change)
	}
	of := a.found.Groups[id]
	if of == nil {
		if len(a.found.Groups) == surveyedGroups {
			return
		}
		of = new(Change)
		a.found.Groups[id] = of
	}
	of.Add(change)
}
