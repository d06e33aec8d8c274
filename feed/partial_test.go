package feed

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// untimed returns a position without a time.
func untimed(market string, volume int) string {
	return fmt.Sprintf(`{"marketId":%q,"partyId":"network","openVolume":"%d"}`, market, volume)
}

// recordChanges collects the changes of rows from which events are made.
func (s *trial) recordChanges() (changes func() string) {
	var words []string
	s.note = func(c *book.Change) {
		if c.Source != book.NoEvent {
			words = append(words, modeltest.ChangeWords(c.Before, c.After))
		}
	}
	return func() string {
		text := strings.Join(words, ", ")
		words = nil
		return text
	}
}

// TestOnlyALastPageEndsASnapshot: an update that comes before it is kept over the row of the page.
func TestOnlyALastPageEndsASnapshot(t *testing.T) {
	play(t, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(false, rowText("network", "a", 1, 1))+updateText(rowText("network", "a", 2, 2), untimed("x", 7))))
		changes := s.recordChanges()
		s.watch("network", "")
		s.after(2 * time.Second)
		s.is(model.Syncing, model.FreshConnecting)
		s.rows()
		s.node.Raw([]byte(pageText(false, rowText("network", "b", 1, 1))))
		s.after(20 * time.Second)
		s.is(model.Syncing, model.FreshConnecting)
		s.node.Raw([]byte(pageText(true, rowText("network", "a", 9, 1), untimed("x", 8), rowText("network", "c", 1, 1))))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 2", "network/b 1", "network/c 1", "network/x 7")
		if s.commits != 1 {
			t.Errorf("%d snapshots, want 1", s.commits)
		}
		if got, want := changes(), "a 9 > 2, x 8 > 7"; got != want && got != "x 8 > 7, a 9 > 2" {
			t.Errorf("the changes are %q, want %q", got, want)
		}
	})
}

// TestTheLastUpdateBeforeTheLastPageCounts, as each update does afterwards, whatever its time is.
func TestTheLastUpdateBeforeTheLastPageCounts(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(false, rowText("network", "a", 1, 1))+updateText(rowText("network", "a", 5, 9))+
			updateText(rowText("network", "a", 6, 8))+pageText(true)))
		s.watch("network", "")
		s.rows("network/a 6")
	})
}

// TestAllRowsOfAPartialSnapshotAreShown, of pages and of updates.
func TestAllRowsOfAPartialSnapshotAreShown(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		var pages, updates []string
		for i := range 1500 {
			pages = append(pages, rowText("network", fmt.Sprintf("a%d", i), 1, 1))
			updates = append(updates, rowText("network", fmt.Sprintf("b%d", i), 1, 1))
		}
		s.node.SetStreamResponse(1, openResponse(pageText(false, pages...)+updateText(updates...)))
		s.watch("network", "")
		s.after(5 * time.Second)
		s.is(model.Live, model.FreshPartial)
		s.rowCount(3000)
	})
}

// TestAnAuditInPartsIsReadToItsLastPage: updates that come before it end nothing. Nothing is removed or corrected.
func TestAnAuditInPartsIsReadToItsLastPage(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		changes := s.recordChanges()
		update := updateText(rowText("network", "b", 5, old+7), rowText("network", "d", 6, old+7))
		streams.at(1).texts <- pageText(false, rowText("network", "a", 1, old))
		streams.at(0).texts <- update
		streams.at(1).texts <- update
		s.after(4 * time.Second)
		if got := s.link(); !got.Auditing || got.Audits != 0 {
			t.Errorf("the audit has ended before its last page: %+v", got)
		}
		streams.at(1).texts <- pageText(false, rowText("network", "b", 2, old))
		s.after(4 * time.Second)
		streams.at(1).texts <- pageText(true, rowText("network", "c", 3, old))
		s.takeAll()
		s.rows("network/a 1", "network/b 5", "network/c 3", "network/d 6")
		if got, want := changes(), "b 2 > 5, d - > 6"; got != want || s.link().Audits != 1 {
			t.Errorf("the changes are %q, want %q; there were %d audits", got, want, s.link().Audits)
		}
	})
}

// TestAnUpdateOfAnAuditCountsInPlaceOfItsPage, also if rows have no times.
func TestAnUpdateOfAnAuditCountsInPlaceOfItsPage(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		changes := s.recordChanges()
		streams.at(1).texts <- updateText(untimed("b", 5)) + pageText(false, rowText("network", "a", 1, old), untimed("b", 4)) + pageText(true, rowText("network", "c", 3, old))
		s.takeAll()
		if got, want := changes(), "b 2 > 5"; got != want {
			t.Errorf("the changes are %q, want %q", got, want)
		}
	})
}

