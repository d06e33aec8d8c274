package store

import (
	"fmt"
	"runtime/debug"
)

// beside begins f, and returns a function that waits for its end. If f panics, that function does: with a panicked.
func beside(f func()) (wait func()) {
	ended := make(chan any, 1)
	go func() {
		defer func() {
			reason := recover()
			if reason != nil {
				reason = panicked{reason, debug.Stack()}
			}
			ended <- reason
		}()
		f()
	}()
	return func() {
		if reason := <-ended; reason != nil {
			panic(reason)
		}
	}
}

// panicked is a panic of another goroutine.
type panicked struct {
	reason any
	stack  []byte
}

func (p panicked) String() string { return fmt.Sprint(p.reason) }

// Stack returns the stack trace of that goroutine, for package system.
func (p panicked) Stack() []byte { return p.stack }
