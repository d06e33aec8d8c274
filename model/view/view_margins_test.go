package view

import (
	"cmp"
	"maps"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// plainMargins has the records of book.Margins in plain maps, and what decides whether a ratio is of one moment.
type plainMargins struct {
	records map[model.MarginKey]model.MarginLevels
	sizes   map[model.Key]plainSize
	told    map[model.Key]*plainTold      // by the key of the subscription
	aheadTo map[model.MarginKey]int64     // what must be told before the record counts
	last    map[model.MarginKey]plainPair // of an open position that does not wait, or its last one
	// The same of positions that waited when they were no longer watched, until they are watched again.
	unwatched     map[model.Key]plainSize
	unwatchedLast map[model.MarginKey]plainPair
}

// plainSize is the side of a position, and when its size last changed; 0 if that is not known.
type plainSize struct {
	of        model.Key // its subscription
	side      int
	volume    string
	changedAt int64
}

// plainTold is up to which time a subscription has told something, by the times of its rows or, if none has one, of
// receipts.
type plainTold struct {
	upTo     int64
	hasTimes bool
}

// plainPair is a profit and a maintenance margin of one moment, and the size.
type plainPair struct{ profit, maintenance, size string }

// plainSide returns -1, 0 or +1, and 2 if a size is no number.
func plainSide(size model.Amount) int {
	if modeltest.ValueOf(size.String(), 0) == nil {
		return 2
	}
	return size.Sign()
}

// hasNumbers reports whether the pair can have a ratio.
func (p plainPair) hasNumbers() bool {
	maintenance := modeltest.ValueOf(p.maintenance, 0)
	return modeltest.ValueOf(p.profit, 0) != nil && maintenance != nil && maintenance.Sign() > 0
}

// ratio returns the ratio in an asset with these decimals; nil if there is none.
func (p plainPair) ratio(decimals int) *big.Rat {
	if !p.hasNumbers() {
		return nil
	}
	profit, maintenance := modeltest.ValueOf(p.profit, decimals), modeltest.ValueOf(p.maintenance, decimals)
	isMixed := modeltest.IsDecimal(p.profit) != modeltest.IsDecimal(p.maintenance)
	isShort := modeltest.IsAddable(p.profit) && modeltest.IsAddable(p.maintenance)
	if isMixed && (!isShort || decimals == model.Unscaled && profit.Sign() != 0) {
		return nil
	}
	return new(big.Rat).Quo(profit, maintenance)
}

// received is when the updates and snapshots of a scenario are received.
const received = math.MaxInt64 - int64(model.AheadFor)

func newPlainMargins() plainMargins {
	return plainMargins{
		make(map[model.MarginKey]model.MarginLevels), make(map[model.Key]plainSize), make(map[model.Key]*plainTold),
		make(map[model.MarginKey]int64), make(map[model.MarginKey]plainPair), make(map[model.Key]plainSize), make(map[model.MarginKey]plainPair),
	}
}

func (m plainMargins) recordedAt(key model.MarginKey) (at int64, hasTime bool) {
	return m.records[key].Timestamp.UsableTime(math.MaxInt64)
}

// isOlder reports whether a record is older than the size of its position.
func (m plainMargins) isOlder(key model.MarginKey) bool {
	at, hasTime := m.recordedAt(key)
	return hasTime && at < m.sizes[key.Key].changedAt
}

// waits reports whether a record is not of one moment with its position.
func (m plainMargins) waits(key model.MarginKey) bool {
	size := m.sizes[key.Key]
	return size.side != 0 && (m.isOlder(key) || m.aheadTo[key] > m.told[size.of].upTo)
}

// judge decides what must be told before the record counts. A time after notAfter decides nothing; what was served at 0
// is older than all that is received.
func (m plainMargins) judge(key model.MarginKey, notAfter, servedAt int64) {
	size := m.sizes[key.Key]
	told := m.told[size.of]
	at, hasTime := m.recordedAt(key)
	before := m.aheadTo[key]
	delete(m.aheadTo, key)
	switch {
	case !hasTime, size.side == 0, m.isOlder(key), at > notAfter:
	case told.hasTimes:
		m.aheadTo[key] = at
	case servedAt == 0:
		m.aheadTo[key] = before
	default:
		m.aheadTo[key] = servedAt
	}
	m.drop(key)
}

// drop drops what must be told, if that is told.
func (m plainMargins) drop(key model.MarginKey) {
	if told := m.told[m.sizes[key.Key].of]; told != nil && m.aheadTo[key] <= told.upTo {
		delete(m.aheadTo, key)
	}
}

// begin must be called before a subscription sends something. A snapshot begins what is told again.
func (m plainMargins) begin(of model.Subscription, again bool) {
	if m.told[of.Key] == nil || again {
		m.told[of.Key] = new(plainTold)
	}
}

// tell notes what a subscription has sent, and then the pairs of all its rows.
func (m plainMargins) tell(of model.Subscription, rows map[model.Key]model.Position, positions []model.Position) {
	told := m.told[of.Key]
	for _, p := range positions {
		if at, usable := p.ChangedAt(math.MaxInt64); usable {
			if !told.hasTimes {
				*told = plainTold{hasTimes: true}
			}
			told.upTo = max(told.upTo, at)
		}
	}
	if !told.hasTimes {
		told.upTo = received
	}
	for key := range m.aheadTo {
		m.drop(key)
	}
	for _, p := range rows {
		m.notePairs(&p)
	}
}

// noteSize must be called after each change of a position: p is nil if it was removed. isChange is false for a row of
// which it is not known whether it has changed, isNew is true if the table is new.
func (m plainMargins) noteSize(of model.Subscription, key model.Key, p *model.Position, isChange, isNew bool) {
	before := m.sizes[key]
	now := plainSize{}
	if p != nil {
		volume := p.Number(model.OpenVolume)
		now = plainSize{of.Key, plainSide(volume), volume.String(), before.changedAt}
		if isChange && before.volume != now.volume {
			at, ok := p.Number(model.UpdatedAt).UsableTime(math.MaxInt64)
			if !ok {
				at = received
			}
			now.changedAt = max(at, before.changedAt)
		}
	}
	unwatched, isKnown := m.unwatched[key]
	isKnown = isKnown && p != nil && before.volume == ""
	if isKnown && !isChange && now.side != 0 {
		now.changedAt = unwatched.changedAt
	}
	m.sizes[key] = now
	for k := range m.records {
		if k.Key == key && (isNew || before.volume != now.volume) {
			m.judge(k, math.MaxInt64, 0)
		}
	}
	for k := range m.last {
		if k.Key == key && (now.side == 0 || now.side != before.side) {
			delete(m.last, k)
		}
	}
	if isKnown {
		delete(m.unwatched, key)
		for k, last := range m.unwatchedLast {
			if k.Key == key && m.waits(k) && !isChange && now.side == unwatched.side {
				m.last[k] = last
			}
		}
		maps.DeleteFunc(m.unwatchedLast, func(k model.MarginKey, _ plainPair) bool { return k.Key == key })
	}
	if p != nil {
		m.notePairs(p)
	}
}

// noteUnwatched must be called if a position is no longer watched.
func (m plainMargins) noteUnwatched(key model.Key) {
	for k := range m.records {
		if k.Key == key && m.waits(k) {
			m.unwatched[key] = m.sizes[key]
			if last, has := m.last[k]; has {
				m.unwatchedLast[k] = last
			}
		}
	}
	m.noteSize(model.Subscription{}, key, nil, true, false)
}

// notePairs must be called after each change of a position or one of its records.
func (m plainMargins) notePairs(p *model.Position) {
	for k, levels := range m.records {
		if k.Key == p.Key && p.IsOpen() && !m.waits(k) {
			m.last[k] = pairOf(p, &levels)
		}
	}
}

func pairOf(p *model.Position, levels *model.MarginLevels) plainPair {
	return plainPair{p.Number(model.UnrealisedPnl).String(), levels.Maintenance.String(), p.Number(model.OpenVolume).String()}
}

// estimate returns the profit of a position and the estimate of its maintenance margin, from the last pair.
func (p plainPair) estimate(of *model.Position) (estimate plainPair, ok bool) {
	now := pairOf(of, new(model.MarginLevels))
	was, is := modeltest.ValueOf(p.size, 0), modeltest.ValueOf(now.size, 0)
	if !p.hasNumbers() || modeltest.ValueOf(now.profit, 0) == nil || was == nil || is == nil || was.Sign() == 0 || was.Sign() != is.Sign() {
		return plainPair{}, false
	}
	if now.maintenance = p.maintenance; p.size == now.size {
		return now, true
	}
	if modeltest.IsDecimal(p.size) != modeltest.IsDecimal(now.size) {
		return plainPair{}, false
	}
	places := 0
	if modeltest.IsDecimal(p.maintenance) {
		places = max(model.ParseAmount(p.maintenance).Places(0), 8)
	}
	maintenance := modeltest.ValueOf(p.maintenance, 0)
	now.maintenance = maintenance.Mul(maintenance, is.Quo(is, was)).FloatString(places)
	if places > 0 {
		now.maintenance = strings.TrimRight(now.maintenance, "0") // as many digits as the program has
		now.maintenance += strings.Repeat("0", strings.Count(now.maintenance+"$", ".$"))
	}
	return now, now.hasNumbers()
}

// find does what book.Margins.Find does, by plain loops.
func (m plainMargins) find(in *model.Instruments, key model.Key) (found model.MarginLevels, ok bool) {
	asset := in.Market(key.Market).Asset
	if levels, ok := m.records[model.MarginKey{Key: key, Asset: asset}]; ok || !asset.IsZero() {
		return levels, ok
	}
	for k, levels := range m.records {
		if k.Key != key {
			continue
		}
		c := modeltest.CompareTexts(levels.Timestamp.String(), 0, found.Timestamp.String(), 0)
		if !ok || c > 0 || c == 0 && k.Asset.String() < found.Asset.String() {
			found, ok = levels, true
		}
	}
	return found, ok
}

// pair returns what the margin ratio of a position is of, and whether that is an estimate. There is no ratio if there
// is nothing.
func (m plainMargins) pair(in *model.Instruments, p *model.Position) (pair plainPair, isEstimate bool) {
	levels, ok := m.find(in, p.Key)
	if !ok || !p.IsOpen() {
		return plainPair{}, false
	}
	if !m.waits(levels.MarginKey) {
		return pairOf(p, &levels), false
	}
	last := m.last[levels.MarginKey]
	if estimate, ok := last.estimate(p); ok {
		return estimate, true
	}
	return last, false
}

// ratio returns the margin ratio of a position, nil if it has none.
func (m plainMargins) ratio(in *model.Instruments, p *model.Position) *big.Rat {
	pair, _ := m.pair(in, p)
	return pair.ratio(in.Decimals(model.UnrealisedPnl, p.Market))
}

// ratOfRatio returns the value of a ratio.
func ratOfRatio(r model.MarginRatio) *big.Rat {
	return new(big.Rat).Quo(modeltest.ValueOf(r.Profit.String(), 0), modeltest.ValueOf(r.Maintenance.String(), 0))
}

// farthest is in place of a distance that no price reaches.
var farthest = new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(1000), nil))

