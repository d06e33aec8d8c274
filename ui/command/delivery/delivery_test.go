package delivery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/export"
)

const rule = "distress"

// none is a rule that is in alert for nothing.
var none = alerts.InAlert{Rule: rule}

// message is what a program got.
type message struct {
	Alert, Count, Direction, ID, Text string
	BeginNotDelivered, Gone           bool
	Positions                         []struct{ MarketID, PartyID string }
}

func (m message) String() string {
	var markets []string
	for _, p := range m.Positions {
		markets = append(markets, p.MarketID)
	}
	return m.Direction + " " + strings.Join(markets, "+")
}

// program is a program that works or fails, and when it was called.
type program struct {
	t      *testing.T
	mu     sync.Mutex
	began  time.Time
	fails  bool
	hangs  time.Duration
	calls  []string // time, direction and markets
	got    []message
	kept   Kept
	warned []string
}

func (p *program) start() *Delivery {
	d, err := Start(p.t.Context(), Options{
		Rules: []string{rule}, Run: p.run, File: p, Self: Holder{Process: 1, Host: "h", Rules: []string{rule}},
		Warn: func(err error) { p.set(func() { p.warned = append(p.warned, err.Error()) }) },
	})
	if err != nil {
		p.t.Error(err)
	}
	return d
}

// Hold reports that no other program holds the lock.
func (p *program) Hold() bool { return true }

// Change changes what is kept.
func (p *program) Change(change func(*Kept) bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if kept := p.kept; change(&kept) {
		p.kept = kept
	}
	return nil
}

// reread writes what is kept and reads it again.
func (p *program) reread() {
	p.mu.Lock()
	defer p.mu.Unlock()
	text, err := json.Marshal(p.kept)
	if err != nil {
		p.t.Fatal(err)
	}
	p.kept = Kept{}
	if err := json.Unmarshal(text, &p.kept); err != nil {
		p.t.Fatal(err)
	}
}

// set changes the program, or reads what it has got.
func (p *program) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *program) run(ctx context.Context, _ string, line []byte) error {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		p.t.Errorf("%s: %v", line, err)
	}
	var hangs time.Duration
	p.set(func() {
		p.calls = append(p.calls, fmt.Sprint(time.Since(p.began), " ", m))
		hangs = p.hangs
	})
	select {
	case <-time.After(hangs):
	case <-ctx.Done():
		return ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fails {
		return errors.New("exit status 3")
	}
	p.got = append(p.got, m)
	return nil
}

// of returns an event of the alert: "+btc" begins, "-btc" ends, "*btc" lasts.
func of(words ...string) (events []view.AlertEvent) {
	for _, word := range words {
		e := view.AlertEvent{
			Rule: view.AlertRule{Name: rule}, Begins: word[0] != '-', IsAgain: word[0] == '*', At: time.Now(), Count: 1,
			Text: word, Instruments: model.NewInstruments(nil, nil, nil),
		}
		e.Changes = []view.AlertChange{{Position: model.Position{Key: model.Key{Market: model.MakeID(word[1:])}}}}
		events = append(events, e)
	}
	return events
}

// TestWhatIsLeftOutDuringACall is in the next message.
func TestWhatIsLeftOutDuringACall(t *testing.T) {
	o, events := new(Outbox), of("+btc", "+eth", "+sol")
	o.add(&events[0])
	first, alerts, _ := o.message(rule)
	events[1].Count = 500
	o.add(&events[1])
	o.delivered(first.Direction, alerts)
	o.add(&events[2])
	next, alerts, _ := o.message(rule)
	if want := "distress: 2 positions, of several times, and 499 more, left out"; next.Text != want {
		t.Errorf("the next message is %q", next.Text)
	}
	if o.delivered(next.Direction, alerts); o.LeftOut != 0 {
		t.Errorf("%d are still left out", o.LeftOut)
	}
}

func inBubble(t *testing.T, test func(p *program)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(&program{t: t, began: time.Now()}) })
}

