package ui

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestGoldenPairs: the size of a row changes after its margin record was read. Its ratio is an estimate; when the
// stream is stale, it is the last ratio of one moment, with its age.
func TestGoldenPairs(t *testing.T) {
	for size, cells := range map[string][2]int{"-80x24": {80, 24}, "-120x40": {120, 40}} {
		onScreen(t, cells[0], cells[1], nil, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(3 * time.Second)
			row, stream := deskRows()[0], s.m.store.Subscriptions()[0]
			row.SetNumber(model.OpenVolume, model.ParseAmount("-15000"))
			row.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
			delta := updatesOf(stream, row)
			delta.Updates[0].NotAfter = time.Now().Add(model.AheadFor).UnixNano()
			s.publish(delta)
			s.golden("estimate" + size)
			s.press("enter")
			s.golden("estimate-detail" + size)
			s.press("esc")
			links := deskDelta(s).Links
			links[0].Phase, links[0].StaleSince = model.Waiting, time.Now()
			links[0].Problem = &model.Problem{Words: "connection lost"}
			s.publish(book.Delta{Links: links})
			s.pass(20 * time.Second)
			s.golden("estimate-stale" + size)
		})
	}
}
