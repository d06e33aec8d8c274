package endpoint

import (
	"net/http"
	"time"
)

// serviceClock compares the clock of an address with that of this machine, by the Date headers of its responses. The
// header has whole seconds, and the response was written at an unknown time between its request and its arrival: a
// proxy may have held it back for long. So each response gives an interval of possible differences.
type serviceClock struct {
	known       bool
	least, most time.Duration // the service's clock minus this machine's is between these
}

// observe uses the time in a response minus the time when it came, so long after its request was sent. If its interval
// and that of the responses before have nothing in common, one of the clocks was set, and only the new interval counts.
func (c *serviceClock) observe(offset, took time.Duration) {
	least, most := offset, offset+time.Second-1+took
	if c.known && least <= c.most && c.least <= most {
		least, most = max(least, c.least), min(most, c.most)
	}
	c.known, c.least, c.most = true, least, most
}

// offset returns the service's clock minus this machine's: 0 if they may agree, else the middle of what is possible.
func (c *serviceClock) offset() time.Duration {
	if c.least <= 0 && c.most >= 0 {
		return 0
	}
	return (c.least + c.most) / 2
}

// ClockOffset returns the service's clock minus this machine's, by the last responses of an address. It is 0 if they
// may agree, or if no response had a time.
func (p *Pool) ClockOffset(address string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.find(address); a != nil {
		return a.serviceClock.offset()
	}
	return 0
}

// clockOffset returns the Date header of a response minus the time when it came, and false if it has none, or one that
// no clock can have.
func clockOffset(header http.Header, now time.Time) (time.Duration, bool) {
	date, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return 0, false
	}
	offset := date.Sub(now)
	if offset < -maxOffset || offset > maxOffset {
		return 0, false
	}
	return offset, true
}

// maxOffset is how far the clock of a service may be from that of this machine: one of them may begin in 1970.
const maxOffset = 100 * 365 * 24 * time.Hour

// serviceTime returns when a response was sent, by the clock of the service: times in its headers are compared with
// that. It is the time when it came if it has no Date header.
func serviceTime(header http.Header, now time.Time) time.Time {
	offset, _ := clockOffset(header, now)
	return now.Add(offset)
}

// heldBackFor returns for how long a response was held back after the service had written its headers; 0 if that is too
// little to be sure. The Date header has whole seconds.
func heldBackFor(header http.Header, received time.Time, offset time.Duration) time.Duration {
	const sure = 2 * time.Second
	since, known := clockOffset(header, received.Add(offset))
	if held := -since - time.Second; known && held >= sure {
		return held
	}
	return 0
}
