package view

import (
	"strconv"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// heldBy returns an open position of a party in market m, changed in a second.
func heldBy(party string, at, size int64) model.Position {
	p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	p.SetNumber(model.UpdatedAt, second(at))
	return p
}

// recordIn returns a margin record of a party in market m, written in a second.
func recordIn(party, asset string, at, maintenance int64) model.MarginLevels {
	return model.MarginLevels{
		MarginKey:   model.MarginKey{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}, Asset: model.MakeID(asset)},
		Maintenance: model.AmountOf(maintenance), Timestamp: second(at),
	}
}

// marginsOf returns a view of positions with margin records, which were read in second 1000. Market m has this asset;
// it is not known if that is empty.
func marginsOf(asset string, scope model.Scope, positions []model.Position, records ...model.MarginLevels) *View {
	in := model.NewInstruments(nil, nil, nil)
	if asset != "" {
		in = model.NewInstruments(nil, []model.Market{{ID: model.MakeID("m"), Asset: model.MakeID(asset)}}, []model.Asset{{ID: model.MakeID(asset)}})
	}
	b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(positions...), NotAfter: notAfter})
	v := New(b, scope, Filter{}, Order{}, in)
	v.MergeMargins(&model.Page{ReadAt: time.Unix(1000, 0), Rows: records})
	return v
}

// TestLevelsAreOfTheAssetOfTheMarket; while that is not known, they are the newest.
func TestLevelsAreOfTheAssetOfTheMarket(t *testing.T) {
	for asset, want := range map[string]int64{"x": 7, "y": 8, "": 8, "z": 0} {
		p := heldBy("p", 0, 1)
		v := marginsOf(asset, model.Scope{}, []model.Position{p}, recordIn("p", "x", 1, 7), recordIn("p", "y", 2, 8))
		levels, readAt, ok := v.Margins().Levels(&p)
		if got, _ := levels.Maintenance.Int64(); got != want || ok != (want != 0) || ok && !readAt.Equal(time.Unix(1000, 0)) {
			t.Errorf("asset %q: the record has %d, want %d; read at %s", asset, got, want, readAt)
		}
	}
}

// TestWhatHasNoRatio: a ratio needs an open position of the book, and its record.
func TestWhatHasNoRatio(t *testing.T) {
	for name, c := range map[string]struct {
		position model.Position
		hasRatio bool
	}{
		"open, with a record":    {heldBy("p", 0, 5), true},
		"closed":                 {heldBy("closed", 0, 0), false},
		"open, without a record": {heldBy("q", 0, 5), false},
		"not in the book":        {heldBy("r", 0, 5), false},
	} {
		rows := []model.Position{heldBy("p", 0, 5), heldBy("closed", 0, 0), heldBy("q", 0, 5)}
		m := marginsOf("x", model.Scope{}, rows, recordIn("p", "x", 0, 7), recordIn("closed", "x", 0, 7)).Margins()
		_, has := m.Ratio(&c.position)
		_, hasLast := m.LastRatio(&c.position)
		if has != c.hasRatio || hasLast != c.hasRatio {
			t.Errorf("%s: it has a ratio: %t, and a last one: %t", name, has, hasLast)
		}
	}
}

// TestTheLastRatioIsNoEstimate: it is that of the last moment when position and record were a pair.
func TestTheLastRatioIsNoEstimate(t *testing.T) {
	p := heldBy("p", 0, 10)
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(-100))
	v := marginsOf("x", model.Scope{}, []model.Position{p}, recordIn("p", "x", 0, 1000))
	p = heldBy("p", 20, 20)
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(-100))
	merge(v, updateOf(model.Subscription{}, p))
	ratio, _ := v.Margins().Ratio(&p)
	last, _ := v.Margins().LastRatio(&p)
	if ratio.String() != "-5.0%" || !ratio.IsEstimate || last.String() != "-10.0%" || last.IsEstimate {
		t.Errorf("the ratio is %s, estimated %t; the last one is %s, estimated %t", ratio, ratio.IsEstimate, last, last.IsEstimate)
	}
}

// TestCoveredRowsAreOpen, have a record, and are in scope.
func TestCoveredRowsAreOpen(t *testing.T) {
	rows := []model.Position{heldBy("p", 0, 5), heldBy("closed", 0, 0), heldBy("without", 0, 5), heldBy("q", 0, 5)}
	for _, c := range []struct {
		scope model.Scope
		want  int
	}{{model.Scope{}, 2}, {model.Scope{Parties: []model.ID{model.MakeID("q"), model.MakeID("without")}}, 1}} {
		v := marginsOf("x", c.scope, rows, recordIn("p", "x", 0, 7), recordIn("closed", "x", 0, 7), recordIn("q", "x", 0, 7))
		if got := v.Margins().Covered(); got != c.want {
			t.Errorf("in %v: %d rows are covered, want %d", c.scope, got, c.want)
		}
	}
}

// TestOnlySomeOfTheRowsThatWaitAreRead, and More says so.
func TestOnlySomeOfTheRowsThatWaitAreRead(t *testing.T) {
	for n, isMore := range map[int]bool{maxWaiting: false, maxWaiting + 1: true} {
		var before, after []model.Position
		var records []model.MarginLevels
		for i := range n {
			party := strconv.Itoa(i)
			before, after = append(before, heldBy(party, 0, 5)), append(after, heldBy(party, 20, 6))
			records = append(records, recordIn(party, "x", 0, 7))
		}
		v := marginsOf("x", model.Scope{}, before, records...)
		merge(v, updateOf(model.Subscription{}, after...))
		w := v.Margins().Waiting(time.Unix(100, 0))
		if w.Rows != maxWaiting || len(w.Parties) != maxWaiting || w.More != isMore {
			t.Errorf("of %d rows that wait, %d are read, of %d parties; more: %t", n, w.Rows, len(w.Parties), w.More)
		}
	}
}
