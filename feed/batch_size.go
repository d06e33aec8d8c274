package feed

import "time"

// batchSize decides when the screen gets new data, and how much at once. The data is delivered once in a frame's time,
// in as many batches as needed, one right after the other. A key press may have to wait while the screen merges a
// batch, so the size of a batch is chosen by the time that this takes: it depends on the machine, and on how far rows
// move in the order of the table.
type batchSize struct {
	updates int       // how many updates a Delta holds at most
	due     time.Time // when the next Delta may come
	full    time.Time // when a full batch was delivered; zero if the last one was not full
}

// The bounds of a batch, and of the time that the screen should be busy with it. Each batch takes some time whatever
// its size. So a batch that is too small takes a slow screen longer for each update, until it is always behind.
const (
	leastBatch = 1024 // also the first one
	mostBatch  = 8192
	tooLong    = 4 * time.Millisecond
	quick      = tooLong / 4
)

// requested records that the screen requests more data, and adjusts the batch to the time that the last one took.
func (b *batchSize) requested(now time.Time) {
	if b.full.IsZero() {
		return
	}
	switch took := now.Sub(b.full); {
	case took > tooLong:
		b.updates = max(b.updates/2, leastBatch)
	case took < quick:
		b.updates = min(b.updates*2, mostBatch)
	}
	b.full = time.Time{}
}

// delivered records that the screen got a batch, and whether there may be more.
func (b *batchSize) delivered(now time.Time, more bool, frame time.Duration) {
	if more {
		b.full = now
		return
	}
	b.due = now.Add(frame)
}
