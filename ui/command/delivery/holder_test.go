package delivery

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// instance is one of several programs with the same file. All of them call the same program of the rule.
type instance struct {
	*program
	number int
	holder *int // the number of the one that holds the lock; 0 if none does
	misses bool // the lock becomes free just after the next try
	*Delivery
}

func (i *instance) Hold() bool {
	i.program.mu.Lock()
	defer i.program.mu.Unlock()
	if *i.holder == 0 {
		*i.holder = i.number
	}
	holds := *i.holder == i.number
	if i.misses && !holds {
		i.misses, *i.holder = false, 0
	}
	return holds
}

// end ends the program, which unlocks the file.
func (i *instance) end() {
	i.Close()
	i.set(func() { *i.holder = 0 })
}

// instances returns programs that watch these parties; an empty text is all.
func (p *program) instances(parties ...string) (all []*instance) {
	holder := new(int)
	for n, party := range parties {
		i := &instance{program: p, number: n + 1, holder: holder}
		var scope model.Scope
		if party != "" {
			scope.Parties = []model.ID{model.MakeID(party)}
		}
		started, err := Start(p.t.Context(), Options{
			Rules: []string{rule}, Run: p.run, File: i, Scope: scope,
			Self: Holder{Process: n + 1, Host: "h", Scope: scope, Rules: []string{rule}},
		})
		if err != nil {
			p.t.Error(err)
		}
		i.Delivery = started
		all = append(all, i)
	}
	return all
}

// tell delivers events of markets of parties, such as "+btc a", and what is in alert after them.
func (i *instance) tell(inAlert []string, words ...string) {
	keyOf := func(word string) (key model.Key) {
		var market, party string
		_, _ = fmt.Sscan(word, &market, &party)
		return model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}
	}
	kept := alerts.InAlert{Rule: rule}
	for _, word := range inAlert {
		kept.Alerts = append(kept.Alerts, alerts.Begun{Key: keyOf(word)})
	}
	var events []view.AlertEvent
	for _, word := range words {
		for _, e := range of(word) {
			e.Changes[0].Position.Key = keyOf(word[1:])
			events = append(events, e)
		}
	}
	i.Deliver(events, kept)
	pass(time.Second)
}

func (p *program) wantKept(want ...string) {
	p.t.Helper()
	var got []string
	for _, of := range p.kept.InAlert {
		for _, b := range of.Alerts {
			got = append(got, b.Key.Market.String()+" "+b.Key.Party.String())
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		p.t.Errorf("kept is %q, want %q", got, want)
	}
}

// TestAnotherProgramRunsWhatTheHolderDoesNotWatch, and each leaves what the other has kept.
func TestAnotherProgramRunsWhatTheHolderDoesNotWatch(t *testing.T) {
	inBubble(t, func(p *program) {
		all := p.instances("a", "")
		first, second := all[0], all[1]
		first.tell([]string{"btc a"}, "+btc a")
		second.tell([]string{"btc a", "eth b"}, "+btc a", "+eth b")
		p.expect("with two programs", "0s begin btc", "1s begin eth")
		p.wantKept("btc a", "eth b")
		if first.RunBy() != "" || second.RunBy() != "process 1 on h" {
			t.Errorf("others run by %q and %q", first.RunBy(), second.RunBy())
		}
		first.tell(nil, "-btc a")
		second.tell([]string{"eth b"}, "-btc a")
		p.expect("when it ends", "2s end btc")
		p.wantKept("eth b")
		second.end()
		first.end()
		p.wantKept("eth b")
	})
}

// TestALockThatIsMissed is taken at the next try, with what its last holder ran.
func TestALockThatIsMissed(t *testing.T) {
	inBubble(t, func(p *program) {
		all := p.instances("", "")
		first, second := all[0], all[1]
		first.Close()
		p.set(func() { second.misses = true })
		pass(retryLock)
		second.tell([]string{"btc a"}, "+btc a")
		p.expect("while the lock is missed")
		pass(2 * retryLock)
		if second.RunBy() != "" || len(p.got) != 1 {
			t.Errorf("others run by %q; the program got %v", second.RunBy(), p.got)
		}
		second.end()
	})
}

// TestTheNextProgramTakesOver what the holder has not reported before it ended, and what waits for a program that
// fails.
func TestTheNextProgramTakesOver(t *testing.T) {
	inBubble(t, func(p *program) {
		all := p.instances("", "")
		first, second := all[0], all[1]
		first.tell([]string{"btc a"}, "+btc a")
		p.set(func() { p.fails = true })
		first.tell([]string{"btc a", "sol a"}, "+sol a")
		second.tell([]string{"btc a", "sol a", "eth a"}, "+btc a", "+sol a", "+eth a")
		second.tell([]string{"btc a", "sol a"}, "-eth a")
		second.tell([]string{"btc a", "sol a", "doge a"}, "+doge a")
		first.end()
		p.set(func() { p.fails, p.calls = false, nil })
		pass(10 * time.Second)
		if second.RunBy() != "" {
			t.Errorf("others run by %q", second.RunBy())
		}
		second.tell([]string{"sol a", "doge a"}, "-btc a")
		if got, want := p.got[len(p.got)-2:], []string{"begin sol+doge", "end btc"}; !slices.Equal([]string{got[0].String(), got[1].String()}, want) || got[1].BeginNotDelivered {
			t.Errorf("the program gets %+v, want %q", got, want)
		}
		p.wantKept("doge a", "sol a")
		second.end()
	})
}
