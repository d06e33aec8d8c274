package history

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

var firstDay = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func sumOf(n int) *model.Sum {
	sum := new(model.Sum)
	sum.Add(model.AmountOf(int64(n)))
	return sum
}

// addDay adds a day of a party, with the first and the last total; pnl is nil if it is not known. No party is all
// together.
func (d *Days) addDay(party string, day, first, last int, pnl *model.Sum) {
	of := DayKey{Party: model.MakeID(party), Scope: "each", Asset: asset, Decimals: 2}
	if party == "" {
		of.Scope = "whole"
	}
	at := firstDay.AddDate(0, 0, day)
	d.Add(of, at.Add(9*time.Hour), sumOf(first), nil)
	d.Add(of, at.Add(17*time.Hour), sumOf(last), pnl)
}

// changesOf returns the changes of some parties.
func (d *Days) changesOf(parties ...string) *DayChanges {
	var ids []model.ID
	for _, party := range parties {
		ids = append(ids, model.MakeID(party))
	}
	key := func(scope string) DayKey { return DayKey{Scope: scope, Asset: asset, Decimals: 2} }
	return d.Changes(ids, key("each"), key("whole"))
}

// TestChangesOfDaysByParty: a change is of parties with a total of the day before. The others count from their first
// total of the day, so that a wider scope is no profit.
func TestChangesOfDaysByParty(t *testing.T) {
	d := new(Days)
	d.addDay("", 0, 900, 1000, nil) // of an earlier version
	d.addDay("", 1, 1000, 1010, nil)
	d.addDay("", 2, 1010, 1020, nil) // a party has this day, too
	d.addDay("a", 2, 100, 107, nil)
	d.addDay("a", 3, 107, 110, nil)
	d.addDay("b", 3, 5000, 5001, nil)
	d.addDay("a", 6, 110, 130, sumOf(99)) // days between have no total, so that it is not of all that has changed
	d.addDay("b", 7, 5001, 5003, nil)
	d.addDay("a", 7, 130, 100, sumOf(7)) // a position with 37 has left the list
	key := DayKey{Party: model.MakeID("a"), Scope: "other markets", Asset: asset, Decimals: 2}
	d.Add(key, firstDay.AddDate(0, 0, 3), sumOf(77777), nil)
	want := map[string][]string{
		"": {"01 100 first true gap 0, 0 parties", "02 10 first false gap 0, 0 parties", "03 7 first true gap 0, 1 parties", "04 4 first false gap 0, 2 parties, 1 new",
			"07 20 first false gap 2, 1 parties, 1 missing", "08 9 first false gap 0, 2 parties, 1 new"},
		"b": {"01 100 first true gap 0, 0 parties", "02 10 first false gap 0, 0 parties", "03 10 first false gap 0, 0 parties", "04 1 first true gap 0, 1 parties, 1 new",
			"08 2 first false gap 3, 1 parties"},
	}
	for party, want := range want {
		var parties, got []string
		if party != "" {
			parties = []string{party}
		}
		for _, c := range d.changesOf(parties...).All() {
			text := fmt.Sprintf("%s %s first %t gap %d, %d parties", c.Date[8:], c.Change, c.IsFirst, c.Gap, c.Parties)
			if c.NewSince > 0 && (c.Parties > 1 || party != "") {
				text += fmt.Sprintf(", %d new", c.NewSince)
			}
			if c.Missing > 0 {
				text += fmt.Sprintf(", %d missing", c.Missing)
			}
			got = append(got, text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the days of %q are\n%q, want\n%q", party, got, want)
		}
	}
}

// TestTheLastDayGoesOn: a total that is added later is in what was counted before; another day is not.
func TestTheLastDayGoesOn(t *testing.T) {
	d := new(Days)
	for day := range MaxDays {
		d.addDay("a", day, day, day+1, nil)
	}
	counted := d.changesOf()
	d.addDay("a", MaxDays-1, 0, 1000, nil)
	if last := counted.All()[MaxDays-1]; !counted.IsCurrent() || last.Change.String() != fmt.Sprint(1000-(MaxDays-1)) {
		t.Errorf("the last day is %+v, current %t", last, counted.IsCurrent())
	}
	if d.addDay("a", MaxDays, 0, 0, nil); counted.IsCurrent() {
		t.Error("another day has begun, and nothing says it")
	}
}

// TestChangesOfAnyDays agree with an independent calculation.
func TestChangesOfAnyDays(t *testing.T) {
	type day struct{ first, last, pnl int }
	for seed := range uint64(modeltest.Times(50)) {
		random, d := rand.New(rand.NewPCG(seed, 10)), new(Days)
		parties := []string{"", "a", "b", "c"}
		all, dates := make(map[string]map[int]day), make(map[int]bool)
		for _, party := range parties {
			all[party] = make(map[int]day)
			for i := range 8 {
				if random.IntN(3) == 0 {
					continue
				}
				of := day{random.IntN(100), random.IntN(100), 0}
				var pnl *model.Sum
				if random.IntN(3) == 0 {
					of.pnl = 1000 + random.IntN(100)
					pnl = sumOf(of.pnl)
				}
				d.addDay(party, i, of.first, of.last, pnl)
				all[party][i], dates[i] = of, true
			}
		}
		before := -1
		var want, got []string
		for _, i := range slices.Sorted(maps.Keys(dates)) {
			counted, sum := parties[1:], 0
			if !slices.ContainsFunc(counted, func(party string) bool { _, is := all[party][i]; return is }) {
				counted = parties[:1]
			}
			for _, party := range counted {
				of, is := all[party][i]
				earlier, has := all[party][before]
				switch {
				case !is:
				case of.pnl > 0 && (!has || before == i-1):
					sum += of.pnl
				case has:
					sum += of.last - earlier.last
				default:
					sum += of.last - of.first
				}
			}
			want = append(want, fmt.Sprint(firstDay.AddDate(0, 0, i).Format(time.DateOnly), " ", sum))
			before = i
		}
		for _, c := range d.changesOf().All() {
			got = append(got, c.Date+" "+c.Change.String())
		}
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q, want %q", seed, got, want)
		}
	}
}
