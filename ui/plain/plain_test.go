package plain

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/ui/format"
	"blotter/ui/status"
)

// TestEachFreshnessIsSaid with its own word. A quiet stream is live.
func TestEachFreshnessIsSaid(t *testing.T) {
	f := format.New(model.NewInstruments(nil, nil, nil), time.UTC, func(model.ID) int { return 2 }, false)
	for _, freshness := range model.Freshnesses() {
		want := freshness.String()
		if freshness == model.FreshQuiet {
			want = model.FreshLive.String()
		}
		streams := status.Streams{Links: []model.Link{modeltest.LinkOf(freshness, start)}, Now: start, Format: f, Book: book.New(0)}
		state, words := freshnessOf(&streams)
		if !strings.EqualFold(state, want) || !strings.HasPrefix(strings.ToUpper(words), want) {
			t.Errorf("%s is %q: %q", freshness, state, words)
		}
	}
}
