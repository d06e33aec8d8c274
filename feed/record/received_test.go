package record_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestASizeWithoutATimeIsOfItsReceipt: a screen gets positions without times some time after the feed has received
// them. When their sizes have changed decides which margin records belong to them, in a recording as on the screen.
func TestASizeWithoutATimeIsOfItsReceipt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of, begin := model.Subscription{Epoch: 1}, time.Now()
		received := func(after time.Duration) int64 { return begin.Add(after + model.AheadFor).UnixNano() }
		page := &model.Page{ReadAt: begin}
		for _, p := range modeltest.Positions("b 1", "c 1", "d 1") {
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(begin.UnixNano())})
		}
		audit := book.AuditPage{Subscription: of, Positions: modeltest.Positions("b 2", "c 2", "d 1"), NotAfter: received(40 * time.Second), First: true, Last: true, IsBelieved: true}
		k := keep(t, model.Scope{},
			book.Delta{
				Links:     []model.Link{{Subscription: of, Phase: model.Live, Committed: true}},
				Snapshots: []book.Snapshot{usableUpTo(received(0), of, "b 1", "c 1", "d 1")},
				Margins:   []book.MarginsRead{{Page: page}},
			},
			book.Delta{
				Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions("b 2"), NotAfter: received(30 * time.Second)}},
				Audits:  []book.AuditPage{audit},
			},
			book.Delta{Snapshots: []book.Snapshot{usableUpTo(received(90*time.Second), of, "b 2", "c 2", "d 2")}},
		)
		k.shows(t, func(s *screen, _ *record.Player) (changed string) {
			for _, p := range modeltest.Positions("b 1", "c 1", "d 1") {
				row, _ := s.book.Find(p.Key)
				if ratio, has := s.book.RatioOf(&row, model.ID{}); has && ratio.HasEnded() {
					changed += fmt.Sprintf("%s %s ", row.Market, time.Unix(0, ratio.EndedAt).Sub(begin))
				}
			}
			return changed
		}, "", "b 30s c 40s ", "b 30s c 40s d 1m30s ")
	})
}
