package feed

import (
	"context"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestALaterPageComesAfterAnEarlierOne: the screen has taken the updates between them, and a part of the first.
func TestALaterPageComesAfterAnEarlierOne(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	m := newMailbox(0)
	m.setSubscriptions([]model.Subscription{s})
	m.BeginPartial(s)
	page := func(rows string) {
		_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions(rows), NotAfter: modeltest.NotAfter, LatePage: true})
	}
	_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions("x 1"), NotAfter: modeltest.NotAfter})
	page("a 1")
	b := book.New(0)
	take := func(most int) bool {
		delta, _, ok := m.take(false, most)
		b = applied(b, delta)
		return ok
	}
	take(1)
	page("a 2")
	for take(1) {
	}
	p, _ := b.Find(modeltest.Positions("a 2")[0].Key)
	if got := p.Number(model.OpenVolume).String(); got != "2" {
		t.Errorf("a is %s, want 2", got)
	}
}

// TestACancelledAuditPutsNothing: another audit may have begun.
func TestACancelledAuditPutsNothing(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	m := newMailbox(0)
	m.setSubscriptions([]model.Subscription{s})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := m.Audit(ctx, book.AuditPage{Subscription: s, Last: true})
	if err == nil || m.hasData() {
		t.Errorf("the error is %v; data waits: %t", err, m.hasData())
	}
}
