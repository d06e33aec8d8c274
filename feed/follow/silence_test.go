package follow

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"blotter/model"
)

// TestTheSecondCheckThatFailsMakesRowsStale, since the last message, until the service responds. A check of another
// address does not count.
func TestTheSecondCheckThatFailsMakesRowsStale(t *testing.T) {
	last := time.Now().Add(-time.Minute)
	p := probing{subscription: &subscription{
		Config: Config{Pool: newPool(t), Sink: quietSink{}, Logger: slog.New(slog.DiscardHandler), Times: DefaultTimes()},
		link:   model.Link{Phase: model.Live, Address: "http://one.test", MessageAt: last},
	}}
	sent := last.Add(30 * time.Second)
	for i, c := range []struct {
		address string
		err     error
		isStale bool
	}{
		{"http://one.test", errors.New("no response"), false},
		{"http://two.test", errors.New("no response"), false},
		{"http://one.test", errors.New("no response"), true},
		{"http://two.test", nil, true},
		{"http://one.test", nil, false},
		{"http://one.test", errors.New("no response"), false},
	} {
		p.handle(verification{address: c.address, sentAt: sent, err: c.err})
		if isStale := p.link.StaleSince.Equal(last); isStale != c.isStale || isStale != (p.link.Problem != nil) {
			t.Errorf("check %d: the rows are stale since %v, last message at %v; %v", i+1, p.link.StaleSince, last, p.link.Problem)
		}
	}
}
