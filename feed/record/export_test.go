package record

import (
	"io"
	"time"
)

// SetCreate replaces how files are created.
func SetCreate(o *Options, create func(path string) (io.WriteCloser, error)) { o.create = create }

// SetClock replaces the clock.
func SetClock(o *Options, m *MemoryOptions, clock func() time.Time) { o.clock, m.clock = clock, clock }