// distance returns by which fraction the mark price must change until the margin ratio of a position is at a limit. It
// is 0 if the ratio is there already, farthest if no price reaches it, and nil if there is no distance.
func (m plainMargins) distance(in *model.Instruments, p *model.Position, to model.RatioLimit) *big.Rat {
	pair, isEstimate := m.pair(in, p)
	levels, ok := m.find(in, p.Key)
	decimals := in.Decimals(model.UnrealisedPnl, p.Market)
	if !ok || pair.ratio(decimals) == nil || m.waits(levels.MarginKey) && !isEstimate {
		return nil
	}
	limit := map[model.RatioLimit]*big.Rat{model.HalfLost: big.NewRat(-1, 2), model.AllLost: big.NewRat(-1, 1)}[to]
	value := modeltest.ValueOf(pair.maintenance, decimals)
	value.Mul(value, limit).Sub(value, modeltest.ValueOf(pair.profit, decimals))
	if value.Sign() >= 0 {
		return new(big.Rat)
	}
	if decimals == model.Unscaled && !modeltest.IsDecimal(pair.maintenance) {
		return nil
	}
	_, notional, _ := model.MarkAndNotional(p, in)
	divisor, side := modeltest.ValueOf(notional.String(), decimals), p.Number(model.OpenVolume).Sign()
	if divisor == nil || divisor.Sign() != side || side == 0 {
		return nil
	}
	if !isKnownDistance(new(big.Rat).Abs(value), divisor.Abs(divisor), modeltest.ValueOf(notional.Bound.String(), decimals),
		new(big.Rat).Mul(limit, lastDigit(pair.maintenance, decimals)), lastDigit(pair.profit, decimals)) {
		return nil
	}
	value.Quo(value, new(big.Rat).SetInt64(int64(side))).Quo(value, divisor)
	if value.Cmp(big.NewRat(-1, 1)) < 0 {
		return farthest
	}
	return value.Abs(value)
}

