package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"blotter/model"
)

// sinceWords are the parts of the change in a period, and how long ago it began.
func sinceWords(r *Recent, period int, p *model.Position, now time.Time) string {
	c, from, ok := r.Since(period, p, instruments(), now)
	if !ok {
		return "unknown"
	}
	return words(c, ok) + " in " + now.Sub(from).String()
}

// TestRecentParts: a position is held, grows, pays funding and is reduced by a snapshot.
func TestRecentParts(t *testing.T) {
	var r Recent
	in := instruments()
	states := map[int]*model.Position{
		0: state(10, 100, 100, 0, 0), 120: state(10, 100, 103, 0, 0), 200: state(20, 102, 105, 0, 0), 300: state(20, 102, 105, -85, 0), 600: state(5, 102, 104, -55, 0), 3700: state(5, 102, 110, -55, 0),
	}
	var p *model.Position
	for second := range 4000 {
		before := p
		if next := states[second]; next != nil {
			if p = next; before != nil && second != 600 && !IsPriceAlone(before, p) {
				r.Note(before, p, in)
			}
		}
		r.Sample(p, in, start.Add(time.Duration(second)*time.Second))
		now := start.Add(time.Duration(second) * time.Second)
		for _, c := range []struct {
			second, period int
			want           string
		}{
			{30, 1, "price 0 trading 0 loss 0 in 30s"},
			{130, 0, "price 30 trading 0 loss 0 in 1m0s"},
			{179, 0, "price 30 trading 0 loss 0 in 1m0s"},
			{181, 0, "price 0 trading 0 loss 0 in 1m0s"},
			{210, 0, "price 20 trading 10 loss 0 in 1m0s"}, // 10 at 104, marked at 105
			{210, 2, "price 50 trading 10 loss 0 in 3m30s"},
			{310, 0, "price 0 trading 0 loss 0 other -85 in 1m0s"},
			{310, 1, "price 50 trading 10 loss 0 other -85 in 5m0s"},
			{610, 0, "price -20 trading 0 loss 0 in 1m0s"}, // 15 of 20 at 104, of which the snapshot says only the realised PnL
			{610, 2, "price 30 trading 10 loss 0 other -85 in 10m10s"},
			{3710, 0, "price 30 trading 0 loss 0 in 1m0s"},
			{3710, 2, "price 60 trading 10 loss 0 other -85 in 1h0m50s"},
			{3999, 2, "price 10 trading 0 loss 0 in 1h0m39s"},
		} {
			if c.second != second {
				continue
			}
			if got := sinceWords(&r, c.period, p, now); got != c.want {
				t.Errorf("after %ds, in %s: %s, want %s", second, Periods[c.period], got, c.want)
			}
		}
	}
}

// TestRecentPartsAddUp to the change exactly, in integers and in numbers with points, whatever happens.
func TestRecentPartsAddUp(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 2))
		in := instruments()
		some := func(most int64) string {
			n := model.AmountOf(random.Int64N(2*most) - most)
			if seed%3 == 0 || seed%3 == 1 && random.IntN(2) == 0 {
				return n.Scaled(2, false)
			}
			return n.String()
		}
		var r Recent
		var at []time.Time
		var states []*model.Position
		now := start
		p := state(0, 0, 0, 0, 0)
		for range 500 {
			now = now.Add(time.Duration(random.Int64N(20_000)) * time.Millisecond)
			next := *p
			next.SetNumber(model.UnrealisedPnl, model.ParseAmount(some(90)))
			if random.IntN(5) == 0 {
				for _, field := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.RealisedPnl, model.LossSocialisationAmount} {
					if random.IntN(2) == 0 {
						next.SetNumber(field, model.ParseAmount(some(99)))
					}
				}
			}
			if !IsPriceAlone(p, &next) && random.IntN(3) > 0 {
				r.Note(p, &next, in)
			}
			p = &next
			r.Sample(p, in, now)
			states, at = append(states, p), append(at, now)
			for i := range Periods {
				c, from, ok := r.Since(i, p, in, now)
				if !ok {
					t.Fatalf("seed %d: nothing is known", seed)
				}
				var want model.Sum
				for j := range states {
					if at[j].Equal(from) {
						before, _ := profitOf(states[j], 2)
						want, _ = profitOf(p, 2)
						want.SubtractSum(before)
						break
					}
				}
				got := c.Total()
				if !got.Amount(2).IsNumber() || got.Amount(2).Compare(want.Amount(2)) != 0 {
					t.Fatalf("seed %d: the parts of %s are %s together, and the change is %s", seed, Periods[i], got.Amount(2), want.Amount(2))
				}
			}
		}
	}
}

