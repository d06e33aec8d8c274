package feed

import "time"

// pace says when the screen gets news, and how much of it at once. What there is comes once in a frame's time, in as
// many batches as it takes, one right after the other. A batch is as large as the screen merges while a trader does
// not notice, because that is how long a key press may have to wait: how many rows that are depends on the machine,
// and on how far rows move in the order that was chosen.
type pace struct {
	batch int       // how many updates a Delta holds at most
	due   time.Time // when the next Delta may come
	full  time.Time // when a full batch was handed over; zero where the last one was not full
}

// The bounds of a batch, and of the time that the screen should be busy with it.
const (
	firstBatch = 1024
	leastBatch = 256
	mostBatch  = 8192
	tooLong    = 4 * time.Millisecond
	quick      = tooLong / 4
)

// asked takes note that the screen asks for more, and fits the batch to the time that the last one took.
func (p *pace) asked(now time.Time) {
	if p.full.IsZero() {
		return
	}
	switch took := now.Sub(p.full); {
	case took > tooLong:
		p.batch = max(p.batch/2, leastBatch)
	case took < quick:
		p.batch = min(p.batch*2, mostBatch)
	}
	p.full = time.Time{}
}

// handed takes note that the screen got a batch, and whether there may be more.
func (p *pace) handed(now time.Time, more bool, frame time.Duration) {
	if more {
		p.full = now
		return
	}
	p.due = now.Add(frame)
}
