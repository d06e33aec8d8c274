package event

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// told has the stories that Troubles tells of one position, whose states are given in turn.
type told struct {
	troubles Troubles
	log      Log
	before   model.Position
	now      time.Time
}

func newTold(size, realised, unrealised int64) *told {
	s := &told{troubles: Troubles{Present: new(Present)}, now: time.Unix(1_800_000_000, 0)}
	s.before = stateOf(size, realised, unrealised, model.StatusUnspecified, s.now)
	return s
}

func stateOf(size, realised, unrealised int64, status model.Status, at time.Time) model.Position {
	p := *modeltest.Holding(fmt.Sprint(size))
	p.SetNumber(model.RealisedPnl, model.AmountOf(realised))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(unrealised))
	p.SetStatus([]byte(fmt.Sprint(int32(status))))
	p.SetNumber(model.UpdatedAt, model.AmountOf(at.UnixNano()))
	return p
}

// change gives the next state, some time later.
func (s *told) change(after time.Duration, size, realised, unrealised int64, status model.Status) {
	s.changeBy(book.ChangedByUpdate, after, size, realised, unrealised, status)
}

func (s *told) changeBy(source book.ChangeSource, after time.Duration, size, realised, unrealised int64, status model.Status) {
	s.now = s.now.Add(after)
	next := stateOf(size, realised, unrealised, status, s.now)
	if e, ok := New(&s.before, &next, source, s.now); ok {
		s.troubles.Take(&s.log, e)
	} else {
		s.troubles.NoteUnchanged(&s.log, &s.before, &next, s.now)
	}
	s.before = next
}

// stories returns what is told: "closed out, was 100, -9450, realised -9500", in the order in which they began.
func (s *told) stories() string {
	names := [...]string{IsUnderWay: "under way", ClosedOut: "closed out", PartlyClosedOut: "partly", ClosedDistressed: "closed distressed",
		ClosedRecovered: "closed", SideChanged: "side", Recovered: "recovered", Gone: "gone"}
	var all []string
	for number, e := range s.log.Lasting() {
		if of := e.Story; of != nil && of.Number == number {
			now := of.Last()
			if of.Outcome == IsUnderWay {
				now = &s.before
			}
			total, realised := of.Change(now, 0)
			word := [...]string{"", " last seen", " first seen"}[of.Before.Of]
			all = append([]string{fmt.Sprintf("%s, was %s, %s, realised %s%s", names[of.Outcome], of.Size(), total, realised, word)}, all...)
		}
	}
	return strings.Join(all, "; ")
}

const (
	none       = model.StatusUnspecified
	orders     = model.StatusOrdersClosed
	closedOut  = model.StatusClosedOut
	distressed = model.StatusDistressed
)

