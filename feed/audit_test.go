package feed

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// lines are the positions streams of a service that the scene speaks for, each by itself, in the order in which
// they were asked for.
type lines struct {
	mu  sync.Mutex
	all []*line
}

type line struct {
	texts  chan string // closed: a clean end
	closed chan struct{}
}

func (l *lines) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	next := &line{texts: make(chan string, 100), closed: make(chan struct{})}
	l.mu.Lock()
	l.all = append(l.all, next)
	l.mu.Unlock()
	defer close(next.closed)
	for {
		select {
		case text, ok := <-next.texts:
			if !ok {
				return
			}
			_, _ = w.Write([]byte(text))
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func (l *lines) at(i int) *line {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[i]
}

func (l *line) isClosed() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

// audited runs a scene in which a stream has rows a, b and c, all of time 10, and an audit of it has begun.
func audited(t *testing.T, markets string, scene func(s *trial, streams *lines)) {
	t.Helper()
	streams := new(lines)
	playBefore(t, func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, streamPath) {
				streams.ServeHTTP(w, r)
				return
			}
			node.ServeHTTP(w, r)
		})
	}, func(s *trial) {
		s.watch("network", markets)
		if markets == "" {
			streams.at(0).texts <- pageText(true, rowText("network", "a", 1, 10), rowText("network", "b", 2, 10), rowText("network", "c", 3, 10))
		} else {
			streams.at(0).texts <- pageText(true, rowText("network", "a", 1, 10))
		}
		s.after(time.Second)
		s.feed.Resync()
		s.settle()
		if l := s.link(); !l.Auditing || l.Phase != model.Live {
			t.Errorf("the link is %+v, want an audit", l)
		}
		scene(s, streams)
	})
}

func TestAuditTakesOverWithoutAFlicker(t *testing.T) {
	audited(t, "", func(s *trial, streams *lines) {
		first, second := streams.at(0), streams.at(1)
		second.texts <- pageText(false, rowText("network", "b", 20, 11))
		s.after(500 * time.Millisecond)
		s.rows("network/a 1", "network/b 2", "network/c 3")
		second.texts <- pageText(true, rowText("network", "a", 10, 11))
		s.after(auditGrace - 100*time.Millisecond)
		s.rows("network/a 1", "network/b 2", "network/c 3")
		s.is(model.Live, model.FreshLive)
		if first.isClosed() {
			t.Error("the first stream is closed before the second took over")
		}
		s.after(200 * time.Millisecond)
		s.rows("network/a 10", "network/b 20") // c goes: nobody spoke of it
		s.is(model.Live, model.FreshLive)
		if !first.isClosed() || second.isClosed() {
			t.Error("the second stream has not taken the first one's place")
		}
		if l := s.link(); l.Audits != 1 || l.Auditing || s.commits != 2 {
			t.Errorf("the link is %+v after %d snapshots", l, s.commits)
		}
		second.texts <- updateText(rowText("network", "d", 4, 12))
		s.settle()
		s.rows("network/a 10", "network/b 20", "network/d 4")
	})
}

