package sim

import (
	"slices"
	"time"

	"blotter/feed/sim/market"
)

// command is something that a stream has to do, after the commands before it.
type command struct {
	kind  commandKind
	rows  []*market.Row // of sendRows
	text  []byte        // of sendText, hangBody and failBody
	every time.Duration // between the texts of hangBody; 0 writes none
	due   time.Time     // of sendRows: not sent before, while updates are late
}

type commandKind int

const (
	sendRows commandKind = iota // write the messages of a block
	sendText                    // write bytes as they are
	hangBody                    // stay open, and write nothing but a text at intervals
	failBody                    // write an error object, then end
	endBody                     // end cleanly
	cutBody                     // close the connection in the middle of the body
)

// queue is what a stream still has to do. The lock of Node guards it.
type queue struct {
	commands []command
	blocks   int         // how many of the commands are blocks of updates
	overdue  *time.Timer // runs while there are more blocks than may wait
	closed   bool        // nothing more is taken in
	wake     chan struct{}
}

// push adds a command. A queue that holds too many blocks for too long is closed as the service closes it: the backlog
// is still sent, then the error.
func (s *stream) push(c command) {
	if s.closed {
		return
	}
	late := s.node.script.late
	c.due = time.Now().Add(late)
	s.commands = append(s.commands, c)
	s.signal()
	if c.kind != sendRows {
		return
	}
	s.blocks++
	isHeld := s.isSilent() || late > 0 // by the script, not by the reader
	if limits := s.node.config.Limits; s.blocks > limits.Backlog && s.overdue == nil && !isHeld {
		s.overdue = time.AfterFunc(limits.BacklogTime, s.dropIfSlow)
	}
}

func (s *stream) dropIfSlow() {
	s.node.mu.Lock()
	defer s.node.mu.Unlock()
	if s.overdue == nil || s.closed {
		return // the reader has caught up at the last moment, or has closed the stream
	}
	s.overdue = nil
	s.node.count(&s.node.counters.StreamsDropped, 1)
	s.keepBlocks(s.node.config.Limits.Backlog)
	s.push(command{kind: failBody, text: streamDropped.wrapped()})
	s.closed = true
}

// keepBlocks removes all blocks of updates from the queue but the first few.
func (s *stream) keepBlocks(few int) {
	s.blocks = 0
	s.commands = slices.DeleteFunc(s.commands, func(c command) bool {
		if c.kind != sendRows {
			return false
		}
		if s.blocks == few {
			return true
		}
		s.blocks++
		return false
	})
}

// nextDue returns when the first block of late updates is to be sent; zero if there is none. The caller holds the lock
// of Node.
func (s *stream) nextDue() time.Time {
	if len(s.commands) == 0 || s.commands[0].kind != sendRows || s.node.script.late == 0 || !time.Now().Before(s.commands[0].due) {
		return time.Time{}
	}
	return s.commands[0].due
}

// nextCommand removes the first command that is not late. While the service is silent only a cut has an effect.
func (s *stream) nextCommand(silent bool) (command, bool) {
	if silent {
		cut := slices.ContainsFunc(s.commands, func(c command) bool { return c.kind == cutBody })
		return command{kind: cutBody}, cut
	}
	if len(s.commands) == 0 {
		return command{}, false
	}
	if !s.nextDue().IsZero() {
		isOther := func(c command) bool { return c.kind != sendRows }
		i := slices.IndexFunc(s.commands, isOther)
		if i < 0 {
			return command{}, false
		}
		next := s.commands[i]
		s.commands = slices.Delete(s.commands, i, i+1)
		return next, true
	}
	next := s.commands[0]
	s.commands[0] = command{} // its rows are garbage once they are written
	s.commands = s.commands[1:]
	if next.kind == sendRows {
		s.blocks--
		if s.blocks <= s.node.config.Limits.Backlog {
			s.stopTimer()
		}
	}
	return next, true
}

func (s *stream) stopTimer() {
	if s.overdue != nil {
		s.overdue.Stop()
		s.overdue = nil
	}
}

// signal wakes the stream, so that it reads its commands again.
func (s *stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
