package remote

import (
	"context"
	"sync"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

const (
	pulseTime   = 15 * time.Second // from an answer to the next request
	silenceTime = 5 * time.Minute  // without an answer: the lid of a laptop may be closed for a shorter time
	answerTime  = 3 * time.Second  // for the clients of a key, if another one needs a place
)

// pulse is whether the client of a connection answers.
type pulse struct {
	start sync.Once
	wants chan struct{} // has a token if the client is to be asked at once

	mu       sync.Mutex
	last     time.Time     // of the last answer
	answered chan struct{} // is closed at the next answer
}

func newPulse() pulse {
	return pulse{wants: make(chan struct{}, 1), last: time.Now(), answered: make(chan struct{})}
}

// run asks the client again and again until the connection ends. It calls silent if there is no answer for too long.
func (p *pulse) run(ctx context.Context, client gossh.Conn, silent func()) {
	late := time.AfterFunc(silenceTime, silent)
	defer late.Stop()
	for {
		if _, _, err := client.SendRequest("keepalive@openssh.com", true, nil); err != nil {
			return
		}
		late.Reset(silenceTime)
		p.answer()
		select {
		case <-ctx.Done():
			return
		case <-p.wants:
		case <-time.After(pulseTime):
		}
	}
}

func (p *pulse) answer() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = time.Now()
	close(p.answered)
	p.answered = make(chan struct{})
}

// ask asks the client at once. The channel is closed when it has answered.
func (p *pulse) ask() <-chan struct{} {
	select {
	case p.wants <- struct{}{}:
	default: // it is asked already
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.answered
}

// lastAnswer returns when the client has answered last.
func (p *pulse) lastAnswer() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// startPulse begins to ask the client of a connection whether it is there.
func (s *Server) startPulse(ctx context.Context, c *connection, client gossh.Conn) {
	c.pulse.start.Do(func() {
		s.running.Go(func() {
			c.pulse.run(ctx, client, func() {
				s.endSessions(func(each *session) bool { return each.connection == c }, errSilent)
				_ = c.Conn.Close()
			})
		})
	})
}

// replaceSilent ends the session of a key whose client has been silent for longest, if it does not answer in time. It
// reports whether there was one, so that there is a place for a new session.
func (s *Server) replaceSilent(ctx context.Context, fingerprint string) bool {
	late := time.NewTimer(answerTime)
	defer late.Stop()
	asked := s.askSessions(fingerprint)
	isOver := false
	var ghost *session
	for each, answered := range asked {
		if !isOver {
			select {
			case <-answered:
			case <-late.C:
				isOver = true
			case <-ctx.Done():
				return false
			}
		}
		select {
		case <-answered:
			continue
		default:
		}
		if ghost == nil || each.connection.pulse.lastAnswer().Before(ghost.connection.pulse.lastAnswer()) {
			ghost = each
		}
	}
	if ghost == nil {
		return false
	}
	ghost.end(errReplaced)
	s.remove(ghost)
	return true
}

// askSessions asks the clients of all sessions of a key at once. Each channel is closed when the client has answered.
func (s *Server) askSessions(fingerprint string) map[*session]<-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := make(map[*session]<-chan struct{})
	for each := range s.sessions {
		if !each.isCommand && each.fingerprint == fingerprint {
			asked[each] = each.connection.pulse.ask()
		}
	}
	return asked
}