// isKnownDistance reports whether left ÷ notional is known to a thousandth or to a hundredth of itself, if the
// notional, the maintenance margin and the profit may be wrong.
func isKnownDistance(left, notional, ofNotional, ofMaintenance, ofProfit *big.Rat) bool {
	most := new(big.Rat).Add(left, ofProfit)
	most.Add(most, ofMaintenance.Abs(ofMaintenance))
	least := new(big.Rat).Sub(notional, ofNotional)
	if least.Sign() <= 0 {
		return false
	}
	distance := new(big.Rat).Quo(left, notional)
	wrong := most.Quo(most, least).Sub(most, distance)
	return wrong.Cmp(big.NewRat(1, 1000)) <= 0 || wrong.Cmp(distance.Quo(distance, big.NewRat(100, 1))) <= 0
}

// lastDigit returns one unit of the last digit of a number.
func lastDigit(text string, decimals int) *big.Rat {
	if _, fraction, isDecimal := strings.Cut(text, "."); isDecimal {
		decimals = len(fraction)
	}
	return modeltest.Value(big.NewInt(1), max(decimals, 0))
}

// compareUrgencies compares two positions by their ratios: those that lose, those without a ratio by profit, those that
// win, and then those that are closed.
func (m plainMargins) compareUrgencies(in *model.Instruments, p, q *model.Position) int {
	of := func(p *model.Position) plainUrgency {
		if !p.IsOpen() {
			return plainUrgency{}
		}
		text := p.Number(model.UnrealisedPnl).String()
		return urgencyOf(m.ratio(in, p), modeltest.ValueOf(text, 0), modeltest.IsDecimal(text), in.Decimals(model.UnrealisedPnl, p.Market))
	}
	return of(p).compare(of(q))
}

