package follow

import (
	"testing"
	"time"
)

// TestLateness: each message has the second in which it comes, and how old its newest change is then.
func TestLateness(t *testing.T) {
	type message struct{ second, age int }
	for name, c := range map[string]struct {
		messages []message
		excused  time.Duration
		want     int // seconds
	}{
		"in time":                      {[]message{{0, 1}, {1, 4}, {2, 0}}, 0, 0},
		"two":                          {[]message{{0, 9}, {1, 9}}, 0, 0},
		"three":                        {[]message{{0, 9}, {1, 9}, {2, 9}}, 0, 9},
		"from five seconds on":         {[]message{{0, 5}, {1, 5}, {2, 5}}, 0, 5},
		"not in a row":                 {[]message{{0, 9}, {1, 9}, {2, 1}, {3, 9}}, 0, 0},
		"later and later":              {[]message{{0, 9}, {1, 10}, {2, 11}, {3, 12}}, 0, 12},
		"less late":                    {[]message{{0, 19}, {1, 18}, {2, 17}, {3, 6}}, 0, 6},
		"collected by a proxy":         {[]message{{31, 31}, {31, 20}, {31, 9}, {31, 0}}, 0, 31},
		"the new ones come together":   {[]message{{31, 31}, {31, 20}, {31, 9}, {31, 2}, {31, 1}, {31, 0}}, 0, 31},
		"and the next ones":            {[]message{{31, 31}, {31, 20}, {31, 9}, {31, 0}, {62, 30}, {62, 1}, {62, 0}, {93, 29}, {93, 1}}, 0, 31},
		"no longer":                    {[]message{{0, 9}, {1, 9}, {2, 9}, {3, 1}, {4, 1}, {5, 1}}, 0, 0},
		"not yet":                      {[]message{{0, 9}, {1, 9}, {2, 9}, {3, 1}, {4, 1}}, 0, 9},
		"unknown":                      {[]message{{0, -1}, {1, -1}, {2, -1}}, 0, 0},
		"always, as an audit has said": {[]message{{0, 9}, {1, 9}, {2, 9}}, 8 * time.Second, 0},
		"later than always":            {[]message{{0, 14}, {1, 14}, {2, 14}}, 8 * time.Second, 14},
	} {
		var l lateness
		began := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
		for _, m := range c.messages {
			age := time.Duration(m.age) * time.Second
			l.add(age, age, c.excused, began.Add(time.Duration(m.second)*time.Second), fewRows+1)
		}
		if want := time.Duration(c.want) * time.Second; l.by != want {
			t.Errorf("%s: late by %s, want %s", name, l.by, want)
		}
	}
	var l lateness
	for i := range 3 { // no time of the message has moved: it may be the old time of another change
		l.add(time.Minute, -1, 0, time.Unix(int64(i), 0), 1)
	}
	if l.by != 0 {
		t.Errorf("late by %s without a change that is known", l.by)
	}
}

// TestLatenessOfAStreamOfFewRows: it is late from the second message in a row, or from one that is ten seconds late and
// is not the first one after a pause. One message in time ends that, if no more were late.
func TestLatenessOfAStreamOfFewRows(t *testing.T) {
	type message struct{ second, age int }
	for name, c := range map[string]struct {
		messages []message
		paused   int // before this message
		excused  time.Duration
		want     int
	}{
		"one":                           {[]message{{0, 1}, {20, 9}}, 0, 0, 0},
		"two":                           {[]message{{0, 1}, {20, 9}, {40, 8}}, 0, 0, 8},
		"not in a row":                  {[]message{{0, 9}, {20, 1}, {40, 9}}, 0, 0, 0},
		"one that is ten seconds late":  {[]message{{0, 1}, {20, 10}}, 0, 0, 10},
		"the first one":                 {[]message{{0, 40}}, 0, 0, 0},
		"the first one after a pause":   {[]message{{0, 1}, {20, 40}}, 1, 0, 0},
		"the second one after a pause":  {[]message{{0, 1}, {20, 1}, {40, 12}}, 1, 0, 12},
		"in time again":                 {[]message{{0, 1}, {20, 12}, {21, 1}}, 0, 0, 0},
		"in time, but together":         {[]message{{0, 1}, {20, 12}, {20, 1}}, 0, 0, 12},
		"three, and one in time":        {[]message{{0, 9}, {1, 9}, {2, 9}, {3, 1}}, 0, 0, 9},
		"three, and three in time":      {[]message{{0, 9}, {1, 9}, {2, 9}, {3, 1}, {4, 1}, {5, 1}}, 0, 0, 0},
		"as always":                     {[]message{{0, 1}, {20, 12}, {40, 12}}, 0, 8 * time.Second, 0},
		"two, and later in time, twice": {[]message{{0, 9}, {1, 9}, {5, 1}, {9, 9}, {10, 9}, {15, 1}}, 0, 0, 0},
	} {
		var l lateness
		began := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
		for i, m := range c.messages {
			if i > 0 && i == c.paused {
				l.resumed = false
			}
			age := time.Duration(m.age) * time.Second
			l.add(age, age, c.excused, began.Add(time.Duration(m.second)*time.Second), fewRows)
		}
		if want := time.Duration(c.want) * time.Second; l.by != want {
			t.Errorf("%s: late by %s, want %s", name, l.by, want)
		}
	}
}