// TestBetweenTheStreamsOfAnAudit has the first stream and the second one's snapshot, and then its updates, say
// different things of row b, in every order.
func TestBetweenTheStreamsOfAnAudit(t *testing.T) {
	say := func(volume int, at string) string {
		return strings.Replace(rowText("network", "b", volume, 777), "777", at, 1)
	}
	for _, c := range []struct {
		name     string
		said     []string // "1 text", "2 text": what which stream says, in this order
		takeOver string   // b when the second stream has taken over
		then     []string // what the second stream says after that
		want     string
	}{
		{"newer snapshot", []string{"1 " + updateText(say(4, "11")), "2 " + pageText(true, say(5, "12"))}, "5", nil, "5"},
		{"older snapshot", []string{"1 " + updateText(say(4, "12")), "2 " + pageText(true, say(5, "11"))}, "4", nil, "4"},
		{"as old, snapshot later", []string{"1 " + updateText(say(4, "11")), "2 " + pageText(true, say(5, "11"))}, "5", nil, "5"},
		{"as old, stream later", []string{"2 " + pageText(true, say(5, "11")), "1 " + updateText(say(4, "11"))}, "4", nil, "4"},
		{"older stream later", []string{"2 " + pageText(true, say(5, "12")), "1 " + updateText(say(4, "11"))}, "5", nil, "5"},
		{"newer stream later", []string{"2 " + pageText(true, say(5, "11")), "1 " + updateText(say(4, "12"))}, "4", nil, "4"},
		{"row that comes in two pages", []string{"2 " + pageText(false, say(5, "11")), "1 " + updateText(say(4, "12")), "2 " + pageText(true, say(6, "11"))}, "4", nil, "4"},
		{"lacking, but spoken of", []string{"1 " + updateText(say(4, "11")), "2 " + pageText(true)}, "4", nil, "4"},
		{"lacking, spoken of later", []string{"2 " + pageText(true), "1 " + updateText(say(4, "11"))}, "4", nil, "4"},
		{"lacking", []string{"2 " + pageText(true)}, "", nil, ""},
		{"no integer on the stream", []string{"1 " + updateText(say(4, "soon")), "2 " + pageText(true, say(5, "1"))}, "5", nil, "5"},
		{"no integer in the snapshot", []string{"2 " + pageText(true, say(5, "soon")), "1 " + updateText(say(4, "1"))}, "4", nil, "4"},
		{"second stream ahead", []string{"2 " + pageText(true, say(5, "11")), "2 " + updateText(say(6, "13")), "1 " + updateText(say(4, "12"))}, "6", nil, "6"},
		{"second stream behind", []string{"2 " + pageText(true, say(5, "11")), "2 " + updateText(say(6, "12")), "1 " + updateText(say(4, "13"))}, "4", nil, "4"},
		{"behind after the take-over", []string{"1 " + updateText(say(4, "13")), "2 " + pageText(true, say(5, "11"))}, "4",
			[]string{updateText(say(6, "12"))}, "4"},
		{"behind, then not", []string{"1 " + updateText(say(4, "13")), "2 " + pageText(true, say(5, "11"))}, "4",
			[]string{updateText(say(6, "12")), updateText(say(7, "13")), updateText(say(8, "14"))}, "8"},
		{"set back by its own stream later", []string{"1 " + updateText(say(4, "13")), "2 " + pageText(true)}, "4",
			[]string{updateText(say(7, "13")), updateText(say(8, "12"))}, "8"},
		{"an update ends the snapshot", []string{"2 " + pageText(false, say(5, "11")), "2 " + updateText(say(6, "12"))}, "6", nil, "6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			audited(t, "", func(s *trial, streams *lines) {
				for _, said := range c.said {
					stream := streams.at(int(said[0] - '1'))
					stream.texts <- said[2:]
					s.settle()
				}
				s.after(auditGrace + auditPatience + 100*time.Millisecond)
				s.hasRow("b", c.takeOver)
				if s.link().Audits != 1 {
					t.Error("the second stream has not taken over")
				}
				for _, text := range c.then {
					streams.at(1).texts <- text
					s.settle()
				}
				s.hasRow("b", c.want)
			})
		})
	}
}

// TestTheFirstStreamIsHeardToTheEndOfTheGap: what the second stream missed between its snapshot and its updates, the first
// one tells, though it may be seconds behind.
func TestTheFirstStreamIsHeardToTheEndOfTheGap(t *testing.T) {
	for _, c := range []struct {
		name  string
		tells []string // the first stream, late
		over  bool     // whether it has caught up then
		want  string
	}{
		{"as far as the second stream begins", []string{updateText(rowText("network", "b", 6, 20)), updateText(rowText("network", "c", 7, 21))}, true, "6"},
		{"further than that", []string{updateText(rowText("network", "b", 6, 20)), updateText(rowText("network", "a", 7, 22))}, true, "6"},
		{"not as far", []string{updateText(rowText("network", "b", 6, 20)), updateText(rowText("network", "a", 8, 21))}, false, "6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			audited(t, "", func(s *trial, streams *lines) {
				streams.at(1).texts <- pageText(true, rowText("network", "b", 5, 11), rowText("network", "c", 5, 11))
				streams.at(1).texts <- updateText(rowText("network", "c", 7, 21))
				s.after(3 * time.Second)
				if s.link().Audits != 0 {
					t.Error("the second stream has taken over before the first caught up")
				}
				for _, text := range c.tells {
					streams.at(0).texts <- text
				}
				s.settle()
				if over := s.link().Audits == 1; over != c.over {
					t.Errorf("taken over is %v, want %v", over, c.over)
				}
				s.after(auditPatience)
				s.hasRow("b", c.want)
				if s.link().Audits != 1 {
					t.Error("the second stream has not taken over at all")
				}
			})
		})
	}
}

