package model

import (
	"testing"
	"time"
)

func TestFreshness(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	ago := func(seconds int) time.Time { return now.Add(-time.Duration(seconds) * time.Second) }
	for name, c := range map[string]struct {
		link Link
		want Freshness
		age  int
	}{
		"asked for":                {Link{}, FreshConnecting, 0},
		"snapshot coming in":       {Link{HeardAt: ago(1)}, FreshConnecting, 0},
		"just heard":               {Link{Committed: true, HeardAt: now}, FreshLive, 0},
		"heard lately":             {Link{Committed: true, HeardAt: ago(9)}, FreshLive, 9},
		"silent for a while":       {Link{Committed: true, HeardAt: ago(10)}, FreshQuiet, 10},
		"a pair without position":  {Link{Silent: true}, FreshQuiet, 0},
		"that was committed empty": {Link{Silent: true, Committed: true, HeardAt: ago(3)}, FreshQuiet, 3},
		"broken":                   {Link{Committed: true, HeardAt: ago(50), StaleSince: ago(47)}, FreshStale, 47},
		"broken before any row":    {Link{StaleSince: ago(5)}, FreshStale, 5},
	} {
		got, age := c.link.Freshness(now)
		if got != c.want || age != time.Duration(c.age)*time.Second {
			t.Errorf("%s: %v for %v, want %v for %ds", name, got, age, c.want, c.age)
		}
	}
}

func TestWorstIsTheStalestForLongest(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	live := Link{Committed: true, HeardAt: now}
	quiet := Link{Committed: true, HeardAt: now.Add(-time.Minute)}
	stale := Link{Committed: true, StaleSince: now.Add(-time.Second)}
	staler := Link{Committed: true, StaleSince: now.Add(-time.Hour)}
	for _, c := range []struct {
		links []Link
		worst int
	}{
		{[]Link{live}, 0},
		{[]Link{live, quiet}, 1},
		{[]Link{quiet, {}, live}, 1},
		{[]Link{live, stale, {}, staler, quiet, stale}, 3},
		{[]Link{stale, stale}, 0},
	} {
		if got := Worst(c.links, now); got != &c.links[c.worst] {
			t.Errorf("the worst of %+v is %+v", c.links, got)
		}
	}
	if Worst(nil, now) != nil {
		t.Error("there is a worst of no links")
	}
}

func TestWordsOfPhasesAndFreshness(t *testing.T) {
	for phase, want := range map[Phase]string{Connecting: "connecting", Syncing: "syncing", Live: "live", Waiting: "waiting", Refused: "refused"} {
		if phase.String() != want {
			t.Errorf("%v, want %s", phase, want)
		}
	}
	for freshness, want := range map[Freshness]string{FreshLive: "LIVE", FreshQuiet: "QUIET", FreshConnecting: "CONNECTING", FreshStale: "STALE"} {
		if freshness.String() != want {
			t.Errorf("%v, want %s", freshness, want)
		}
	}
}
