package history

import (
	"fmt"
	"testing"
	"time"
	_ "time/tzdata" // for systems without a database of time zones

	"blotter/model"
)

var asset = model.MakeID("usdt")

// lineOf returns a line with the totals of some dates.
func lineOf(totals map[string]int64, dates ...string) *DayLine {
	line := &DayLine{DayKey: DayKey{Scope: "all", Asset: asset, Decimals: 2}}
	for _, date := range dates {
		line.addTotal(&Day{Date: date, Last: DayTotal{Total: model.AmountOf(totals[date])}})
	}
	return line
}

func TestDateOfADay(t *testing.T) {
	for _, c := range []struct{ begins, at, want string }{
		{"0s", "2026-11-28 00:00:00", "2026-11-28"}, {"0s", "2026-11-28 23:59:59", "2026-11-28"},
		{"17h", "2026-11-28 16:59:59", "2026-11-27"}, {"17h", "2026-11-28 17:00:00", "2026-11-28"}, {"17h30m", "2026-03-01 17:29:00", "2026-02-28"},
	} {
		begins, _ := time.ParseDuration(c.begins)
		at, _ := time.Parse(time.DateTime, c.at)
		if got := (&Days{Begins: begins}).Date(at); got != c.want {
			t.Errorf("a day that begins at %s: %s is of %s, want %s", c.begins, c.at, got, c.want)
		}
	}
}

// TestDaysAreBounded: 400 of a line, and a limited number of lines.
func TestDaysAreBounded(t *testing.T) {
	line, start := new(DayLine), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range MaxDays + 5 {
		line.addTotal(&Day{Date: start.AddDate(0, 0, i).Format(time.DateOnly), Last: DayTotal{Total: model.AmountOf(int64(i))}})
	}
	if len(line.Days) != MaxDays || line.Days[0].Date != "2026-01-06" {
		t.Errorf("%d days from %s on", len(line.Days), line.Days[0].Date)
	}
	var days Days
	for i := range MaxDayLines + 3 {
		at := start.Add(time.Duration(i) * time.Minute)
		days.Add(DayKey{Party: model.MakeID(fmt.Sprintf("%04d", i)), Asset: asset, Decimals: 2}, at, sumOf(1), nil)
	}
	if lines := days.Clone(); len(lines) != MaxDayLines || lines[0].Party.String() != "0003" {
		t.Errorf("%d lines from %s on", len(lines), lines[0].Party)
	}
}

// TestAClockThatWasWrong: days that are later than now are dropped, so that today has a total.
func TestAClockThatWasWrong(t *testing.T) {
	line := lineOf(nil, "2026-11-27", "2026-12-24", "2026-11-28")
	if len(line.Days) != 2 || line.Days[1].Date != "2026-11-28" {
		t.Errorf("the days are %+v", line.Days)
	}
}

// TestMergedDays: two programs that ran on the same days lose nothing of each other.
func TestMergedDays(t *testing.T) {
	at := func(hour int) time.Time { return time.Date(2026, 11, 28, hour, 0, 0, 0, time.UTC) }
	total := func(hour int) DayTotal { return DayTotal{at(hour), model.AmountOf(int64(hour))} }
	day := func(date string, first, last DayTotal) *Day { return &Day{Date: date, First: first, Last: last} }
	key := DayKey{Scope: "all", Asset: asset, Decimals: 2}
	a := DayLine{key, []*Day{day("2026-11-27", total(1), total(2)), day("2026-11-28", total(9), total(12))}}
	b := DayLine{key, []*Day{day("2026-11-28", total(8), total(11)), day("2026-11-29", total(20), total(21))}}
	key.Party = model.MakeID("desk-1")
	other := DayLine{key, b.Days}
	merged := Merged([]DayLine{a}, []DayLine{b, other})
	if len(merged) != 2 || len(merged[0].Days) != 3 || len(merged[1].Days) != 2 {
		t.Fatalf("the lines are %+v", merged)
	}
	if day := merged[0].Days[1]; !day.First.At.Equal(at(8)) || !day.Last.At.Equal(at(12)) {
		t.Errorf("the day of both is %+v", day)
	}
}

// TestADayWithoutMidnight begins an hour later: there, summer time begins at midnight.
func TestADayWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	for begins, want := range map[time.Duration]string{0: "2025-09-07 01:00", 8 * time.Hour: "2025-09-07 08:00"} {
		days := NewDays(Kept{}, begins)
		if got := days.BeganAt(time.Date(2025, 9, 7, 14, 0, 0, 0, zone)).Format("2006-01-02 15:04"); got != want {
			t.Errorf("the day began at %s, want %s", got, want)
		}
	}
}
