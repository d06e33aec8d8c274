package record_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestRowsAfterAFrozenScreen: while a screen takes only links, a recording goes on. Afterwards the screen has the rows
// of that time, however they have changed, and before that none of them.
func TestRowsAfterAFrozenScreen(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	link := model.Link{Subscription: of, Phase: model.Live, Committed: true}
	snapshot := func(row string) book.Delta {
		rows := book.NewRows()
		rows.PutPage(modeltest.Positions(row), modeltest.NotAfter)
		return book.Delta{Links: []model.Link{link}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}}}
	}
	positions := modeltest.Positions("b 2 @11")
	for name, change := range map[string]book.Delta{
		"an update":  {Updates: []book.Updates{{Subscription: of, Positions: positions, NotAfter: modeltest.NotAfter}}},
		"an audit":   {Audits: []book.AuditPage{{Subscription: of, Positions: positions, NotAfter: modeltest.NotAfter, First: true, Last: true}}},
		"a snapshot": snapshot("b 2 @11"),
	} {
		path := filepath.Join(t.TempDir(), "frozen")
		synctest.Test(t, func(t *testing.T) {
			recorder, err := record.Create(record.Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			first, last := snapshot("b 1 @10"), book.Delta{Links: []model.Link{link}}
			last.Links[0].Attempt = 2
			for _, delta := range []*book.Delta{&first, &change, &last} {
				recorder.Delta(delta)
				time.Sleep(time.Minute)
			}
			if err := recorder.Close(); err != nil {
				t.Fatal(err)
			}
			player, s := open(t, path, model.Scope{}), newScreen()
			s.follow(t, player, time.Second)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute+30*time.Second)
			defer cancel()
			for {
				delta, err := player.Next(ctx, true)
				if err != nil {
					break
				}
				if len(delta.Snapshots)+len(delta.Updates)+len(delta.Audits) > 0 {
					t.Errorf("%s: the frozen screen gets rows: %+v", name, delta)
				}
				s.take(delta)
			}
			size := func() string {
				p, _ := s.book.Find(positions[0].Key)
				return p.Number(model.OpenVolume).String()
			}
			if size() != "1" || len(s.links) != 1 || s.links[0].Attempt != 2 {
				t.Errorf("%s: the frozen screen has the size %s and the links %+v", name, size(), s.links)
			}
			if s.follow(t, player, time.Second); size() != "2" {
				t.Errorf("after %s and a frozen screen, the size is %s", name, size())
			}
		})
	}
}
