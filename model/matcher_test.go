package model

import (
	"fmt"
	"testing"
)

func TestMatcherAnswersAsSaidPlainly(t *testing.T) {
	for seed, text := range filters {
		w := newWorld(uint64(seed), 6, 6)
		d := &directory{instruments: w.instruments}
		m := newMatcher(parseTerms(text), d)
		matched := 0
		for range 500 {
			p := w.position(Subscription{})
			e := d.entry(&p)
			m.learn()
			got := m.matches(e)
			if want := plainMatch(text, w.instruments, &p); got != want {
				t.Fatalf("%q matches %+v: %v, want %v", text, p, got, want)
			}
			if got {
				matched++
			}
		}
		if matched == 0 && text == "" {
			t.Error("no words match nothing")
		}
	}
}

// TestMatcherOfEndlessStatuses has a service make up more statuses than there are numbers for.
func TestMatcherOfEndlessStatuses(t *testing.T) {
	d := &directory{instruments: NewInstruments(nil, nil, nil)}
	m := newMatcher(parseTerms("status:x7"), d)
	for i := range 3 * unnumbered {
		var p Position
		p.SetStatus(fmt.Appendf(nil, "X%d", i))
		e := d.entry(&p)
		m.learn()
		if got, want := m.matches(e), plainMatch("status:x7", d.instruments, &p); got != want {
			t.Fatalf("%s matches: %v", p.StatusName(), got)
		}
	}
	if len(d.statuses.all) > unnumbered {
		t.Errorf("%d statuses have numbers", len(d.statuses.all))
	}
}