// TestStories has one close-out of each form.
func TestStories(t *testing.T) {
	second := time.Second
	for name, c := range map[string]struct {
		do   func(s *told)
		want string
	}{
		"in several steps": {func(s *told) {
			s.change(second, 100, 0, -400, distressed)
			s.change(second, 40, -300, -200, closedOut)
			s.change(second, 0, -9500, 0, closedOut)
		}, "closed out, was 100, -9450, realised -9500"},
		"in one step": {func(s *told) { s.change(second, 0, -9500, 0, closedOut) }, "closed out, was 100, -9450, realised -9500"},
		"partly": {func(s *told) {
			s.change(second, 60, -300, -200, closedOut)
		}, "under way, was 100, -450, realised -300"},
		"partly, and well for a minute": {func(s *told) {
			s.change(second, 60, -300, -200, closedOut)
			s.change(second, 60, -300, -100, none)
			s.change(time.Minute, 60, -300, -90, none)
		}, "partly, was 100, -350, realised -300"},
		"a status alone": {func(s *told) {
			s.change(second, 100, 0, -60, closedOut)
			s.change(second, 100, 0, -70, none)
		}, ""},
		"smaller after the status": {func(s *told) {
			s.change(second, 100, 0, -60, closedOut)
			s.change(second, 90, -10, -60, closedOut)
		}, "under way, was 100, -20, realised -10"},
		"a status that stays": {func(s *told) {
			s.change(second, 0, -100, 0, closedOut)
			s.change(second, 50, -100, 0, closedOut)
			s.change(second, 20, -130, 0, closedOut)
			s.change(second, 0, -150, 0, closedOut)
		}, "closed out, was 100, -50, realised -100"},
		"another side is another position": {func(s *told) {
			s.change(second, 100, 0, -400, distressed)
			s.change(second, -40, -500, 0, distressed)
			s.change(second, 0, -600, 0, closedOut)
		}, "side, was 100, -450, realised -500; closed out, was 100, -200, realised -600"},
		"while distressed": {func(s *told) {
			s.change(second, 100, 0, -400, distressed)
			s.change(second, 0, -420, 0, none)
		}, "closed distressed, was 100, -370, realised -420"},
		"orders alone": {func(s *told) { s.change(second, 100, 0, -400, orders) }, ""},
		"well for less than a minute": {func(s *told) {
			s.change(second, 100, 0, -400, distressed)
			s.change(second, 100, 0, -40, orders)
			s.change(59*second, 100, 0, -30, orders)
			s.change(second/2, 100, 0, -500, distressed)
			s.change(second, 0, -600, 0, closedOut)
		}, "closed out, was 100, -550, realised -600"},
		"found by a snapshot": {func(s *told) {
			s.changeBy(book.ChangedBySnapshot, second, 0, -660, 0, closedOut)
		}, "closed out, was 100, -610, realised -660 last seen"},
	} {
		s := newTold(100, 0, -50)
		c.do(s)
		if got := s.stories(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// plainStory is an independent calculation: what is under way, from all states of a position.
type plainStory struct {
	isUnderWay, isLeft bool // isLeft: the status CLOSED_OUT says nothing
	began, waitsFor    plainReference
	waits              bool
	wellAt             time.Time
	ended              []string // the change of realised and unrealised PnL together of stories that ended flat
}

// plainReference is the realised and unrealised PnL together before a story, and whether it is only the one seen last.
type plainReference struct {
	sum        int64
	isLastSeen bool
}

func (p *plainStory) change(before, after [4]int64, at time.Time, isUpdate bool) {
	if p.isUnderWay && !p.wellAt.IsZero() && at.Sub(p.wellAt) >= time.Minute {
		p.isUnderWay = false
	}
	was, is, status := before[0], after[0], model.Status(after[3])
	reference := plainReference{before[1] + before[2], !isUpdate}
	begin := func(from plainReference) {
		if !p.isUnderWay {
			p.isUnderWay, p.began, p.wellAt = true, from, time.Time{}
		}
	}
	switch isReduced := is*was > 0 && is*is < was*was; {
	case was == 0 && is == 0:
		return
	case was == 0 || is*was < 0:
		p.isUnderWay, p.waits, p.isLeft = false, false, status == closedOut
		if status == distressed {
			begin(reference)
		}
		return
	case is == 0:
		if status == distressed || status == closedOut && !p.isLeft {
			if status == closedOut && p.waits {
				begin(p.waitsFor)
			}
			begin(reference)
		}
		if p.isUnderWay {
			p.ended = append(p.ended, fmt.Sprint(after[1]+after[2]-p.began.sum, p.began.isLastSeen))
		}
		*p = plainStory{ended: p.ended}
		return
	case status == distressed:
		begin(reference)
	case status == closedOut && !p.isLeft && isReduced && p.waits:
		begin(p.waitsFor)
	case status == closedOut && !p.isLeft && isReduced:
		begin(reference)
	case status == closedOut && !p.isLeft && !p.isUnderWay && model.Status(before[3]) != closedOut:
		p.waits, p.waitsFor = true, reference
	}
	if status != closedOut {
		p.waits, p.isLeft = false, false
	}
	if p.isUnderWay {
		p.waits = false
	}
	switch {
	case status == distressed || status == closedOut:
		p.wellAt = time.Time{}
	case p.wellAt.IsZero():
		p.wellAt = at
	}
}

// TestStoriesAgreeWithAPlainCalculation of random services: in one step and in several, opened again, statuses that
// stay, positions that are well again for different times, and outages after which a snapshot or an audit has what
// became of them.
func TestStoriesAgreeWithAPlainCalculation(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 59))
		s, plain := newTold(100, 0, -50), &plainStory{}
		state := [4]int64{100, 0, -50, int64(none)}
		for range 3000 {
			next := state
			if random.IntN(3) == 0 {
				next[0] = []int64{0, 0, 100, 60, 40, -40, 100}[random.IntN(7)]
			}
			if random.IntN(3) == 0 {
				next[3] = int64([]model.Status{none, none, orders, closedOut, distressed}[random.IntN(5)])
			}
			next[1], next[2] = next[1]-random.Int64N(50), -random.Int64N(1000)
			if next[0] == 0 {
				next[2] = 0
			}
			after := []time.Duration{time.Second, 20 * time.Second, 59 * time.Second, 2 * time.Minute}[random.IntN(4)]
			source := book.ChangedByUpdate
			if random.IntN(8) == 0 {
				source = []book.ChangeSource{book.ChangedBySnapshot, book.ChangedByAudit}[random.IntN(2)]
			}
			s.changeBy(source, after, next[0], next[1], next[2], model.Status(next[3]))
			plain.change(state, next, s.now, source == book.ChangedByUpdate)
			state = next
		}
		var ended []string
		for number, e := range s.log.Lasting() {
			if of := e.Story; of != nil && of.Ended == number && !of.Last().IsOpen() && of.Outcome != Recovered {
				total, _ := of.Change(of.Last(), 0)
				ended = append([]string{fmt.Sprint(total, of.Before.Of == LastSeen)}, ended...)
			}
		}
		if got, want := fmt.Sprint(ended), fmt.Sprint(plain.ended); got != want || len(ended) < 50 {
			t.Errorf("seed %d: %d stories ended, want %d:\n%.300s\n%.300s", seed, len(ended), len(plain.ended), got, want)
		}
		_, isUnderWay := s.troubles.Present.UnderWay(s.before.Key)
		if isUnderWay != plain.isUnderWay {
			t.Errorf("seed %d: a story is under way: %v", seed, isUnderWay)
		}
	}
}

// TestWhatIsOutlastsTheLog: 20,000 events later, what was in alert still is, and a story is still under way.
func TestWhatIsOutlastsTheLog(t *testing.T) {
	s := newTold(100, 0, -50)
	s.change(time.Second, 100, 0, -400, distressed)
	s.troubles.Present.Put(Alert{Rule: 0, Key: s.before.Key, Begun: true, Since: s.now})
	other := modeltest.Holding("1")
	other.Market = model.MakeID("other")
	for range 20_000 {
		s.troubles.Take(&s.log, OfAlert(other, &AlertReport{Rule: "loss", Begins: true}, s.now))
	}
	if s.log.DroppedLasting() == 0 {
		t.Error("the log has dropped nothing")
	}
	if active, _ := s.troubles.Present.Counts(0); active != 1 || !s.troubles.Present.IsInAlert(s.before.Key) {
		t.Errorf("%d are in alert", active)
	}
	if older := s.troubles.Present.OlderStories(&s.log); len(older) != 1 || older[0].Key != s.before.Key {
		t.Errorf("%d older stories are under way", len(older))
	}
}
