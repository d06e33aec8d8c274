package feed

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestHostileIdentifiersAreLetGo has a service make up identifiers, all of them long, and never the same.
func TestHostileIdentifiersAreLetGo(t *testing.T) {
	const messages, length = 2000, 16 << 10
	heap := func() int64 {
		var stats runtime.MemStats
		for range 3 { // an interned text goes one collection after its last identifier
			runtime.GC()
		}
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	d := newDecoder(&madeUp{messages: messages, length: length}, 1<<20)
	var m message
	before := heap()
	for range messages {
		if err := d.next(&m); err != nil || len(m.updates) != 1 {
			t.Fatal(err, len(m.updates))
		}
	}
	if grown := heap() - before; grown > messages*length/10 {
		t.Errorf("%d bytes stay, of %d that were told", grown, 2*messages*length)
	}
	runtime.KeepAlive(d)
}

// madeUp is a stream of updates.
type madeUp struct {
	messages, length, sent int
	text                   strings.Reader
}

func (r *madeUp) Read(p []byte) (int, error) {
	if r.text.Len() == 0 && r.sent < r.messages {
		r.sent++
		long := strings.Repeat("x", r.length)
		r.text.Reset(fmt.Sprintf(`{"result":{"updates":{"positions":[{"partyId":"p%[2]d%[1]s","marketId":"m%[2]d%[1]s"}]}}}`, long, r.sent))
	}
	return r.text.Read(p)
}
