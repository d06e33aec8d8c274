package record_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
)

// TestFirstPagesOfAReplay: a page that is requested before the recording has it comes when it was recorded.
func TestFirstPagesOfAReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "day.zst")
	request := model.PageRequest{Size: 10}
	synctest.Test(t, func(t *testing.T) {
		play(t, sim.Config{Seed: 1, Parties: 3, Markets: 3}, feed.Config{}, record.Options{Path: path}, func(s *session) {
			s.follow(t, s.feed, 2*time.Second)
			if _, err := s.feed.Page(t.Context(), request); err != nil {
				t.Error(err)
			}
			s.follow(t, s.feed, 10*time.Second)
		})
	})
	synctest.Test(t, func(t *testing.T) {
		player, err := record.NewPlayer(path, feed.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer player.Close()
		player.Watch(model.Scope{}.Subscriptions(nil, 1))
		go func() {
			for {
				if _, err := player.Next(t.Context(), false); err != nil {
					return
				}
			}
		}()
		page, err := player.Page(t.Context(), request)
		if err != nil || len(page.Rows) == 0 || player.Now().Sub(player.Header().Start) < 2*time.Second {
			t.Errorf("the page is %+v, %v", page, err)
		}
		if _, err = player.Page(t.Context(), model.PageRequest{Size: 7}); err == nil {
			t.Error("a page that was never recorded came")
		}
		if at := player.Now().Sub(player.Header().Start); at > 6*time.Second {
			t.Errorf("that was said at %s", at)
		}
		time.Sleep(20 * time.Second)
	})
}
