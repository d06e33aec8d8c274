package feed

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"blotter/feed/wire"
	"blotter/model"
)

// scripted runs a scene with streams that the test writes.
func scripted(t *testing.T, scene func(s *trial, streams *scriptedStreams)) {
	t.Helper()
	streams := new(scriptedStreams)
	playBefore(t, func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, wire.StreamPath) {
				streams.ServeHTTP(w, r)
				return
			}
			node.ServeHTTP(w, r)
		})
	}, func(s *trial) { scene(s, streams) })
}

// TestTheRestOfASnapshotRemovesNoRow: an audit has shown all rows before the last page came.
func TestTheRestOfASnapshotRemovesNoRow(t *testing.T) {
	scripted(t, func(s *trial, streams *scriptedStreams) {
		old := now(-600)
		s.watch("network", "")
		streams.at(0).texts <- pageText(false, rowText("network", "a", 1, old), rowText("network", "b", 2, old)) +
			updateText(rowText("network", "a", 3, now(0)))
		s.after(6 * time.Second)
		s.is(model.Live, model.FreshPartial)
		s.after(3 * time.Second)
		if streams.count() != 2 {
			t.Fatalf("%d streams", streams.count())
		}
		streams.at(0).texts <- updateText(rowText("network", "a", 4, now(0)))
		s.takeAll()
		streams.at(1).texts <- pageText(true, rowText("network", "a", 3, now(-9)), rowText("network", "b", 2, old), rowText("network", "c", 5, old))
		s.takeAll()
		s.isLive()
		s.rows("network/a 4", "network/b 2", "network/c 5")
		streams.at(0).texts <- pageText(true, rowText("network", "c", 5, old))
		s.takeAll()
		s.isLive()
		s.rows("network/a 4", "network/b 2", "network/c 5")
	})
}

// TestTheRestOfASnapshotEndsAnAudit, which has begun to compare the rows of before.
func TestTheRestOfASnapshotEndsAnAudit(t *testing.T) {
	scripted(t, func(s *trial, streams *scriptedStreams) {
		old := now(-600)
		s.watch("network", "")
		streams.at(0).texts <- pageText(false, rowText("network", "a", 1, old)) + updateText(rowText("network", "b", 2, now(0)))
		s.after(8 * time.Second)
		streams.at(1).texts <- pageText(false, rowText("network", "a", 1, old))
		s.takeAll()
		streams.at(0).texts <- pageText(true, rowText("network", "c", 3, old))
		s.takeAll()
		s.isLive()
		if s.rows("network/a 1", "network/b 2", "network/c 3"); s.link().Auditing || !streams.at(1).isClosed() {
			t.Error("the audit goes on")
		}
	})
}

// TestTheRestOfASecondSnapshotRemovesNoRow: an audit ended between its pages.
func TestTheRestOfASecondSnapshotRemovesNoRow(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		rows := []string{rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old)}
		streams.at(0).texts <- pageText(false, rows[0])
		s.takeAll()
		streams.at(1).texts <- pageText(true, rows...)
		s.takeAll()
		streams.at(0).texts <- pageText(false, rows[1]) + pageText(true, rows[2])
		s.takeAll()
		s.isLive()
		s.rows("network/a 1", "network/b 2", "network/c 3")
		streams.at(0).texts <- pageText(false, rows[1]) + pageText(true, rows[2]) // a third one is whole
		s.takeAll()
		s.rows("network/b 2", "network/c 3")
	})
}