// TestASnapshotWithoutALastPageIsPartial: it is shown after some seconds and says so. It corrects rows and removes
// none. Rows of the earlier stream that are others now are changes, new ones are not.
func TestASnapshotWithoutALastPageIsPartial(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(true, rowText("network", "a", 1, 1), rowText("network", "b", 2, 5), rowText("network", "c", 3, 1), untimed("e", 4))))
		s.node.SetStreamResponse(2, openResponse(pageText(false, rowText("network", "a", 6, 2), rowText("network", "b", 1, 4), untimed("e", 5))+
			updateText(rowText("network", "a", 0, 3), rowText("network", "c", 8, 5))))
		s.watch("network", "")
		changes := s.recordChanges()
		s.node.End()
		s.after(4 * time.Second)
		s.is(model.Syncing, model.FreshStale)
		s.rows("network/a 1", "network/b 2", "network/c 3", "network/e 4")
		s.after(time.Minute) // it stays open, also if nothing comes
		s.is(model.Live, model.FreshPartial)
		s.rows("network/a 0", "network/b 2", "network/c 8", "network/e 5") // the page is older than b
		if got, want := changes(), "e 4 > 5, a 1 > 6, a 6 > 0, c 3 > 8"; got != want {
			t.Errorf("the changes are %q, want %q", got, want)
		}
		s.node.Raw([]byte(updateText(rowText("network", "c", 9, 6), rowText("network", "d", 1, 6)) + pageText(false, rowText("network", "f", 1, 1), untimed("e", 6))))
		s.after(30 * time.Second)
		s.is(model.Live, model.FreshPartial)
		s.rows("network/a 0", "network/b 2", "network/c 9", "network/d 1", "network/e 6", "network/f 1")
		if got, want := changes(), "c 8 > 9"; got != want {
			t.Errorf("the changes are %q, want %q", got, want)
		}
		if s.book.IsAudited(s.watched[0]) || !s.book.IsPartial(s.watched[0]) || s.commits != 1 {
			t.Errorf("audited %t, partial %t, %d snapshots", s.book.IsAudited(s.watched[0]), s.book.IsPartial(s.watched[0]), s.commits)
		}
		s.node.Raw([]byte(pageText(true, rowText("network", "g", 1, 1))))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 0", "network/b 2", "network/c 9", "network/d 1", "network/e 6", "network/f 1", "network/g 1")
	})
}

// TestALastPageAfterAnAuditRemovesNoRow: the audit has made the table whole, so the pages before it were dropped.
func TestALastPageAfterAnAuditRemovesNoRow(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		close(streams.at(0).texts)
		s.after(time.Second)
		streams.at(2).texts <- pageText(false, rowText("network", "a", 1, old)) + updateText(rowText("network", "b", 7, old+7))
		s.after(5 * time.Second)
		s.is(model.Live, model.FreshPartial)
		s.after(3 * time.Second)
		streams.at(3).texts <- pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		streams.at(2).texts <- pageText(true, rowText("network", "d", 4, old))
		s.takeAll()
		s.rows("network/a 1", "network/b 7", "network/c 3", "network/d 4")
	})
}

// TestUpdatesWithoutAPageArePartial, and stay so however many come.
func TestUpdatesWithoutAPageArePartial(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(updateText(rowText("network", "b", 3, 1))))
		s.watch("network", "")
		for i := range 20 {
			s.after(time.Second)
			s.node.Raw([]byte(updateText(rowText("network", "b", i, int64(i+2)))))
		}
		s.takeAll()
		s.is(model.Live, model.FreshPartial)
		s.rows("network/b 19")
		s.node.Cut()
		s.takeAll()
		s.is(model.Waiting, model.FreshStale)
	})
}

// TestAnAuditWithoutALastPageDoesNotCount: a service that never ends its snapshots removes no row, and is not asked for
// snapshots without end.
func TestAnAuditWithoutALastPageDoesNotCount(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		for range 60 {
			last := streams.count() - 1
			streams.at(last).texts <- pageText(false, rowText("network", "a", 1, old)) + updateText(rowText("network", "b", 2, old))
			s.after(10 * time.Second)
		}
		s.isLive()
		s.rows("network/a 1", "network/b 2", "network/c 3")
		if got := s.link(); got.Audits != 0 || s.book.IsAudited(s.watched[0]) {
			t.Errorf("%d audits have ended", got.Audits)
		}
		if got := streams.count(); got < 5 || got > 20 {
			t.Errorf("%d streams in ten minutes", got)
		}
	})
}

