package feed

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

func TestHuntE(t *testing.T) {
	audited(t, func(s *trial, streams *scriptedStreams, old int64) {
		rows := []string{rowText("network", "a", 1, old), rowText("network", "b", 2, old), rowText("network", "c", 3, old)}
		streams.at(1).texts <- pageText(true, rows...)
		s.takeAll()
		streams.at(0).texts <- pageText(false, rows[0], rows[1])
		s.after(time.Minute)
		streams.at(0).texts <- pageText(true, rows[2])
		s.takeAll()
		s.rows("network/a 1", "network/b 2", "network/c 3")
	})
}

func TestHuntF(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	m := newMailbox(0)
	m.setSubscriptions([]model.Subscription{s})
	put := func(rows string, late bool) {
		_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions(rows), NotAfter: modeltest.NotAfter, LatePage: late})
	}
	m.BeginPartial(s)
	put("a 2", false)
	m.BeginPartial(s)
	put("a 3", true)
	m.BeginPartial(s)
	b := book.New(0)
	for {
		delta, _, ok := m.take(false, 100)
		if !ok {
			break
		}
		b = applied(b, delta)
	}
	p, _ := b.Find(modeltest.Positions("a 2")[0].Key)
	if got := p.Number(model.OpenVolume).String(); got != "3" {
		t.Errorf("a is %s, want 3", got)
	}
}
