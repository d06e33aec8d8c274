package feed

import (
	"fmt"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// TestTheGapOfAConnectionIsShort: the first audit of 5,000 and of 50,000 rows begins with the first update, or after a
// second. Until then the rows are unaudited.
func TestTheGapOfAConnectionIsShort(t *testing.T) {
	for _, rows := range []int{5_000, 50_000} {
		playWith(t, sim.Config{Gap: 300 * time.Millisecond}, Config{}, func(s *trial) {
			s.fill(rows)
			lost := held("network", "0001", 1)
			lost.UpdatedAt = time.Now().Add(-time.Minute).UnixNano()
			s.node.Put(lost)
			isLive := func() bool { return s.link().Phase == model.Live }
			s.watch("network", "")
			s.afterUntil(isLive)
			if got := s.link().UnauditedRows; got != rows {
				t.Errorf("%d of %d rows are unaudited", got, rows)
			}
			lost.OpenVolume, lost.UpdatedAt = 7, time.Now().UnixNano()
			s.node.Put(lost) // is not sent
			s.after(1900 * time.Millisecond)
			if s.hasRow("0001", "7"); s.link().UnauditedRows > 0 || s.link().Audits != 1 {
				t.Errorf("%d of %d rows are unaudited after %d audits", s.link().UnauditedRows, rows, s.link().Audits)
			}
			s.node.Cut()
			s.takeAll()
			s.afterUntil(isLive)
			if got := s.link().UnauditedRows; got != rows {
				t.Errorf("%d of %d rows are unaudited after a reconnect", got, rows)
			}
			time.Sleep(400 * time.Millisecond)
			began := len(s.streams())
			s.node.Update(held("network", "0002", 8))
			if s.takeAll(); len(s.streams()) != began+1 {
				t.Errorf("no audit has begun with the first update of %d rows", rows)
			}
			s.node.Update(held("network", "0002", 9))
			if s.after(8 * time.Second); len(s.streams()) != began+2 {
				t.Errorf("%d audits in eight seconds, want 2", len(s.streams())-began)
			}
		})
	}
}

// afterUntil waits until something is so.
func (s *trial) afterUntil(isSo func() bool) {
	for !isSo() {
		s.after(time.Second / 100)
	}
}

// TestFirstAuditsOfManyStreamsAreNoBurst: two in a second, and all streams get one. The service is too large to share
// them.
func TestFirstAuditsOfManyStreamsAreNoBurst(t *testing.T) {
	play(t, func(s *trial) {
		s.fill(11_000)
		for i := range 40 {
			s.node.Put(held(fmt.Sprintf("%04x", i), "b", 1))
		}
		s.watchMany(40)
		s.after(900 * time.Millisecond)
		began := len(s.streams())
		for range 20 {
			before := len(s.streams())
			if s.after(time.Second); len(s.streams())-before > 2 {
				t.Errorf("%d audits in a second", len(s.streams())-before)
			}
		}
		if got := len(s.streams()) - began; got < 37 {
			t.Errorf("%d audits in 20 s, want two a second", got)
		}
		s.after(2 * time.Second)
		for i := range s.links {
			if l := &s.links[i]; l.Audits == 0 {
				t.Errorf("%s had no audit", l.Party)
			}
		}
	})
}
