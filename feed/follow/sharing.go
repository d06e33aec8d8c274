package follow

import (
	"context"
	"errors"
	"sync"
	"time"

	"blotter/feed/endpoint"
)

// SharedAudits are the shared audits of a feed: at each address, one at a time.
type SharedAudits struct {
	ctx context.Context // ends them

	mu        sync.Mutex
	addresses map[string]*sharing
}

// sharing is the state of the shared audits at one address. The lock of SharedAudits guards it.
type sharing struct {
	followers map[*audits]bool // those with an open stream
	underWay  *sharedAudit     // nil if none is
	failed    int              // in a row
	behind    int              // in a row, those that have reached a node that is behind
	workedAt  time.Time        // the last one that has read all
	count     int              // positions that the last such one has read
	endedAt   time.Time        // the last one
	wrongAt   time.Time        // the last one that has reached a node that does not respond or is behind
	wait      time.Duration    // from then to the next one
	ifUrgent  time.Duration    // the same, if the rows of a Follower are in doubt
}

// NewSharedAudits returns SharedAudits that end with ctx.
func NewSharedAudits(ctx context.Context) *SharedAudits {
	return &SharedAudits{ctx: ctx, addresses: make(map[string]*sharing)}
}

// enter adds a Follower with an open stream at an address. It returns a function that removes it.
func (s *SharedAudits) enter(of *audits, address string) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.addresses[address]
	if at == nil {
		at = &sharing{followers: make(map[*audits]bool)}
		s.addresses[address] = at
	}
	at.followers[of] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(at.followers, of)
		if at.underWay != nil {
			at.underWay.decline(of)
		}
	}
}

// begin returns the shared audit that a Follower may join: a new one, to which all other Followers of the address are
// invited, or one that has just begun. It returns nil if there is none now.
func (s *SharedAudits) begin(by *audits) *sharedAudit {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.addresses[by.link.Address]
	switch {
	case at == nil:
		return nil
	case at.underWay != nil:
		if at.underWay.isReading() {
			return nil
		}
		return at.underWay
	case len(at.followers) < sharedFrom, time.Now().Before(at.next(by.urgency)):
		return nil
	}
	a := newSharedAudit(by, at)
	for other := range at.followers {
		if other != by {
			a.invite(other)
		}
	}
	at.underWay = a
	by.Go(func() {
		a.err = a.run(s.ctx)
		s.end(at, a)
	})
	return a
}

// mayBegin returns when a Follower may begin a shared audit: zero if few streams are open, or one is under way.
func (s *SharedAudits) mayBegin(by *audits) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.addresses[by.link.Address]
	if at == nil || at.underWay != nil || len(at.followers) < sharedFrom {
		return time.Time{}
	}
	return endpoint.Later(time.Now(), at.next(by.urgency))
}

// next returns when the next shared audit may begin, for a Follower with this urgency.
func (s *sharing) next(urgency endpoint.Urgency) time.Time {
	if urgency >= endpoint.InDoubt {
		return s.endedAt.Add(s.ifUrgent)
	}
	return s.endedAt.Add(s.wait)
}

// hasWorked reports whether one has read all lately.
func (s *sharing) hasWorked() bool {
	return !s.workedAt.IsZero() && s.endedAt.Sub(s.workedAt) < workedFor
}

// beginWithin returns how long the next shared audit waits for its first message. After one that has worked, it may
// have reached a node that hangs; now and then it waits longer, because the service may be slow.
func (s *sharing) beginWithin() time.Duration {
	if s.hasWorked() && s.failed%(quickAudits+1) < quickAudits {
		return quickAuditBegins
	}
	return auditBegins
}

// end sets when the next shared audit may begin.
func (s *SharedAudits) end(at *sharing, a *sharedAudit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at.underWay, at.endedAt = nil, time.Now()
	if !errors.Is(a.err, errNotShared) && endpoint.OutcomeOf(a.err) == endpoint.NoResponse || a.node.Lag > 0 {
		at.wrongAt = at.endedAt
	}
	a.quiet = sharedQuiet
	if at.endedAt.Sub(at.wrongAt) < wrongFor {
		a.quiet = sharedWrong
	}
	switch {
	case endpoint.OutcomeOf(a.err) == endpoint.Postponed:
		at.wait, at.ifUrgent = sharedAgain, sharedAgain
	case errors.Is(a.err, errFewJoined):
		at.failed, at.wait, at.ifUrgent = 0, sharedEvery, sharedEvery
	case errors.Is(a.err, errTooMany) && len(a.joined) < a.followers:
		at.failed, at.wait, at.ifUrgent = 0, failedFor, failedFor
	case errors.Is(a.err, errNotShared):
		at.failed, at.wait, at.ifUrgent = 0, notSharedFor, notSharedFor
	case a.err != nil && (at.failed+1 < sharedFailures || at.hasWorked()):
		at.failed++
		at.wait = min(sharedAgain<<min(at.failed/quickAudits, 10), sharedLongest)
		at.ifUrgent = at.wait
	case a.err != nil:
		at.failed, at.wait, at.ifUrgent = 0, failedFor, failedFor
	default:
		at.failed, at.workedAt, at.count, at.wait = 0, at.endedAt, a.count, a.every()
		at.ifUrgent = at.wait / 2
		switch {
		case a.node.Lag > 0 && a.isSmall():
			at.wait = max(sharedAgain, min(time.Second, time.Duration(a.count)*time.Second/sharedSmall))
			if a.count > sharedSmall {
				at.wait = slower(at.wait, at.behind)
			}
			at.ifUrgent = at.wait
		case a.quiet == sharedWrong && a.count <= sharedSmall:
			at.wait = at.ifUrgent
		}
		if at.behind++; a.node.Lag == 0 {
			at.behind = 0
		}
	}
	a.log()
	close(a.ended)
}
