package follow

import (
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// TestASharedAuditOfAnotherAddressIsNotJoined: the stream was opened again, at another address, after the invitation.
func TestASharedAuditOfAnotherAddressIsNotJoined(t *testing.T) {
	f := New(Config{Times: DefaultTimes()}, model.Subscription{})
	f.link.Phase, f.link.Address = model.Live, "http://one.test"
	shared := newSharedAudit(&f.audits, new(sharing))
	f.link.Address = "http://two.test"
	f.audits.join(t.Context(), shared)
	select {
	case <-shared.answered:
	default:
		t.Error("it waits for an answer")
	}
	if f.link.Auditing || len(shared.joined) > 0 {
		t.Error("it was joined")
	}
}

// TestAStreamThatIsBehindWaitsForItsOwnAudit, whose stream may take its place: a shared one does not take its turn.
func TestAStreamThatIsBehindWaitsForItsOwnAudit(t *testing.T) {
	f := New(Config{Times: DefaultTimes()}, model.Subscription{})
	f.link.Phase, f.link.Lag.Shown = model.Live, model.LagOfAudit
	f.audits.turn, f.audits.cancel = make(chan struct{}), func() { t.Error("its turn is lost") }
	shared := newSharedAudit(&f.audits, new(sharing))
	f.audits.join(t.Context(), shared)
	if shared.asked[&f.audits] || f.link.Auditing {
		t.Error("it has joined")
	}
}

// sharedBy returns a shared audit that this many of the Followers of an address have joined, with 100 rows each.
func sharedBy(joined, of int) *sharedAudit {
	f := New(Config{Times: DefaultTimes(), Rows: 1_000_000}, model.Subscription{})
	shared := newSharedAudit(&f.audits, new(sharing))
	shared.followers, shared.followed = of, 100*joined
	for i := range joined {
		shared.joined[model.Key{Party: model.MakeID(fmt.Sprintf("%02x", i))}] = nil
	}
	return shared
}

// TestASharedAuditThatFewJoinIsNotBegun if the service has many more rows than those have. If all have joined, it
// begins, because the service may have fewer rows now.
func TestASharedAuditThatFewJoinIsNotBegun(t *testing.T) {
	for _, c := range []struct {
		joined, of, rows int
		begins           bool
	}{{3, 3, 0, false}, {20, 60, 0, true}, {20, 60, 10_001, false}, {60, 60, 13_000, true}, {55, 60, 11_000, true}, {54, 60, 11_000, false}} {
		shared := sharedBy(c.joined, c.of)
		shared.expected = c.rows
		close(shared.answered)
		pool := newPool(t)
		shared.Pool = pool
		pool.Close()
		if err := shared.run(t.Context()); errors.Is(err, errFewJoined) == c.begins {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestWhenTheNextSharedAuditBegins, by how one has ended.
func TestWhenTheNextSharedAuditBegins(t *testing.T) {
	tooMany := fmt.Errorf("%w, more than 7", errTooMany)
	for _, c := range []struct {
		name                    string
		joined, count, followed int
		err                     error
		want, urgent            time.Duration
	}{
		{"it has worked", 60, 6_000, 6_000, nil, 5 * time.Second, 2500 * time.Millisecond},
		{"it was large", 60, 48_000, 48_000, nil, 16 * time.Second, 8 * time.Second},
		{"few rows are followed", 20, 8_000, 2_000, nil, 20 * time.Second / 3, 10 * time.Second / 3},
		{"too many rows for some", 59, 0, 5_900, tooMany, time.Minute, time.Minute},
		{"too many rows for all", 60, 0, 6_000, tooMany, 10 * time.Minute, 10 * time.Minute},
	} {
		audits, at := NewSharedAudits(t.Context()), new(sharing)
		shared := sharedBy(c.joined, 60)
		shared.Logger = slog.New(slog.DiscardHandler)
		shared.count, shared.followed, shared.err = c.count, c.followed, c.err
		if audits.end(at, shared); at.wait.Round(time.Millisecond) != c.want.Round(time.Millisecond) || at.ifUrgent != c.urgent || at.count != c.count {
			t.Errorf("%s: %s, and %s if it is urgent; %d positions", c.name, at.wait, at.ifUrgent, at.count)
		}
	}
}

func newPool(t *testing.T) *endpoint.Pool {
	t.Helper()
	pool, err := endpoint.New(endpoint.Config{Service: endpoint.Service{BaseURLs: []string{"http://one.test"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// TestTheTurnOfASharedAuditIsNext, unless another stream may have to take the place of the open one.
func TestTheTurnOfASharedAuditIsNext(t *testing.T) {
	for _, c := range []struct {
		name  string
		lag   model.LagShownBy
		waits bool
		want  endpoint.Urgency
	}{
		{"it waits", model.NoLag, true, endpoint.ForMany},
		{"it waits for another stream", model.LagOfAudit, true, endpoint.Hinted},
		{"it is under way", model.NoLag, false, endpoint.Hinted},
	} {
		f := New(Config{Times: DefaultTimes(), Pool: newPool(t), Go: func(func()) {}}, model.Subscription{})
		f.link.Lag.Shown = c.lag
		f.audits.urgency, f.audits.cancel, f.alarms.shared = endpoint.Hinted, func() {}, time.Now()
		if c.waits {
			f.audits.turn = make(chan struct{})
		}
		if err := f.act(t.Context(), nil); err != nil || f.audits.urgency != c.want || !f.alarms.shared.IsZero() {
			t.Errorf("%s: the urgency is %d, want %d; %v", c.name, f.audits.urgency, c.want, err)
		}
	}
}

// TestSharedAuditsComeMoreOftenBesideANodeThatIsWrong, for a minute, but not if the service has many positions.
func TestSharedAuditsComeMoreOftenBesideANodeThatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name        string
		err         error
		lag         time.Duration
		after       time.Duration
		count       int
		quiet, wait time.Duration
	}{
		{"a node hangs", errors.New("no message"), 0, 50 * time.Second, 5_000, 3 * time.Second, 2500 * time.Millisecond},
		{"a node is behind", nil, time.Minute, 50 * time.Second, 5_000, 3 * time.Second, 2500 * time.Millisecond},
		{"a node has hung long ago", errors.New("no message"), 0, 70 * time.Second, 5_000, 7 * time.Second, 5 * time.Second},
		{"few have joined", errFewJoined, 0, time.Second, 5_000, 7 * time.Second, 5 * time.Second},
		{"a node is behind now", nil, time.Minute, 0, 5_000, 3 * time.Second, time.Second},
		{"a node with few positions is behind now", nil, time.Minute, 0, 2_500, 3 * time.Second, time.Second / 2},
		{"many positions", errors.New("no message"), 0, time.Second, 6_000, 0, 5 * time.Second},
		{"a node with many positions is behind now", nil, time.Minute, 0, 10_000, 0, 1500 * time.Millisecond},
		{"a node with very many positions is behind now", nil, time.Minute, 0, 10_002, 0, 5 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			audits, at := NewSharedAudits(t.Context()), new(sharing)
			for i := range 2 {
				shared := sharedBy(60, 60)
				shared.Logger = slog.New(slog.DiscardHandler)
				shared.count, shared.followed = c.count, c.count
				if i == 0 || c.after == 0 {
					shared.err, shared.node.Lag = c.err, c.lag
				}
				if audits.end(at, shared); i == 1 && (shared.quietAgain() != c.quiet || at.wait != c.wait) {
					t.Errorf("%s: silent streams after %s, others after %s", c.name, shared.quietAgain(), at.wait)
				}
				time.Sleep(c.after)
			}
		})
	}
	if (*sharedAudit)(nil).quietAgain() != 0 {
		t.Error("an audit of one stream is a shared one")
	}
}

// TestFollowersWaitForTheNextSharedAudit after one whose node was behind: an audit of their own compares one of them.
func TestFollowersWaitForTheNextSharedAudit(t *testing.T) {
	schedule := auditSchedule{isShared: true}
	for range 1000 {
		if wait := schedule.again(0, true); wait <= sharedAgain {
			t.Fatalf("a Follower waits %s, and the next shared audit begins after %s", wait, sharedAgain)
		}
	}
}

// TestSharedAuditsThatFail come more seldom each time, and not for a minute if none has worked lately.
func TestSharedAuditsThatFail(t *testing.T) {
	for _, c := range []struct {
		name     string
		worked   bool
		workedIs time.Duration
		want     []time.Duration // half seconds
	}{
		{"one has worked", true, 0, []time.Duration{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 16, 16}},
		{"none has worked", false, 0, []time.Duration{1, 1, 120, 1, 1, 120}},
		{"one has worked long ago", true, 6 * time.Minute, []time.Duration{1, 1, 120, 1}},
	} {
		synctest.Test(t, func(t *testing.T) {
			audits, at := NewSharedAudits(t.Context()), new(sharing)
			if shared := sharedBy(60, 60); c.worked {
				shared.Logger = slog.New(slog.DiscardHandler)
				audits.end(at, shared)
			}
			time.Sleep(c.workedIs)
			for i, want := range c.want {
				shared := sharedBy(60, 60)
				shared.Logger, shared.err = slog.New(slog.DiscardHandler), errors.New("no message")
				if audits.end(at, shared); at.wait != want*time.Second/2 || at.ifUrgent != at.wait {
					t.Errorf("%s: the next one comes %s after failure %d, want %s", c.name, at.wait, i+1, want*time.Second/2)
				}
			}
		})
	}
}