// plainUrgency has one value, or none.
type plainUrgency struct{ ratio, profit *big.Rat }

// urgencyOf returns a ratio or, if it is nil, a profit: a value, or an integer in units of the asset.
func urgencyOf(ratio, profit *big.Rat, isDecimal bool, decimals int) plainUrgency {
	switch {
	case ratio != nil || profit == nil:
		return plainUrgency{ratio: ratio}
	case isDecimal:
		return plainUrgency{profit: profit}
	}
	return plainUrgency{profit: new(big.Rat).Mul(profit, modeltest.Value(big.NewInt(1), max(decimals, 0)))}
}

// place returns where the value is: 0 a ratio that loses, 1 no ratio and a loss, 2 zero, 3 no ratio and a profit, 4 a
// ratio that wins, 5 none.
func (u plainUrgency) place() int {
	switch {
	case u.ratio != nil:
		return 2 + 2*u.ratio.Sign()
	case u.profit != nil:
		return 2 + u.profit.Sign()
	}
	return 5
}

func (u plainUrgency) compare(other plainUrgency) int {
	if c := cmp.Compare(u.place(), other.place()); c != 0 || u.place() == 2 {
		return c
	}
	return cmp.Or(compareRatios(u.ratio, other.ratio), compareRatios(u.profit, other.profit))
}

