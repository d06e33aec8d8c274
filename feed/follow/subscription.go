package follow

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// subscription is what the parts of a Follower share: its settings, the state that the Sink gets, and when something is
// due.
type subscription struct {
	Config
	link       model.Link
	alarms     alarms
	hasRows    bool // the subscription has rows
	foundEmpty bool // but the last snapshot or audit has none
}

func (s *subscription) publish() { s.Sink.Publish(s.link) }

// enter sets the phase and, if it is another one, when it began.
func (s *subscription) enter(phase model.Phase) {
	if phase != s.link.Phase {
		s.link.Phase, s.link.Since = phase, time.Now()
	}
}

// isWhole reports whether the rows that are shown were a whole snapshot of the stream that is open.
func (s *subscription) isWhole() bool { return s.link.Phase == model.Live && !s.link.Partial }

// isSilent reports whether no message has come lately.
func (s *subscription) isSilent(now time.Time) bool {
	return now.Sub(s.link.MessageAt) >= s.Times.ProbeAfter
}

// readClock records how the service's clock differs from this machine's, by all responses of the address so far.
func (s *subscription) readClock() { s.link.ClockOffset = s.Pool.ClockOffset(s.link.Address) }

func (s *subscription) serviceNow(now time.Time) time.Time { return now.Add(s.link.ClockOffset) }

// notAfter returns the latest time of change that counts, in nanoseconds since the Unix epoch. It goes by the clock of
// the service if the service sends its time: that of the trader's machine may be wrong by minutes.
func (s *subscription) notAfter(now time.Time) int64 {
	return s.serviceNow(now).Add(model.AheadFor).UnixNano()
}

// withoutUnrequested leaves out, in place, the positions that were not requested: each position belongs to one
// subscription. A service that ignores the filter sends such positions.
func (s *subscription) withoutUnrequested(rows []model.Position) []model.Position {
	return slices.DeleteFunc(rows, func(p model.Position) bool {
		if s.link.Covers(p.Key) {
			return false
		}
		if s.link.Unrequested++; s.link.Unrequested == 1 {
			s.log(slog.LevelWarn, "positions stream: the service sends positions that were not requested; they are left out")
		}
		return true
	})
}

// pass passes on updates, or rows of pages that are shown before the last page.
func (s *subscription) pass(rows []model.Position, latePage bool) error {
	return s.Sink.Update(book.Updates{Subscription: s.link.Subscription, Positions: rows,
		NotAfter: s.notAfter(time.Now()), LatePage: latePage})
}

func (s *subscription) passAll(rows *book.Rows, latePage bool) error {
	const together = 1024
	some := make([]model.Position, 0, min(rows.Len(), together))
	for row := range rows.All {
		if some = append(some, row); len(some) == together {
			if err := s.pass(some, latePage); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	if len(some) == 0 {
		return nil
	}
	return s.pass(some, latePage)
}

func (s *subscription) log(level slog.Level, line string, facts ...any) {
	s.Logger.Log(context.Background(), level, line, append(facts, s.facts()...)...)
}

// facts name the subscription in a line of the log.
func (s *subscription) facts() []any {
	facts := []any{"address", s.link.Address}
	if !s.link.Party.IsZero() {
		facts = append(facts, "party", model.Neutralise(s.link.Party.String()))
	}
	if !s.link.Market.IsZero() {
		facts = append(facts, "market", model.Neutralise(s.link.Market.String()))
	}
	return facts
}

// logLoss writes why a stream broke or was refused, and the time until the next request, if the service named one.
func (s *subscription) logLoss(err error) {
	words, facts := endpoint.Describe(err), []any(nil)
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		words = status.Error()
		if status.RetryAfter > 0 {
			facts = []any{"wait", status.RetryAfter}
		}
	}
	s.log(slog.LevelWarn, "positions stream: "+words, facts...)
}

// problemAt returns err as a Problem for the screen. An error that names no address happened at the given one.
func problemAt(address string, err error) *model.Problem {
	problem := &model.Problem{
		Address: cmp.Or(endpoint.AddressOf(err), address), Words: endpoint.Describe(err),
		Refuse: endpoint.OutcomeOf(err).IsRefusal(), NotSent: errors.Is(err, endpoint.ErrTokenInClear),
		Advice: endpoint.Advice(err),
	}
	_, problem.HeldBack = errors.AsType[*endpoint.HeldBackError](err)
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		problem.Status, problem.Words = status.Response()
	}
	return problem
}