// TestRecentIsBounded, and its points are as far apart as they should be.
func TestRecentIsBounded(t *testing.T) {
	var r Recent
	p := state(10, 100, 100, 0, 0)
	for second := range 20_000 {
		now := start.Add(time.Duration(second) * time.Second)
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(int64(second)))
		r.Sample(p, instruments(), now)
		for i, period := range Periods {
			if n := len(r.points[i]); n > pointsOfPeriod+2 {
				t.Fatalf("%d points of %s", n, period)
			}
			_, from, _ := r.Since(i, p, instruments(), now)
			if late := now.Sub(from) - period; second > 3700 && (late < 0 || late >= period/pointsOfPeriod) {
				t.Fatalf("the change of %s is one of %s", period, now.Sub(from))
			}
		}
	}
	if at := start.Add((20_000 - 3661) * time.Second); r.Reaches().Before(at) {
		t.Errorf("it reaches back to %s", r.Reaches())
	}
}

// TestWhatRecentForgets: what cannot be known any more.
func TestWhatRecentForgets(t *testing.T) {
	p, text := state(10, 100, 100, 0, 0), state(10, 100, 100, 0, 0)
	text.SetNumber(model.UnrealisedPnl, model.ParseAmount("much"))
	known := "price 0 trading 0 loss 0 in 10s"
	for name, c := range map[string]struct {
		do   func(*Recent)
		want string
	}{
		"nothing":                  {func(*Recent) {}, known},
		"a new position":           {func(r *Recent) { r.Note(nil, p, instruments()) }, "unknown"},
		"a position that is gone":  {func(r *Recent) { r.Note(p, nil, instruments()) }, "unknown"},
		"no number":                {func(r *Recent) { r.Sample(text, instruments(), start.Add(time.Second)) }, "unknown"},
		"a clock that was set":     {func(r *Recent) { r.Sample(p, instruments(), start.Add(-time.Hour)) }, "price 0 trading 0 loss 0 in 1h0m10s"},
		"a clock that stands":      {func(r *Recent) { r.Sample(p, instruments(), start.Add(-time.Second)) }, known},
		"other decimals":           {func(r *Recent) { r.Sample(p, instruments().WithAsset(model.Asset{ID: asset, Decimals: 5}), start) }, known},
		"a trade without a before": {func(r *Recent) { r.Note(state(20, 100, 100, 0, 0), p, instruments()) }, known},
	} {
		var r Recent
		r.Sample(p, instruments(), start)
		c.do(&r)
		if got := sinceWords(&r, 2, p, start.Add(10*time.Second)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	var r Recent
	r.Sample(p, instruments(), start)
	if _, _, ok := r.Since(0, text, instruments(), start); ok {
		t.Error("the change to what is no number is known")
	}
	other := *p
	other.Market = model.MakeID("b2")
	if _, _, ok := r.Since(0, &other, instruments(), start); ok {
		t.Error("the change to another position is known")
	}
	if (&Recent{}).Reaches() != (time.Time{}) {
		t.Error("an empty one reaches back")
	}
}

func ExampleRecent() {
	var r Recent
	held, sold := state(10, 100, 103, 0, 0), state(5, 100, 103, 25, 0)
	r.Sample(held, instruments(), start)
	r.Note(held, sold, instruments())
	fmt.Println(sinceWords(&r, 0, sold, start.Add(time.Minute)))
	// Output: price 0 trading 10 loss 0 in 1m0s
}
