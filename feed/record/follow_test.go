package record_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
)

// TestFollow: the states of one position, of a memory and of the file that is saved from it, from any time to any time.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "saved.zst")
	synctest.Test(t, func(t *testing.T) {
		memory, err := record.NewMemory(record.MemoryOptions{Duration: time.Hour, Bytes: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Close()
		of := model.Subscription{}
		held := func(market string, size int64) model.Position {
			p := model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID(market)}}
			p.SetNumber(model.OpenVolume, model.AmountOf(size))
			return p
		}
		rows, other := book.NewRows(), held("b2", 100)
		rows.Put(&other)
		memory.Delta(&book.Delta{Links: []model.Link{{Subscription: of, Committed: true}}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows}}})
		began := time.Now()
		for i := range int64(4) {
			time.Sleep(2 * time.Minute)
			memory.Delta(&book.Delta{Updates: []book.Updates{{Positions: []model.Position{held("b1", i+1), held("b2", i)}}}})
		}
		time.Sleep(2 * time.Minute)
		memory.Delta(&book.Delta{Audits: []book.AuditPage{{Corrected: true, Last: true, Removed: []model.Key{{Party: other.Party, Market: model.MakeID("b1")}}}}})
		time.Sleep(time.Minute)
		if err := memory.Save(path); err != nil {
			t.Fatal(err)
		}
		played, err := memory.Play()
		if err != nil {
			t.Fatal(err)
		}
		defer played.Close()
		saved, err := record.Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer saved.Close()
		for name, player := range map[string]*record.Player{"memory": played, "file": saved} {
			for _, c := range []struct {
				market   string
				from, to time.Duration
				want     string
			}{
				{"b1", 0, time.Hour, " 2m:1 4m:2 6m:3 8m:4 10m:-"},
				{"b1", -time.Hour, 5 * time.Minute, " 2m:1 4m:2"},
				{"b1", 5 * time.Minute, 7 * time.Minute, " 5m:2 6m:3"},
				{"b1", 4 * time.Minute, 4 * time.Minute, " 4m:2"},
				{"b1", 7 * time.Minute, 5 * time.Minute, ""},
				{"b1", 11 * time.Minute, time.Hour, ""},
				{"b2", -time.Hour, 3 * time.Minute, " 0m:100 2m:0"},
				{"b3", 0, time.Hour, ""},
			} {
				got := ""
				key := model.Key{Party: other.Party, Market: model.MakeID(c.market)}
				err := player.Follow(t.Context(), key, began.Add(c.from), began.Add(c.to), func(at time.Time, p *model.Position) {
					size := "-"
					if p != nil {
						size = p.Number(model.OpenVolume).String()
					}
					got += fmt.Sprintf(" %dm:%s", at.Sub(began)/time.Minute, size)
				})
				if err != nil || got != c.want {
					t.Errorf("%s: %s from %s to %s: %s, want %s (%v)", name, c.market, c.from, c.to, got, c.want, err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			err := player.Follow(ctx, other.Key, began, time.Now(), func(time.Time, *model.Position) {})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: after it was cancelled, the error is %v", name, err)
			}
		}
	})
}
