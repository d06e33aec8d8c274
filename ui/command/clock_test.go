package command

import (
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestAgesAreOfTheClockOfTheService: this machine's is an hour ahead or behind.
func TestAgesAreOfTheClockOfTheService(t *testing.T) {
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		withService(t, func(s *service) {
			now := sim.Position{Party: "a1", Market: "b1", OpenVolume: 1}
			s.SetClock(ahead)
			now.UpdatedAt = time.Now().Add(ahead).UnixNano()
			s.Put(now)
			s.after(10 * time.Second)
			s.run("positions", "--filter", "age<1m", "-o", "ndjson").exits(0).prints(line(now)).printsErrors("")
			s.run("positions", "--filter", "age>1m", "-o", "ndjson").exits(0).prints("").printsErrors("")
			s.run("positions", "--until", "age>9s age<1m", "-o", "ndjson").exits(0).prints(line(now)).printsErrors("")
			s.run("positions", "--until", "age>1m", "--timeout", "5s").exits(5)
		})
	}
}