func (p *program) expect(when string, want ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Equal(p.calls, want) {
		p.t.Errorf("%s: the calls are %q, want %q", when, p.calls, want)
	}
	p.calls = nil
}

// pass lets time pass.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestAProgramThatFailsIsCalledAgain after 5, 15 and 40 seconds, then once a minute, and once when it works again.
func TestAProgramThatFailsIsCalledAgain(t *testing.T) {
	inBubble(t, func(p *program) {
		p.set(func() { p.fails = true })
		d := p.start()
		defer d.Close()
		d.Deliver(of("+btc"), none)
		pass(3*time.Minute + time.Second)
		p.expect("while it fails", "0s begin btc", "5s begin btc", "20s begin btc", "1m0s begin btc", "2m0s begin btc", "3m0s begin btc")
		p.set(func() { p.fails = false })
		pass(time.Hour)
		p.expect("when it works", "4m0s begin btc")
		if want := []string{"command of alert distress: exit status 3; it is called again", "command of alert distress: it works again"}; !slices.Equal(p.warned, want) {
			t.Errorf("the warnings are %q", p.warned)
		}
		if f := d.Figures()[0]; f.NotDelivered != 0 || f.Failures != 6 {
			t.Errorf("the figures are %+v", f)
		}
	})
}

// TestEventsJoinWhileOneWaits: the first begin of each alert, and its last end if it is not active again.
func TestEventsJoinWhileOneWaits(t *testing.T) {
	inBubble(t, func(p *program) {
		p.set(func() { p.fails = true })
		d := p.start()
		defer d.Close()
		d.Deliver(of("+btc"), none)
		pass(time.Second)
		d.Deliver(of("-btc", "+eth", "-eth", "+eth", "*btc", "-sol"), none)
		pass(time.Second)
		p.set(func() { p.fails, p.calls = false, nil })
		pass(time.Minute)
		p.expect("later", "5s begin btc+eth", "5s end sol")
		if m := p.got[0]; m.Count != "2" || m.Text != "distress: 2 positions, of several times" {
			t.Errorf("the first message is %+v", m)
		}
		if m := p.got[1]; m.Text != "-sol" || !m.BeginNotDelivered {
			t.Errorf("the second message is %+v", m)
		}
	})
}

// TestAnEndFollowsItsBegin also if both wait: then the begin was delivered.
func TestAnEndFollowsItsBegin(t *testing.T) {
	inBubble(t, func(p *program) {
		p.set(func() { p.fails = true })
		d := p.start()
		defer d.Close()
		d.Deliver(of("+btc", "-btc"), none)
		pass(time.Second)
		p.set(func() { p.fails = false })
		pass(10 * time.Second)
		p.expect("later", "0s begin btc", "5s begin btc", "5s end btc")
		if p.got[0].BeginNotDelivered || p.got[1].BeginNotDelivered {
			t.Errorf("the messages are %+v", p.got)
		}
	})
}

// TestAnEndSaysThatThePositionIsGone: it is a message of its own, also if other ends wait.
func TestAnEndSaysThatThePositionIsGone(t *testing.T) {
	inBubble(t, func(p *program) {
		d := p.start()
		defer d.Close()
		d.Deliver(of("+btc", "+eth"), none)
		pass(time.Second)
		ends := of("-btc", "-eth")
		ends[1].Why = view.EndsGone
		d.Deliver(ends, none)
		pass(time.Second)
		if len(p.got) != 3 || p.got[1].Gone || !p.got[2].Gone || p.got[2].String() != "end eth" {
			t.Errorf("the messages are %+v", p.got)
		}
	})
}