// TestAFirstStreamThatNeverCatchesUpIsNoReasonToAskAgainAndAgain.
func TestAFirstStreamThatNeverCatchesUpIsNoReasonToAskAgainAndAgain(t *testing.T) {
	audited(t, "", func(s *trial, streams *lines) {
		for audits := 1; audits <= 2; audits++ {
			streams.at(audits).texts <- pageText(true, rowText("network", "a", 1, 10)) + updateText(rowText("network", "a", 1, 10))
			s.after(hintedAuditAfter + auditGrace + auditPatience)
			if got := s.link().Audits; got != audits {
				t.Fatalf("%d audits, want %d", got, audits)
			}
		}
		if got := len(streams.all); got != 3 {
			t.Errorf("%d streams, want 3: one audit more than there would be without doubt", got)
		}
	})
}

// TestHowLongTheSecondStreamMayBeBehind: for as long as it has not told of all that the first stream told, and a while
// longer, in case it tells of rows in another order.
func TestHowLongTheSecondStreamMayBeBehind(t *testing.T) {
	audited(t, "", func(s *trial, streams *lines) {
		streams.at(0).texts <- updateText(rowText("network", "b", 4, 13))
		streams.at(1).texts <- pageText(true, rowText("network", "b", 2, 10), rowText("network", "c", 3, 10))
		s.after(time.Minute)
		streams.at(1).texts <- updateText(rowText("network", "b", 5, 11))
		s.settle()
		s.hasRow("b", "4")
		streams.at(1).texts <- updateText(rowText("network", "c", 6, 14))
		s.after(9 * time.Second)
		streams.at(1).texts <- updateText(rowText("network", "b", 7, 12))
		s.settle()
		s.hasRow("b", "4")
		s.after(2 * time.Second)
		streams.at(1).texts <- updateText(rowText("network", "d", 8, 15))
		streams.at(1).texts <- updateText(rowText("network", "b", 9, 12))
		s.settle()
		s.hasRow("b", "9")
	})
}

// hasRow asserts the volume of one of the network's positions; none where want is empty.
func (s *trial) hasRow(market, want string) {
	s.t.Helper()
	got := ""
	if row := s.book.Find(model.Key{Party: model.MakeID("network"), Market: model.MakeID(market)}); row != nil {
		got = row.Number(model.OpenVolume).String()
	}
	if got != want {
		s.t.Errorf("%s is %q, want %q", market, got, want)
	}
}

func TestFirstStreamBreaksDuringAnAudit(t *testing.T) {
	audited(t, "", func(s *trial, streams *lines) { // before the snapshot is whole
		streams.at(1).texts <- pageText(false, rowText("network", "a", 5, 11))
		s.settle()
		close(streams.at(0).texts)
		s.settle()
		s.is(model.Waiting, model.FreshStale)
		s.rows("network/a 1", "network/b 2", "network/c 3")
		if s.link().Auditing || !streams.at(1).isClosed() {
			t.Error("the audit goes on")
		}
		s.after(time.Second)
		streams.at(2).texts <- pageText(true, rowText("network", "a", 6, 1))
		s.settle()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 6") // whatever the times say
	})
	audited(t, "", func(s *trial, streams *lines) { // after it
		streams.at(1).texts <- pageText(true, rowText("network", "a", 5, 11))
		s.settle()
		close(streams.at(0).texts)
		s.settle()
		s.is(model.Live, model.FreshLive)
		s.says("")
		s.rows("network/a 5")
		streams.at(1).texts <- updateText(rowText("network", "a", 6, 12))
		s.settle()
		s.rows("network/a 6")
		// What the second stream missed, nobody has told to the end: it is looked for again soon.
		s.after(hintedAuditAfter)
		streams.at(2).texts <- pageText(true, rowText("network", "a", 7, 13))
		s.after(2 * time.Second)
		s.rows("network/a 7")
	})
}