// TestAnAuditMakesAPartialTableWhole: all rows have come then, and its stream goes on.
func TestAnAuditMakesAPartialTableWhole(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "a", 1), held("network", "b", 2))
		s.node.SetStreamResponse(1, openResponse(updateText(rowText("network", "b", 3, 1))))
		s.watch("network", "")
		s.after(5500 * time.Millisecond)
		s.is(model.Live, model.FreshPartial)
		s.after(6 * time.Second)
		s.isLive()
		s.sameAsService()
		s.node.Update(held("network", "c", 4))
		s.after(time.Minute)
		s.isLive()
		s.sameAsService()
		if l := s.link(); l.Tries != 2 || s.commits != 0 {
			t.Errorf("%d streams and %d snapshots, want the first stream and that of the audit", l.Tries, s.commits)
		}
	})
}

// TestASecondSnapshotReplacesTheFirst, also if rows have no times. A page that came after the first one wins over rows
// that the stream has not updated since.
func TestASecondSnapshotReplacesTheFirst(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(true, untimed("a", 1), untimed("b", 2), untimed("c", 3))+updateText(untimed("b", 4))))
		s.watch("network", "")
		s.node.Raw([]byte(pageText(false, untimed("a", 5), untimed("b", 6))))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 5", "network/b 4", "network/c 3")
		s.node.Raw([]byte(updateText(untimed("a", 7)) + pageText(true, untimed("a", 5), untimed("d", 8))))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.rows("network/a 7", "network/b 6", "network/d 8")
		if s.commits != 2 {
			t.Errorf("%d snapshots, want 2", s.commits)
		}
	})
}

// TestTheEndOfASecondSnapshotThatPausedRemovesNoRow, also after an audit: its first pages were dropped before.
func TestTheEndOfASecondSnapshotThatPausedRemovesNoRow(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "a", 1), held("network", "b", 2))
		s.watch("network", "")
		s.after(time.Minute)
		s.node.Raw([]byte(pageText(false, rowText("network", "b", 2, now(-600)))))
		audits := s.link().Audits
		s.after(time.Minute)
		s.node.Update(held("network", "a", 3)) // drops the page
		s.after(10 * time.Second)
		if s.link().Audits == audits {
			t.Error("there was no audit")
		}
		s.node.Raw([]byte(pageText(true, rowText("network", "c", 4, now(0)))))
		s.takeAll()
		if s.rows("network/a 3", "network/b 2", "network/c 4"); s.commits != 1 {
			t.Errorf("%d snapshots, want 1", s.commits)
		}
		s.busy(20) // nothing has paused
		audits = s.link().Audits
		s.busy(60)
		if got := s.link().Audits - audits; got > 0 {
			t.Errorf("%d audits after the end", got)
		}
	})
}

// TestASecondSnapshotThatPausesRemovesNoRow: its first pages were dropped, so the last one does not make it whole. An
// audit follows within a minute, not only after five.
func TestASecondSnapshotThatPausesRemovesNoRow(t *testing.T) {
	for name, config := range map[string]Config{"unaudited": unaudited, "audited": {}} {
		t.Run(name, func(t *testing.T) {
			playWith(t, sim.Config{}, config, func(s *trial) {
				s.node.Put(held("network", "a", 1), held("network", "b", 2))
				s.watch("network", "")
				s.after(time.Minute)
				old := now(-600)
				s.node.Raw([]byte(pageText(false, rowText("network", "b", 2, old))))
				s.after(time.Minute)
				before := len(s.streams())
				added := held("network", "c", 3)
				added.UpdatedAt = now(0)
				s.node.Put(added) // is not sent
				s.node.Raw([]byte(pageText(true, rowText("network", "c", 3, added.UpdatedAt))))
				s.takeAll()
				s.isLive()
				s.rows("network/a 1", "network/b 2", "network/c 3")
				if s.commits != 1 {
					t.Errorf("%d snapshots, want 1", s.commits)
				}
				s.after(time.Minute)
				if name == "audited" && len(s.streams()) == before {
					t.Error("no audit within a minute")
				}
			})
		})
	}
}
