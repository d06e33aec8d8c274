package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// errEmptyAudit is the error of the first audit that finds no rows at all, if there were some.
var errEmptyAudit = errors.New("its snapshot is empty")

// standbySnapshot reads the snapshot of a second stream and passes it to the sink to be compared.
type standbySnapshot struct {
	Config
	subscription model.Subscription
	address      string
	beginsWithin time.Duration // its first message with content must come in this time
	rows         int           // of the last snapshot
	shown        int64         // the latest time that was shown when it began
	mayBeEmpty   bool
	isFirstEmpty bool       // without rows it does not count: the stream has none, and no audit before has shown that
	updates      *book.Rows // that came before the last page, at most Rows of them
	sent         *sentTimes
	openedAt     time.Time

	asked         chan<- question
	mayBeBelieved map[model.Key]bool // the rows whose older states may be believed
	held          *book.Rows         // these states
	isSample      bool               // not all rows are judged
	isBelieved    bool               // it counts also for rows of which it has older states
	verdict       verdict            // of a whole snapshot
}

// run reads the second stream until its snapshot is whole, and returns it. Updates that come before the last page are
// compared with it: the active stream sends them too, so they are no reason to correct a row earlier. A row of a page
// counts in place of an update that is older. If the node is behind, no page is the last one: the rows do not count as
// audited.
func (s *standbySnapshot) run(ctx context.Context) (*openStream, error) {
	lease, err := s.Pool.TryStandby(s.address)
	if err != nil {
		return nil, err
	}
	silence := limits{s.beginsWithin, s.Times.SnapshotSilence}
	s.openedAt = time.Now()
	open, err := openSnapshot(ctx, lease, s.subscription.Key, silence, func(stream *endpoint.Stream, m *wire.Message) error {
		for i := range m.Updates {
			p := &m.Updates[i]
			hasRoom := s.updates.Len() < s.Rows || s.updates.Has(p.Key)
			if s.subscription.Covers(p.Key) && hasRoom {
				s.updates.Put(p)
			}
		}
		notAfter := s.notAfter(s.address)
		rows := slices.DeleteFunc(m.Page, func(p model.Position) bool {
			return !s.subscription.Covers(p.Key) || s.updates.Has(p.Key) && !s.updates.IsOlder(&p, notAfter)
		})
		s.News.addPage(rows, notAfter)
		if !m.LastPage {
			return s.compare(ctx, rows)
		}
		return s.compareLast(ctx, slices.AppendSeq(rows, s.updates.All), stream.Node())
	})
	if err != nil {
		return nil, fmt.Errorf("the second stream: %w", err)
	}
	return open, nil
}

// audit reads the second stream, or takes part in a shared audit, if it is not nil. The first page of an audit is
// empty. The stream is opened when the screen has taken that page, so that a service does not wait for a screen that is
// suspended.
func (s *standbySnapshot) audit(ctx context.Context, of *audits, shared *sharedAudit) auditEnd {
	end := auditEnd{sent: s.sent, shared: shared}
	end.err = s.Sink.Audit(ctx, book.AuditPage{Subscription: s.subscription, First: true})
	switch {
	case end.err != nil:
		if shared != nil {
			shared.decline(of)
		}
	case shared != nil:
		if end.err = s.runShared(ctx, of, shared); end.err == nil {
			end.openedAt, end.node = shared.openedAt, shared.node
		}
	default:
		if end.open, end.err = s.run(ctx); end.err == nil {
			end.openedAt, end.node = end.open.openedAt, end.open.Node()
		}
	}
	end.isCurrent, end.counts, end.hasOlder = s.verdict.isCurrent, s.verdict.counts, s.isSample && s.verdict.newlyOlder
	return end
}

// runShared does what run does, with the rows of a shared audit.
func (s *standbySnapshot) runShared(ctx context.Context, of *audits, shared *sharedAudit) error {
	if !shared.join(of, s) {
		return errNotShared
	}
	if err := endpoint.Pause(ctx, time.Time{}, shared.ended); err != nil {
		return err
	}
	if shared.err != nil {
		return shared.err
	}
	s.openedAt = shared.openedAt
	return s.compareLast(ctx, shared.joined[s.subscription.Key], shared.node)
}

// compareLast passes on the rows of the last page, with those that are believed.
func (s *standbySnapshot) compareLast(ctx context.Context, rows []model.Position, node endpoint.Node) error {
	if err := s.compare(ctx, rows); err != nil {
		return err
	}
	if s.sent.count == 0 && !s.mayBeEmpty {
		return errEmptyAudit
	}
	answer := make(chan verdict, 1)
	select {
	case s.asked <- question{s.sent, s.shown, node, s.openedAt, answer}:
		if s.verdict = <-answer; s.isFirstEmpty && s.sent.count == 0 {
			s.verdict.counts, s.verdict.isCurrent = false, false
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	last := book.AuditPage{Subscription: s.subscription, NotAfter: s.notAfter(s.address), Last: s.verdict.counts,
		Removed: s.verdict.gone, Believed: s.verdict.older, IsBelieved: s.isSample && s.verdict.newlyGone}
	for p := range s.held.All {
		if _, is := slices.BinarySearchFunc(last.Believed, p.Key, model.Key.Compare); is {
			last.Positions = append(last.Positions, p)
		}
	}
	return s.Sink.Audit(ctx, last)
}

// compare passes on the rows of a page.
func (s *standbySnapshot) compare(ctx context.Context, rows []model.Position) error {
	notAfter := s.notAfter(s.address)
	s.sent.add(rows, notAfter)
	if len(s.mayBeBelieved) > 0 {
		for i := range rows {
			if s.mayBeBelieved[rows[i].Key] {
				s.held.PutUnlessOlder(&rows[i], notAfter)
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return s.Sink.Audit(ctx, book.AuditPage{Subscription: s.subscription, Positions: rows, NotAfter: notAfter, IsBelieved: s.isBelieved})
}