func compareRatios(r, s *big.Rat) int {
	switch {
	case r == nil && s == nil:
		return 0
	case r == nil:
		return +1
	case s == nil:
		return -1
	}
	return r.Cmp(s)
}

// plainTier returns the tier of a position: see tier.
func plainTier(p *model.Position) int {
	if !p.IsOpen() {
		return 3
	}
	switch p.StatusName() {
	case "POSITION_STATUS_DISTRESSED":
		return 0
	case "POSITION_STATUS_CLOSED_OUT":
		return 1
	}
	return 2
}

// lastMarginTime is the last usable time of a record that mergeMargins reads, at marginsReadAt.
const lastMarginTime = int64(140 * time.Second)

var marginsReadAt = time.Unix(0, lastMarginTime).Add(-model.AheadFor)

// mergeMargins merges a page of up to n records.
func (d *scenario) mergeMargins(n int) {
	page := &model.Page{ReadAt: marginsReadAt}
	for range 1 + d.IntN(n) {
		levels := d.Record()
		page.Rows = append(page.Rows, levels)
		before, has := d.levels.records[levels.MarginKey]
		at, isUsable := levels.Timestamp.UsableTime(lastMarginTime) // a random number can be a time in seconds
		atBefore, wasUsable := before.Timestamp.UsableTime(lastMarginTime)
		isOlder := has && isUsable && wasUsable && at < atBefore
		if !isOlder && (!has || before != levels) {
			d.levels.records[levels.MarginKey] = levels
			if p, ok := d.plain.All()[levels.Key]; ok {
				d.levels.judge(levels.MarginKey, lastMarginTime, marginsReadAt.UnixNano())
				d.levels.notePairs(&p)
			}
		}
	}
	d.view.MergeMargins(page)
}

// checkMargins compares the records and ratios of all positions in scope with those of plainMargins.
func (d *scenario) checkMargins(t *testing.T, all map[model.Key]model.Position) {
	t.Helper()
	covered := 0
	for key, p := range all {
		want, has := d.levels.find(d.Instruments, key)
		got, _, ok := d.view.Margins().Levels(&p)
		if got != want || ok != has {
			t.Fatalf("the record of %v is %+v, want %+v", key, got, want)
		}
		if has && p.IsOpen() {
			covered++
		}
		ratio, hasRatio := d.view.Margins().Ratio(&p)
		pair, isEstimate := d.levels.pair(d.Instruments, &p)
		decimals := d.Instruments.Decimals(model.UnrealisedPnl, p.Market)
		switch plain := pair.ratio(decimals); {
		case hasRatio != (plain != nil):
			t.Fatalf("%v has a ratio: %v %+v; the record is %+v, the size %+v, told %+v, ahead %d, last %v, row %v", key, hasRatio, ratio, want, d.levels.sizes[key], d.levels.told[d.levels.sizes[key].of], d.levels.aheadTo[want.MarginKey], d.levels.last[want.MarginKey], p)
		case hasRatio && ratOfRatio(ratio).Cmp(plain) != 0:
			t.Fatalf("the ratio of %v is %s, want %s", key, ratio, plain)
		case hasRatio && (ratio.HasEnded() != d.levels.waits(want.MarginKey) || ratio.IsEstimate != isEstimate):
			t.Fatalf("the ratio of %v has ended: %v; it is an estimate: %v; the record is %+v, the size %+v, told %+v, ahead %d, row %v", key, ratio.HasEnded(), ratio.IsEstimate, want.Timestamp, d.levels.sizes[key], d.levels.told[d.levels.sizes[key].of], d.levels.aheadTo[want.MarginKey], p)
		}
		last, hasLast := d.view.Margins().LastRatio(&p)
		if !p.IsOpen() || !has {
			pair = plainPair{}
		} else {
			pair = d.levels.last[want.MarginKey]
		}
		if plain := pair.ratio(decimals); hasLast != (plain != nil) || hasLast && (last.IsEstimate || ratOfRatio(last).Cmp(plain) != 0) {
			t.Fatalf("the last ratio of %v is %s, %v, want %s", key, last, hasLast, plain)
		}
	}
	if got := d.view.Margins().Covered(); got != covered {
		t.Fatalf("%d positions have a record, want %d", got, covered)
	}
	if got := d.view.Book().Margins().Len(); got != len(d.levels.records) {
		t.Fatalf("there are %d records, want %d", got, len(d.levels.records))
	}
}

