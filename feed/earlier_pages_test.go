package feed

import (
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestRowsOfEarlierStreamsThatWait, when another stream begins, have no times. Of one stream an update counts and not a
// page, whichever came first; of several streams, the later one.
func TestRowsOfEarlierStreamsThatWait(t *testing.T) {
	for came, want := range map[string]string{ // "begin" begins a stream, and the screen has taken what came before "taken"
		"begin, page 1, update 2":                                               "2",
		"begin, update 2, page 1":                                               "2",
		"update 1, taken, begin, page 2":                                        "2",
		"begin, update 1, begin, page 2":                                        "2",
		"begin, page 1, begin, page 2":                                          "2",
		"update 1, taken, begin, page 2, update 3":                              "3",
		"begin, update 1, begin, page 2, update 3":                              "3",
		"begin, update 1, begin, update 3, page 2":                              "3",
		"begin, update 1, begin, page 2, begin, update 3, begin, page 4":        "4",
		"begin, page 1, begin, page 2, update 3, begin, update 4, begin":        "4",
		"begin, update 1, begin, update 2, page 1, begin, page 3, begin, begin": "3",
	} {
		t.Run(came, func(t *testing.T) {
			s := model.Subscription{Epoch: 1}
			m := newMailbox(0)
			m.setSubscriptions([]model.Subscription{s})
			b := book.New(0)
			take := func() {
				for {
					delta, _, ok := m.take(100)
					if !ok {
						return
					}
					b = applied(b, delta)
				}
			}
			for word := range strings.SplitSeq(came, ", ") {
				switch kind, size, _ := strings.Cut(word, " "); kind {
				case "begin":
					m.BeginPartial(s)
				case "taken":
					take()
				default:
					_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions("a " + size), NotAfter: modeltest.NotAfter, LatePage: kind == "page"})
				}
			}
			m.BeginPartial(s)
			take()
			p, _ := b.Find(modeltest.Positions("a 1")[0].Key)
			if got := p.Number(model.OpenVolume).String(); got != want {
				t.Errorf("a is %s, want %s", got, want)
			}
		})
	}
}
