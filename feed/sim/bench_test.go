package sim

import (
	"context"
	"net/http"
	"testing"
	"time"
)

// reader is a client that reads everything at once and ignores it.
type reader struct {
	header http.Header
	bytes  int64
}

func (r *reader) Header() http.Header            { return r.header }
func (r *reader) WriteHeader(int)                {}
func (r *reader) Flush()                         {}
func (r *reader) Write(text []byte) (int, error) { r.bytes += int64(len(text)); return len(text), nil }

// BenchmarkUpdates measures how many updates a second the market makes and writes to one stream of everything, with
// 1,000,000 positions.
func BenchmarkUpdates(b *testing.B) {
	const rate = 600_000
	n := New(Config{Seed: 1, Parties: 2000, Markets: 500, Dense: true, Rate: rate})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	out := &reader{header: http.Header{}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, streamPath, nil)
	if err != nil {
		b.Fatal(err)
	}
	s := &stream{node: n, ctx: ctx, out: newResponseWriter(out, request, Proxy{}), queue: queue{wake: make(chan struct{}, 1)}}
	if !n.addStream(s) {
		b.Fatal("the stream was refused")
	}
	defer n.removeStream(s)
	n.main.subscribe(s)
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		n.exchange.Advance(time.Now(), n.applyBlock)
		if err := s.runCommands(always); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	updates := float64(n.Counters().UpdatesSent)
	b.ReportMetric(updates/b.Elapsed().Seconds(), "updates/s")
	b.ReportMetric(float64(out.bytes)/updates, "B/update")
}

// BenchmarkNew measures how long it takes to make 1,000,000 positions.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Config{Seed: 1, Parties: 2000, Markets: 500, Dense: true})
	}
}
