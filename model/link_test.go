package model

import (
	"fmt"
	"testing"
	"time"
	"unsafe"
)

// asleep returns a time as a machine reads it after a sleep: its monotonic clock has stopped for so long. Package time
// cannot make such a time, so the monotonic clock is changed in the memory of a time.Time.
func asleep(now time.Time, slept time.Duration) time.Time {
	type layout struct {
		wall uint64
		ext  int64
		loc  *time.Location
	}
	(*layout)(unsafe.Pointer(&now)).ext -= int64(slept)
	return now
}

func TestFreshness(t *testing.T) {
	now := time.Now()
	ago := func(seconds int) time.Time { return now.Add(-time.Duration(seconds) * time.Second) }
	lagging := Lag{By: 90 * time.Second, Shown: LagOfBlock}
	for name, c := range map[string]struct {
		link Link
		want Freshness
		age  int
	}{
		"requested":                          {Link{}, FreshConnecting, 0},
		"snapshot comes":                     {Link{MessageAt: ago(1)}, FreshConnecting, 0},
		"message just now":                   {Link{Committed: true, MessageAt: now}, FreshLive, 0},
		"message lately":                     {Link{Committed: true, MessageAt: ago(9)}, FreshLive, 9},
		"silent for a while":                 {Link{Committed: true, MessageAt: ago(10)}, FreshQuiet, 10},
		"silent for long, verified":          {Link{Committed: true, MessageAt: ago(600), VerifiedAt: ago(20)}, FreshQuiet, 600},
		"silent, and no check could be sent": {Link{Committed: true, MessageAt: ago(50)}, FreshStale, 50},
		"a response, too long ago":           {Link{Committed: true, MessageAt: ago(600), RespondedAt: ago(50)}, FreshStale, 50},
		"a response lately":                  {Link{Committed: true, MessageAt: ago(600), RespondedAt: ago(20), VerifiedAt: ago(500)}, FreshQuiet, 600},
		"no check may be sent":               {Link{Committed: true, MessageAt: ago(600), VerifiedAt: ago(300), PostponedUntil: now.Add(1)}, FreshQuiet, 600},
		"broken":                             {Link{Committed: true, MessageAt: ago(50), StaleSince: ago(47)}, FreshStale, 47},
		"broken before any row":              {Link{StaleSince: ago(5)}, FreshStale, 5},
		"behind":                             {Link{Committed: true, MessageAt: now, Lag: lagging}, FreshBehind, 90},
		"behind, and silent":                 {Link{Committed: true, MessageAt: ago(600), VerifiedAt: ago(20), Lag: lagging}, FreshBehind, 90},
		"behind, and another node is not": {
			Link{Committed: true, MessageAt: now, Lag: lagging, NewestBlock: Block{Height: 9, Time: now}, NewestBlockAt: now}, FreshBehind, 90},
		"the rows of before an empty snapshot": {
			Link{Committed: true, MessageAt: now, Lag: Lag{By: time.Second, Shown: LagOfEmptySnapshot, Since: ago(40)}}, FreshBehind, 40},
		"its snapshot has no last page": {Link{Partial: true, MessageAt: ago(12)}, FreshPartial, 12},
		"nor that of a later stream":    {Link{Committed: true, Partial: true, MessageAt: ago(1)}, FreshPartial, 1},
		"nor that, and it is behind":    {Link{Partial: true, MessageAt: now, Lag: lagging}, FreshBehind, 90},
		"nor that, and it broke":        {Link{Partial: true, MessageAt: now, StaleSince: ago(3)}, FreshStale, 3},
	} {
		got, age := c.link.Freshness(now)
		if got != c.want || age != time.Duration(c.age)*time.Second {
			t.Errorf("%s: %v for %v, want %v for %ds", name, got, age, c.want, c.age)
		}
	}
}

// TestASleepIsDetected: the monotonic clock stops while a machine sleeps, and the wall clock may be set meanwhile.
func TestASleepIsDetected(t *testing.T) {
	began := time.Now()
	for name, c := range map[string]struct {
		wall, monotonic time.Duration // by how much each clock advances
		want            Freshness
	}{
		"a second":                       {time.Second, time.Second, FreshLive},
		"a sleep of eight hours":         {8 * time.Hour, time.Second, FreshStale},
		"the clock is set back":          {-time.Hour, time.Second, FreshStale},
		"the clock is corrected a bit":   {-time.Second, time.Second, FreshLive},
		"a sleep, and the clock is back": {-2 * time.Hour, 10 * time.Second, FreshStale},
		"a short sleep":                  {30 * time.Second, time.Second, FreshQuiet},
	} {
		link := Link{Committed: true, MessageAt: began}
		now := asleep(began.Add(c.wall), c.wall-c.monotonic)
		if got, _ := link.Freshness(now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	limited := Link{Committed: true, MessageAt: began, PostponedUntil: began.Add(10 * time.Minute)}
	if got, _ := limited.Freshness(asleep(began.Add(8*time.Hour), 8*time.Hour-time.Second)); got != FreshStale {
		t.Errorf("after a sleep with a limit: %v, want STALE", got)
	}
}

// TestWhatEachFreshnessSaysOfRows: a new word needs its line here.
func TestWhatEachFreshnessSaysOfRows(t *testing.T) {
	type said struct{ isStale, mayLackChanges bool }
	want := map[Freshness]said{
		FreshLive: {}, FreshQuiet: {}, FreshPartial: {}, FreshConnecting: {},
		FreshBehind: {mayLackChanges: true},
		FreshStale:  {isStale: true, mayLackChanges: true},
	}
	for _, freshness := range Freshnesses() {
		about, isKnown := want[freshness]
		if !isKnown {
			t.Errorf("this test does not know what %v says of rows", freshness)
		}
		if got := (said{freshness.IsStale(), freshness.MayLackChanges()}); got != about {
			t.Errorf("%v says %+v of rows, want %+v", freshness, got, about)
		}
	}
}

func TestWorstIsTheStalestForLongest(t *testing.T) {
	now := time.Now()
	live := Link{Committed: true, MessageAt: now}
	quiet := Link{Committed: true, MessageAt: now.Add(-30 * time.Second)}
	late := Link{Committed: true, MessageAt: now, LateBy: 6 * time.Second}
	later := Link{Committed: true, MessageAt: now.Add(-30 * time.Second), LateBy: 12 * time.Second}
	partial := Link{Partial: true, MessageAt: now}
	behind := Link{Committed: true, MessageAt: now, Lag: Lag{By: time.Second, Shown: LagOfRows}}
	stale := Link{Committed: true, StaleSince: now.Add(-time.Second)}
	staler := Link{Committed: true, StaleSince: now.Add(-time.Hour)}
	for _, c := range []struct {
		links []Link
		worst int
	}{
		{[]Link{live}, 0},
		{[]Link{live, quiet}, 1},
		{[]Link{quiet, late, live}, 1},
		{[]Link{late, later, quiet}, 1},
		{[]Link{later, partial, late}, 1},
		{[]Link{quiet, partial, live}, 1},
		{[]Link{partial, behind, live}, 1},
		{[]Link{quiet, {}, live, behind}, 1},
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
	if got, want := fmt.Sprint(Phases()), "[connecting syncing live waiting refused]"; got != want {
		t.Errorf("the phases are %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(Freshnesses()), "[LIVE QUIET PARTIAL BEHIND CONNECTING STALE]"; got != want {
		t.Errorf("the words of freshness are %s, want %s", got, want)
	}
}
