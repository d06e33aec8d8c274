package history

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
)

var asset = model.MakeID("usdt")

// lineOf returns a line with the totals of some dates.
func lineOf(totals map[string]int64, dates ...string) *DayLine {
	line := &DayLine{Scope: "all", Asset: asset, Decimals: 2}
	for _, date := range dates {
		line.addTotal(date, DayTotal{Total: model.AmountOf(totals[date])})
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

// TestChangesOfDays: a day is compared with the day before that has a total; a day without one is a gap.
func TestChangesOfDays(t *testing.T) {
	line := lineOf(map[string]int64{"2026-11-20": 100, "2026-11-23": 250, "2026-11-24": 50}, "2026-11-20", "2026-11-23", "2026-11-24")
	line.addTotal("2026-11-24", DayTotal{Total: model.AmountOf(-50)})
	want := []string{"2026-11-20 0 gap 0 first true", "2026-11-23 150 gap 2 first false", "2026-11-24 -300 gap 0 first false"}
	for i := range line.Days {
		c := line.Change(i)
		if got := fmt.Sprintf("%s %s gap %d first %t", c.Date, c.Change, c.Gap, c.IsFirst); got != want[i] {
			t.Errorf("day %d is %q, want %q", i, got, want[i])
		}
	}
}

// TestDaysAreBounded: 400 of a line, and a limited number of lines.
func TestDaysAreBounded(t *testing.T) {
	line, start := new(DayLine), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range MaxDays + 5 {
		line.addTotal(start.AddDate(0, 0, i).Format(time.DateOnly), DayTotal{Total: model.AmountOf(int64(i))})
	}
	if len(line.Days) != MaxDays || line.Days[0].Date != "2026-01-06" {
		t.Errorf("%d days from %s on", len(line.Days), line.Days[0].Date)
	}
	var days Days
	for i := range MaxDayLines + 3 {
		at := start.Add(time.Duration(i) * time.Hour)
		days.lineOf(fmt.Sprint("scope", i), asset, 2).addTotal("2026-01-01", DayTotal{At: at, Total: model.AmountOf(1)})
	}
	if lines := days.Clone(); len(lines) != MaxDayLines || lines[0].Scope != "scope3" {
		t.Errorf("%d lines from %s on", len(lines), lines[0].Scope)
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
	a := DayLine{Scope: "all", Asset: asset, Decimals: 2, Days: []Day{{"2026-11-27", total(1), total(2)}, {"2026-11-28", total(9), total(12)}}}
	b := DayLine{Scope: "all", Asset: asset, Decimals: 2, Days: []Day{{"2026-11-28", total(8), total(11)}, {"2026-11-29", total(20), total(21)}}}
	other := DayLine{Scope: "desk-1", Asset: asset, Decimals: 2, Days: b.Days}
	merged := Merged([]DayLine{a}, []DayLine{b, other})
	if len(merged) != 2 || len(merged[0].Days) != 3 || len(merged[1].Days) != 2 {
		t.Fatalf("the lines are %+v", merged)
	}
	if day := merged[0].Days[1]; !day.First.At.Equal(at(8)) || !day.Last.At.Equal(at(12)) {
		t.Errorf("the day of both is %+v", day)
	}
}