// TestViewInTheOrderOfRatios changes margin records and positions while the order of rows depends on both.
func TestViewInTheOrderOfRatios(t *testing.T) {
	for seed, order := range []Order{{TroubleColumn, false}, {TroubleColumn, true}, {MarginRatioColumn, false}, {MarginRatioColumn, true}} {
		d := newScenario(uint64(seed), 30, 20)
		d.order, d.filter = order, Filter{ShowClosed: seed%2 == 0}
		d.rebuild(d.view.Book())
		for step := range modeltest.Times(1500) {
			s := d.Subscription()
			d.merge(s, d.position(s))
			d.mergeMargins(2)
			if step%150 == 149 {
				d.check(t)
			}
		}
	}
}

// TestTrouble has one position of each kind, named after its place in the order. One that is kept is below those that
// are distressed or have lost more than a half, and above the others.
func TestTrouble(t *testing.T) {
	b := book.New(0)
	var page model.Page
	add := func(market, status string, volume, profit, maintenance int64) {
		p := model.Position{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID(market)}}
		p.SetNumber(model.OpenVolume, model.AmountOf(volume))
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
		p.SetStatus([]byte("POSITION_STATUS_" + status))
		b.Merge(updateOf(model.Subscription{}, p))
		if maintenance >= 0 {
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key}, Maintenance: model.AmountOf(maintenance)})
		}
	}
	add("closed", "UNSPECIFIED", 0, -5, 10)
	add("no record", "UNSPECIFIED", 1, -5, -1)
	add("no maintenance", "UNSPECIFIED", 1, -6, 0)
	add("gain without a record", "UNSPECIFIED", 1, 5000, -1)
	add("won", "ORDERS_CLOSED", 1, 9, 10)
	add("lost a tenth", "UNSPECIFIED", -1, -10, 100)
	add("lost less", "UNSPECIFIED", 1, -4, 10)
	add("lost more", "UNSPECIFIED", 1, -6, 10)
	add("kept", "CLOSED_OUT", 0, 0, 0)
	add("closed out", "CLOSED_OUT", 0, 0, 0)
	add("closing", "CLOSED_OUT", 1, 9, 10)
	add("distressed", "DISTRESSED", 1, 9, 10)
	kept := model.Key{Party: model.MakeID("a"), Market: model.MakeID("kept")}
	for _, c := range []struct {
		order Order
		want  string
	}{
		{Order{Column: TroubleColumn}, "distressed, closing, lost more, kept, lost less, lost a tenth, no maintenance, no record, gain without a record, won, closed, closed out"},
		{Order{Column: TroubleColumn, Descending: true}, "won, gain without a record, no record, no maintenance, lost a tenth, lost less, kept, lost more, closing, distressed, closed, closed out"},
		{Order{Column: MarginRatioColumn}, "lost more, kept, lost less, lost a tenth, no maintenance, no record, gain without a record, closing, distressed, won, closed, closed out"},
	} {
		for _, first := range [][]model.Key{nil, {kept}, {kept, {Party: kept.Party, Market: model.MakeID("closed")}}} {
			view := New(b, model.Scope{}, Filter{ShowClosed: true, Kept: NewKept(first)}, c.order, model.NewInstruments(nil, nil, nil))
			view.MergeMargins(&page)
			view.KeepOnly([]model.Key{kept})
			var markets []string
			for p := range view.Shown {
				markets = append(markets, p.Market.String())
			}
			if got := strings.Join(markets, ", "); got != c.want {
				t.Errorf("the order is %s\nwant %s", got, c.want)
			}
		}
	}
}
