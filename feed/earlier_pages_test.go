package feed

import (
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestAPageOfAnEarlierStreamDoesNotReplaceItsUpdate: both wait when another stream begins.
func TestAPageOfAnEarlierStreamDoesNotReplaceItsUpdate(t *testing.T) {
	for name, late := range map[string][]bool{"page first": {true, false}, "update first": {false, true}} {
		t.Run(name, func(t *testing.T) {
			s := model.Subscription{Epoch: 1}
			m := newMailbox(0)
			m.setSubscriptions([]model.Subscription{s})
			m.BeginPartial(s)
			for _, isPage := range late {
				rows := "a 2"
				if isPage {
					rows = "a 1"
				}
				_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions(rows), NotAfter: modeltest.NotAfter, LatePage: isPage})
			}
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
			if got := p.Number(model.OpenVolume).String(); got != "2" {
				t.Errorf("a is %s, want 2", got)
			}
		})
	}
}
