package record_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/follow"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/model"
	"blotter/model/book"
)

// happened returns the events of a recording, each as text.
func happened(player *record.Player) (texts []string) {
	_, newest := player.Range()
	for _, e := range player.Events(newest) {
		before, after := e.Before(), e.After()
		at, exact := e.At()
		texts = append(texts, fmt.Sprintf("%s/%s %v %s %s → %s %s at %s %v", e.Party, e.Market, e.Kinds.Names(), before.Number(model.OpenVolume), before.StatusName(), after.Number(model.OpenVolume), after.StatusName(), at, exact))
	}
	slices.Sort(texts) // events of one moment have no order
	return texts
}

// past is which states each row had, and from when on.
type past map[string][]stateFrom

type stateFrom struct {
	at   time.Time
	text string // empty if there is no row
}

// note notes the rows of now.
func (p *past) note(rows map[string]string) {
	if *p == nil {
		*p = make(past)
	}
	for key := range rows {
		if _, known := (*p)[key]; !known {
			(*p)[key] = []stateFrom{{}}
		}
	}
	for key, states := range *p {
		if states[len(states)-1].text != rows[key] {
			(*p)[key] = append(states, stateFrom{time.Now(), rows[key]})
		}
	}
}

// had checks that each row had its state within the second before a time.
func (p past) had(t *testing.T, at time.Time, rows map[string]string) {
	t.Helper()
	for key, states := range p {
		found := false
		for i, state := range states {
			ended := i+1 < len(states) && states[i+1].at.Before(at.Add(-time.Second))
			found = found || state.text == rows[key] && !state.at.After(at) && !ended
		}
		if !found {
			t.Errorf("at %s %s is %q, which it was not in the second before", at, key, rows[key])
		}
	}
}

// rowsAndRatios returns the positions, and the last margin ratios of those that wait for a record of their size, each
// as text.
func (s *screen) rowsAndRatios() map[string]string {
	all := s.rows()
	for p := range s.book.All {
		if ratio, ok := s.book.RatioOf(&p, model.ID{}); ok && ratio.HasEnded() {
			all["ratio of "+p.Party.String()+"/"+p.Market.String()] = ratio.String()
		}
	}
	return all
}

// TestMemoryHasEachSecond: the memory, and a file that was saved from it, have each row as it was within the second
// before, with its last margin ratio, and the same events as the recording with all states.
func TestMemoryHasEachSecond(t *testing.T) {
	folder := t.TempDir()
	whole, saved := filepath.Join(folder, "whole.zst"), filepath.Join(folder, "saved.zst")
	var past past
	var moments []time.Time
	var fromMemory []string
	synctest.Test(t, func(t *testing.T) {
		service := sim.Config{Seed: 7, Parties: 3, Markets: 3, Rate: 20, Faults: faulty.New(7, nil)}
		config := feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: time.Minute}}}
		play(t, service, config, record.Options{Path: whole}, func(s *session) {
			s.taken = func() { past.note(s.rowsAndRatios()) }
			s.tap.WatchMargins(s.scope)
			for range 300 {
				s.follow(t, s.tap, 900*time.Millisecond)
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				if read, err := s.tap.NextMargins(ctx); err == nil {
					s.take(book.Delta{Margins: []book.MarginsRead{read}})
				}
				<-ctx.Done()
				cancel()
				moments = append(moments, time.Now())
			}
			player, err := s.memory.Play()
			if err != nil {
				t.Fatal(err)
			}
			defer player.Close()
			player.Watch(s.scope.Subscriptions(nil, 1))
			for i := 0; i < len(moments); i += 7 {
				past.had(t, moments[i], at(t, player, moments[i]).rowsAndRatios())
			}
			fromMemory = happened(player)
			if err := s.memory.Save(saved); err != nil {
				t.Fatal(err)
			}
			if oldest, ok := s.memory.Oldest(); !ok || time.Since(oldest) < 299*time.Second {
				t.Errorf("the memory reaches back to %s, %v", oldest, ok)
			}
		})
	})
	player := open(t, saved, model.Scope{})
	if !player.Header().Thinned || player.Damage() != nil {
		t.Errorf("the saved file: %+v, %v", player.Header(), player.Damage())
	}
	for i := 0; i < len(moments); i += 7 {
		past.had(t, moments[i], at(t, player, moments[i]).rowsAndRatios())
	}
	all := happened(open(t, whole, model.Scope{}))
	if len(all) == 0 || !slices.Equal(fromMemory, all) || !slices.Equal(happened(player), all) {
		t.Errorf("%d events in memory, %d in the saved file, %d in all", len(fromMemory), len(happened(player)), len(all))
		for i := range all {
			if i >= len(fromMemory) || fromMemory[i] != all[i] {
				t.Fatalf("event %d is %s", i, all[i])
			}
		}
	}
}