func TestSecondStreamBreaksDuringAnAudit(t *testing.T) {
	for _, said := range []string{"", pageText(false, rowText("network", "a", 5, 11)), pageText(true, rowText("network", "a", 5, 11))} {
		audited(t, "", func(s *trial, streams *lines) {
			streams.at(1).texts <- said
			s.settle()
			close(streams.at(1).texts)
			s.after(5 * time.Second)
			s.is(model.Live, model.FreshLive)
			s.rows("network/a 1", "network/b 2", "network/c 3")
			if l := s.link(); l.Audits != 0 || l.Auditing {
				t.Errorf("the link is %+v", l)
			}
			streams.at(0).texts <- updateText(rowText("network", "a", 6, 12))
			s.after(56 * time.Second) // it is tried again
			streams.at(2).texts <- pageText(true, rowText("network", "a", 7, 13))
			s.after(2 * time.Second)
			s.rows("network/a 7")
		})
	}
}

func TestAuditThatIsNeverAnswered(t *testing.T) {
	audited(t, "", func(s *trial, streams *lines) {
		s.after(31 * time.Second)
		if l := s.link(); l.Auditing || l.Audits != 0 || !streams.at(1).isClosed() {
			t.Errorf("the audit goes on: %+v", l)
		}
		s.well()
		s.rows("network/a 1", "network/b 2", "network/c 3")
	})
}

// TestAuditOfAPair: the second stream's silence says that there is no such position any more.
func TestAuditOfAPair(t *testing.T) {
	audited(t, "bb", func(s *trial, streams *lines) {
		s.after(2900 * time.Millisecond)
		s.rows("network/a 1")
		s.after(200 * time.Millisecond)
		s.rows()
		s.well()
		if l := s.link(); !l.Silent || l.Audits != 1 {
			t.Errorf("the link is %+v, want silent after an audit", l)
		}
		streams.at(1).texts <- updateText(rowText("network", "a", 6, 12))
		s.settle()
		s.rows("network/a 6")
	})
	audited(t, "bb", func(s *trial, streams *lines) { // half a message is no silence
		streams.at(1).texts <- `{"result":`
		s.after(10 * time.Second)
		s.rows("network/a 1")
		streams.at(1).texts <- `{"snapshot":{"lastPage":true,"positions":[` + rowText("network", "a", 6, 12) + `]}}}`
		s.after(2 * time.Second)
		s.rows("network/a 6")
	})
}

func TestAuditsHaveTheirTimes(t *testing.T) {
	play(t, func(s *trial) {
		s.watch("network", "")
		began := time.Now()
		s.after(time.Hour)
		var times []time.Duration
		for _, r := range s.node.Requests() {
			if strings.Contains(r.URI, streamPath) {
				times = append(times, r.At.Sub(began))
			}
		}
		if first := times[1]; first < 9*time.Second || first > 11*time.Second {
			t.Errorf("the first audit was after %s", first)
		}
		var gaps []time.Duration
		for i := 2; i < len(times); i++ {
			gaps = append(gaps, times[i]-times[i-1])
		}
		if shortest, longest := slices.Min(gaps), slices.Max(gaps); shortest < 270*time.Second || longest > 332*time.Second || shortest == longest {
			t.Errorf("audits come after %s to %s, want 5 minutes, more or less", shortest, longest)
		}
		audits := len(times) - 1
		if s.link().Auditing {
			audits--
		}
		if got := s.link().Audits; got != audits {
			t.Errorf("%d audits are told of %d", got, audits)
		}
	})
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("network", "")
		s.after(time.Hour)
		if got := len(s.streams()); got != 1 {
			t.Errorf("%d streams without audits", got)
		}
	})
}

// TestLargeSnapshotsAreSeldomAudited: a service is not asked for a million rows every few minutes, nor at each hint.
func TestLargeSnapshotsAreSeldomAudited(t *testing.T) {
	play(t, func(s *trial) {
		rows, now := model.NewRows(), time.Now()
		for i := range 200_000 {
			rows.Put(&model.Position{Key: model.Key{Party: model.MakeID(strconv.Itoa(i % 1000)), Market: model.MakeID(strconv.Itoa(i / 1000))}})
		}
		large := s.feed.newSubscription(model.Subscription{})
		large.commit(model.Snapshot{Rows: rows, Audit: true})
		if after := large.clock.audit.Sub(now); after < 378*time.Second || after > 462*time.Second {
			t.Errorf("the next audit is after %s, want 7 minutes, more or less", after)
		}
		large.bringForward(now)
		if after := large.clock.audit.Sub(now); after != 84*time.Second {
			t.Errorf("a hint has the next audit come after %s, want 1m24s", after)
		}
	})
}
