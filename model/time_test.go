package model_test

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

// TestTimes are those that services send. What is not understood is no time.
func TestTimes(t *testing.T) {
	at := time.Date(2026, 11, 21, 5, 12, 40, 0, time.UTC)
	for text, want := range map[string]struct {
		at   time.Time
		unit model.TimeUnit
	}{
		"1795237960":                          {at, model.InSeconds},
		"1795237960702":                       {at.Add(702 * time.Millisecond), model.InMilliseconds},
		"1795237960702446":                    {at.Add(702446 * time.Microsecond), model.InMicroseconds},
		"1795237960702446001":                 {at.Add(702446001), model.InNanoseconds},
		"2026-11-21T05:12:40Z":                {at, model.InRFC3339},
		"2026-11-21T05:12:40.702446001Z":      {at.Add(702446001), model.InRFC3339},
		"2026-11-21T06:12:40.7+01:00":         {at.Add(700 * time.Millisecond), model.InRFC3339},
		"2026-11-20T19:42:40.702446001-09:30": {at.Add(702446001), model.InRFC3339},
		"978307200":                           {time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), model.InSeconds},
		"978307200000000000":                  {time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC), model.InNanoseconds},
		"4102444799":                          {time.Date(2099, 12, 31, 23, 59, 59, 0, time.UTC), model.InSeconds},
		"4102444799999":                       {time.Date(2099, 12, 31, 23, 59, 59, 999e6, time.UTC), model.InMilliseconds},
		"4102444799999999999":                 {time.Date(2099, 12, 31, 23, 59, 59, 999999999, time.UTC), model.InNanoseconds},
		"631152000":                           {time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), model.InSeconds},
		"631151999":                           {}, // of 1989
		"631151999999":                        {},
		"631151999999999999":                  {},
		"4102444800":                          {}, // of 2100
		"4102444800000":                       {},
		"4102444800000000000":                 {},
		"9223372036854775807":                 {},
		"9223372036854775808":                 {}, // one more than 64 bits hold
		"-1":                                  {},
		"-1795237960":                         {},
		"0":                                   {},
		"":                                    {},
		"1.5":                                 {},
		"1795237960.702":                      {},
		"01795237960":                         {},
		"1,795,237,960":                       {},
		"20261121":                            {},
		"20261121051240":                      {}, // would be a time of 2612 in milliseconds
		"2026-11-21":                          {},
		"2026-11-21 05:12:40":                 {},
		"2026-11-21T05:12:40":                 {}, // without a zone
		"2026-13-21T05:12:40Z":                {},
		"1989-12-31T23:59:59Z":                {},
		"2100-01-01T00:00:00Z":                {},
		"Sat, 21 Nov 2026 05:12:40 GMT":       {},
		"soon":                                {},
	} {
		a := model.ParseAmount(text)
		got, ok := a.Time()
		if ok == want.at.IsZero() || ok && !got.Equal(want.at) || a.TimeUnit() != want.unit {
			t.Errorf("%q is %v, %v, in %v; want %v", text, got, ok, a.TimeUnit(), want)
		}
		if isOdd := a.IsOddTime(); isOdd != (!ok && text != "" && text != "0") {
			t.Errorf("%q is sent in place of a time: %t", text, isOdd)
		}
		if a.String() != text {
			t.Errorf("%q is shown as %q", text, a)
		}
	}
}

// TestTimesInOrder, in whatever unit each is sent.
func TestTimesInOrder(t *testing.T) {
	inOrder := strings.Fields("-5 0 20261121 1795237960 2026-11-21T05:12:40.5Z 1795237960702 2026-11-21T06:12:40.703+01:00 1795237960704000 1795237960705000000 soon")
	for i, x := range inOrder {
		for j, y := range inOrder {
			a, b := model.ParseAmount(x), model.ParseAmount(y)
			if got, want := a.CompareTime(b), min(max(i-j, -1), 1); got != want {
				t.Errorf("%s and %s compare as %d", x, y, got)
			}
		}
	}
}

// TestTheUnitsOfTimes in words, and the first time that is not understood.
func TestTheUnitsOfTimes(t *testing.T) {
	for texts, want := range map[string][2]string{
		"":                                       {"", ""},
		"0":                                      {"", ""},
		"1795237960 1795237961":                  {"seconds", ""},
		"2026-11-21T05:12:40Z 1795237960702":     {"milliseconds and RFC 3339", ""},
		"soon 1795237960702446 later 20261121 0": {"microseconds", "soon"},
	} {
		var one, both model.TimeUnits
		for _, text := range strings.Fields(texts) {
			one.Add(model.ParseAmount(text))
		}
		both.Merge(&one)
		for _, units := range []*model.TimeUnits{&one, &both} {
			odd, found := units.Odd()
			if got := [2]string{units.String(), odd.String()}; !found && want[1] == "" && got[0] != want[0] || found && got != want || found != (want[1] != "") {
				t.Errorf("%q: %q, %t", texts, got, found)
			}
		}
	}
}
