package feed

import (
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestAPageOfAnAuditThatIsNewerThanAnUpdateCounts: a service may read its snapshot after it has begun to send updates.
func TestAPageOfAnAuditThatIsNewerThanAnUpdateCounts(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		streams.at(1).texts <- updateText(rowText("network", "a", 4, old+5), rowText("network", "b", 5, old+7), untimed("c", 6)) +
			pageText(true, rowText("network", "a", 1, old), rowText("network", "b", 8, old+9), untimed("c", 3))
		s.takeAll()
		s.rows("network/a 4", "network/b 8", "network/c 6")
	})
}

// TestAnAuditKeepsTheNewestUpdateOfARow, also if there is no room for updates of other rows.
func TestAnAuditKeepsTheNewestUpdateOfARow(t *testing.T) {
	playWith(t, sim.Config{}, Config{Limits: Limits{Rows: 1}}, func(s *trial) {
		s.node.SetStreamResponse(1, openResponse(pageText(true, untimed("a", 1))))
		s.node.SetStreamResponse(1, openResponse(updateText(untimed("a", 5), untimed("b", 7))+updateText(untimed("a", 6))+pageText(true, untimed("a", 1))))
		s.watch("network", "")
		s.after(3 * time.Second)
		s.rows("network/a 6")
	})
}
