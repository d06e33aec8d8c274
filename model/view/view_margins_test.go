package view

import (
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
	last    map[model.MarginKey]*big.Rat // the last ratio of an open position whose size was not newer than its record; nil: none
	// The same of positions that waited when they were no longer watched, until they are watched again.
	unwatched     map[model.Key]plainSize
	unwatchedLast map[model.MarginKey]*big.Rat
}

// plainSize is the side of a position, and when its size last changed; 0 if that is not known.
type plainSize struct {
	side      int
	volume    string
	changedAt int64
}

func newPlainMargins() plainMargins {
	return plainMargins{
		make(map[model.MarginKey]model.MarginLevels), make(map[model.Key]plainSize), make(map[model.MarginKey]*big.Rat),
		make(map[model.Key]plainSize), make(map[model.MarginKey]*big.Rat),
	}
}

// waits reports whether a record is older than the size of its position.
func (m plainMargins) waits(key model.MarginKey) bool {
	at, ok := m.records[key].Timestamp.UsableTime(math.MaxInt64)
	return ok && at > 0 && at < m.sizes[key.Key].changedAt
}

// noteSize must be called after each change of a position: p is nil if it was removed. isChange is false for a row of
// which it is not known whether it has changed.
func (m plainMargins) noteSize(key model.Key, p *model.Position, isChange bool) {
	before := m.sizes[key]
	now := plainSize{}
	if p != nil {
		volume := p.Number(model.OpenVolume)
		now = plainSize{volume.Sign(), volume.String(), before.changedAt}
		if isChange && before.volume != now.volume {
			at, ok := p.Number(model.UpdatedAt).UsableTime(math.MaxInt64)
			if !ok || at <= 0 {
				at = math.MaxInt64 - int64(model.AheadFor)
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
		maps.DeleteFunc(m.unwatchedLast, func(k model.MarginKey, _ *big.Rat) bool { return k.Key == key })
	}
	if p != nil {
		m.noteRatios(p)
	}
}

// noteUnwatched must be called if a position is no longer watched.
func (m plainMargins) noteUnwatched(key model.Key) {
	for k := range m.records {
		if k.Key == key && m.sizes[key].side != 0 && m.waits(k) {
			m.unwatched[key], m.unwatchedLast[k] = m.sizes[key], m.last[k]
		}
	}
	m.noteSize(key, nil, true)
}

// noteRatios must be called after each change of a position or one of its records.
func (m plainMargins) noteRatios(p *model.Position) {
	for k, levels := range m.records {
		if k.Key == p.Key && p.IsOpen() && !m.waits(k) {
			m.last[k] = ratioOf(p, &levels)
		}
	}
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

// ratio returns the margin ratio of a position, nil if it has none.
func (m plainMargins) ratio(in *model.Instruments, p *model.Position) *big.Rat {
	levels, ok := m.find(in, p.Key)
	switch {
	case !ok || !p.IsOpen():
		return nil
	case m.waits(levels.MarginKey):
		return m.last[levels.MarginKey]
	}
	return ratioOf(p, &levels)
}

// ratioOf returns the ratio of the profit of a position and the maintenance margin of a record, nil if there is none.
func ratioOf(p *model.Position, levels *model.MarginLevels) *big.Rat {
	profit, maintenance := modeltest.BigOf(p.Number(model.UnrealisedPnl).String()), modeltest.BigOf(levels.Maintenance.String())
	if profit == nil || maintenance == nil || maintenance.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).SetFrac(profit, maintenance)
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
	switch p.StatusName() {
	case "POSITION_STATUS_DISTRESSED":
		return 0
	case "POSITION_STATUS_CLOSED_OUT":
		return 1
	}
	if p.IsOpen() {
		return 2
	}
	return 3
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
		at, usable := levels.Timestamp.UsableTime(lastMarginTime)
		atBefore, usableBefore := before.Timestamp.UsableTime(lastMarginTime)
		usable = has && usable && usableBefore
		if !usable || at >= atBefore {
			d.levels.records[levels.MarginKey] = levels
			if p, ok := d.plain.All()[levels.Key]; ok {
				d.levels.noteRatios(&p)
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
		got, _, ok := d.view.MarginLevels(&p)
		if got != want || ok != has {
			t.Fatalf("the record of %v is %+v, want %+v", key, got, want)
		}
		if has && p.IsOpen() {
			covered++
		}
		ratio, hasRatio := d.view.MarginRatio(&p)
		switch plain := d.levels.ratio(d.Instruments, &p); {
		case hasRatio != (plain != nil):
			t.Fatalf("%v has a ratio: %v", key, hasRatio)
		case hasRatio && new(big.Rat).SetFrac(modeltest.BigOf(ratio.Profit.String()), modeltest.BigOf(ratio.Maintenance.String())).Cmp(plain) != 0:
			t.Fatalf("the ratio of %v is %s, want %s", key, ratio, plain)
		case hasRatio && ratio.HasEnded() != d.levels.waits(want.MarginKey):
			t.Fatalf("the ratio of %v has ended: %v", key, ratio.HasEnded())
		}
	}
	if got := d.view.Covered(); got != covered {
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

// TestTrouble has one position of each kind, named after its place in the order.
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
	add("no maintenance", "UNSPECIFIED", 1, -5, 0)
	add("won", "ORDERS_CLOSED", 1, 9, 10)
	add("lost a tenth", "UNSPECIFIED", -1, -10, 100)
	add("lost a half", "UNSPECIFIED", 1, -5, 10)
	add("closed out", "CLOSED_OUT", 0, 0, 0)
	add("distressed", "DISTRESSED", 1, 9, 10)
	for descending, want := range map[bool]string{
		false: "distressed, closed out, lost a half, lost a tenth, won, no maintenance, no record, closed",
		true:  "no maintenance, no record, won, lost a tenth, lost a half, closed out, distressed, closed",
	} {
		view := New(b, model.Scope{}, Filter{ShowClosed: true}, Order{TroubleColumn, descending}, model.NewInstruments(nil, nil, nil))
		view.MergeMargins(&page)
		var markets []string
		for p := range view.Shown {
			markets = append(markets, p.Market.String())
		}
		if got := strings.Join(markets, ", "); got != want {
			t.Errorf("the order is %s\nwant %s", got, want)
		}
	}
}
