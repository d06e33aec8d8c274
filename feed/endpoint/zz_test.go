package endpoint

import (
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
)

func TestZ(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetStreamResponse(sim.Always, sim.Response{Status: 503, Cut: true})
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 200, Body: "{", Cut: true})
		s.streams(1)
		s.pressing(10 * time.Minute)
		t.Log(s.requestsTo(wire.StreamPath), s.requestsTo(wire.MarginPath), len(s.Dials()))
	})
}
