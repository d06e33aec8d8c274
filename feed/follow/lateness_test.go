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
			l.add(age, age, c.excused, began.Add(time.Duration(m.second)*time.Second))
		}
		if want := time.Duration(c.want) * time.Second; l.by != want {
			t.Errorf("%s: late by %s, want %s", name, l.by, want)
		}
	}
	var l lateness
	for i := range 3 { // no time of the message has moved: it may be the old time of another change
		l.add(time.Minute, -1, 0, time.Unix(int64(i), 0))
	}
	if l.by != 0 {
		t.Errorf("late by %s without a change that is known", l.by)
	}
}