// TestWhatEndedAnHourAgoIsDropped, with a warning; an alert that is active is not.
func TestWhatEndedAnHourAgoIsDropped(t *testing.T) {
	inBubble(t, func(p *program) {
		p.set(func() { p.fails = true })
		d := p.start()
		defer d.Close()
		d.Deliver(of("+btc", "+eth", "-btc"), none)
		pass(keptFor + 2*time.Minute)
		p.set(func() { p.fails, p.calls = false, nil })
		pass(2 * time.Minute)
		if len(p.got) != 1 || p.got[0].String() != "begin eth" {
			t.Errorf("the program got %v", p.got)
		}
		if want := "alert distress: 1 alert not delivered within 1h of its end, and dropped"; !slices.Contains(p.warned, want) {
			t.Errorf("the warnings are %q", p.warned)
		}
	})
}

// TestWhatWaitsIsDeliveredAfterARestart, with the same identifier.
func TestWhatWaitsIsDeliveredAfterARestart(t *testing.T) {
	inBubble(t, func(p *program) {
		d := p.start()
		d.Deliver(of("+btc"), none)
		pass(time.Second)
		p.set(func() { p.hangs = time.Hour }) // the run ends while the program hangs
		d.Deliver(of("-btc", "+eth"), none)
		pass(time.Second)
		d.Close()
		p.set(func() { p.hangs = 0 })
		p.reread()
		kept := p.kept
		ids := func() (ids []string) {
			box := *kept.Waiting[rule]
			m, _, _ := box.message(rule)
			return []string{m.ID}
		}()
		p.set(func() { p.calls = nil })
		next := p.start()
		defer next.Close()
		pass(time.Second)
		p.expect("the next run", "2s begin eth", "2s end btc")
		if last := p.got[len(p.got)-2:]; last[0].ID != ids[0] || last[0].ID == last[1].ID || last[1].BeginNotDelivered {
			t.Errorf("the messages are %+v", last)
		}
	})
}

// TestTheNumberOfWaitingAlertsIsBounded: the text says how many were left out.
func TestTheNumberOfWaitingAlertsIsBounded(t *testing.T) {
	inBubble(t, func(p *program) {
		p.set(func() { p.fails = true })
		d := p.start()
		defer d.Close()
		for i := range maxWaiting + 7 {
			d.Deliver(of(fmt.Sprint("+m", i)), none)
		}
		pass(time.Second)
		if f := d.Figures()[0]; f.NotDelivered != maxWaiting+7 {
			t.Errorf("%d events are said to wait", f.NotDelivered)
		}
		p.set(func() { p.fails = false })
		pass(time.Minute)
		m := p.got[0]
		if m.Text != "distress: 1,000 positions, of several times, and 7 more, left out" || len(m.Positions) != view.MaxEventPositions {
			t.Errorf("%q with %d positions", m.Text, len(m.Positions))
		}
	})
}

// TestAnyFailuresEndWithWhatIs: at the end the last message about each alert says whether it is active, whatever fails,
// hangs and restarts meanwhile.
func TestAnyFailuresEndWithWhatIs(t *testing.T) {
	for seed := range uint64(20) {
		inBubble(t, func(p *program) {
			random := rand.New(rand.NewPCG(seed, 1))
			active, known := make(map[string]bool), make(map[string]bool)
			d := p.start()
			for range 300 {
				switch random.IntN(10) {
				case 0:
					p.set(func() { p.fails = !p.fails })
				case 1:
					p.set(func() { p.hangs = time.Duration(random.IntN(2)) * 7 * time.Second })
				case 2:
					d.Close()
					d = p.start()
				default:
					market := fmt.Sprint("m", random.IntN(5))
					if active[market] = !active[market]; active[market] {
						d.Deliver(of("+"+market), none)
					} else {
						d.Deliver(of("-"+market), none)
					}
					synctest.Wait() // it is kept
				}
				pass(time.Duration(random.IntN(20)) * time.Second)
			}
			p.set(func() { p.fails, p.hangs = false, 0 })
			pass(3 * time.Minute)
			for _, m := range p.got {
				for _, position := range m.Positions {
					known[position.MarketID] = m.Direction != export.AlertEnds
				}
			}
			for market, is := range active {
				if known[market] != is {
					t.Errorf("seed %d: %s is active: %t; the program knows %t", seed, market, is, known[market])
				}
			}
			d.Close()
		})
	}
}
