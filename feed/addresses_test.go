package feed

import (
	"context"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
)

func addressesOf(hosts ...string) *addresses {
	var bases []*url.URL
	for _, host := range hosts {
		bases = append(bases, &url.URL{Scheme: "http", Host: host})
	}
	return newAddresses(bases, DefaultTimes())
}

var trouble = &model.Problem{Words: "trouble"}

// admitted has everybody who may, dial now.
func admitted(a *addresses) (passes []*pass) {
	for {
		p, _, _ := a.ask()
		if p == nil {
			return passes
		}
		passes = append(passes, p)
	}
}

func TestANewAddressIsDialledByOneAndThenByTenAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := addressesOf("one")
		first := admitted(a)
		if len(first) != 1 {
			t.Fatalf("%d dial a new address", len(first))
		}
		first[0].connected()
		first[0].opened()
		if again := first[0].prove(); again != freshProbation || len(admitted(a)) != 0 {
			t.Errorf("others may follow at once, or after %s", again)
		}
		time.Sleep(freshProbation)
		first[0].prove()
		passes := admitted(a)
		if len(passes) != dialsAtOnce {
			t.Errorf("%d dial at once", len(passes))
		}
		passes[0].connected()
		passes[1].over()
		passes[2].opened()
		if got := len(admitted(a)); got != 3 {
			t.Errorf("%d more dial when three are done", got)
		}
	})
}

// TestManyThatBreakAtOnceAreOneFailure: and one that was opened before is none at all.
func TestManyThatBreakAtOnceAreOneFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := addressesOf("one")
		first := admitted(a)[0]
		first.opened()
		time.Sleep(time.Second)
		first.prove()
		all := append(admitted(a), first)
		time.Sleep(time.Minute)
		for _, p := range all[1:] {
			p.failed(trouble, 0)
		}
		one := a.list[0]
		if one.failures != 1 || one.proven || one.problem != trouble {
			t.Errorf("%+v after many broke at once", one)
		}
		time.Sleep(time.Second)
		again := admitted(a)
		if len(again) != 1 {
			t.Fatalf("%d try again", len(again))
		}
		again[0].opened()
		time.Sleep(time.Second)
		again[0].prove()
		all[0].failed(trouble, 0) // it is noticed late
		if one.failures != 1 || !one.proven {
			t.Errorf("%+v after a late one", one)
		}
		time.Sleep(DefaultTimes().HealthyAfter)
		again[0].prove()
		if one.failures != 0 || one.problem != nil {
			t.Errorf("%+v after a minute of health", one)
		}
	})
}

// TestProbationGrowsWithEachDrop: an address whose streams break again and again is trusted ever later.
func TestProbationGrowsWithEachDrop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := addressesOf("one")
		for n, want := range []time.Duration{freshProbation, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute, time.Minute} {
			time.Sleep(time.Minute)
			p := admitted(a)[0]
			p.opened()
			if got := p.prove(); got != want {
				t.Errorf("after %d drops others wait for %s, want %s", n, got, want)
			}
			p.failed(trouble, 0)
		}
	})
}

func TestAddressesInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := addressesOf("one", "two", "three")
		for _, want := range []string{"one", "two", "three"} {
			p := admitted(a)[0]
			if serving := a.list[a.current].base.Host; p.base.Host != want || serving != want {
				t.Errorf("%s is tried and %s serves, want %s", p.base.Host, serving, want)
			}
			p.failed(trouble, 0)
		}
		if _, v, _ := a.ask(); time.Until(v.at) > time.Second || v.problem != trouble || v.attempt != 2 {
			t.Errorf("%+v", v)
		}
	})
}

// TestABannedAddressIsLeftAlone, though others are tried, and whoever is in a hurry waits.
func TestABannedAddressIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := addressesOf("one", "two")
		admitted(a)[0].failed(trouble, time.Hour)
		began := time.Now()
		for time.Since(began) < 59*time.Minute {
			a.hurry()
			for _, p := range admitted(a) {
				if p.base.Host != "two" {
					t.Fatalf("%s is tried after %s", p.base.Host, time.Since(began))
				}
				p.failed(trouble, 0)
			}
			time.Sleep(7 * time.Second)
		}
	})
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := addressesOf("one")
		admitted(a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		told := 0
		if p, err := a.enter(ctx, func(verdict) { told++ }); p != nil || err == nil || told != 1 {
			t.Errorf("%v, %v, told %d times", p, err, told)
		}
	})
}

func TestBackoff(t *testing.T) {
	for failures, longest := range []time.Duration{time.Second, time.Second, 3 * time.Second, 9 * time.Second, 20 * time.Second, 20 * time.Second} {
		seen := make(map[time.Duration]bool)
		for range 200 {
			wait := backoff(time.Second, 20*time.Second, failures)
			if wait < longest/2 || wait > longest {
				t.Fatalf("%s after %d failures, want up to %s", wait, failures, longest)
			}
			seen[wait] = true
		}
		if len(seen) < 100 {
			t.Errorf("after %d failures clients come back in step", failures)
		}
	}
}
