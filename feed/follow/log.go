package follow

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"blotter/feed/endpoint"
	"blotter/model"
)

// log writes a line about the subscription.
func (f *Follower) log(level slog.Level, line string, facts ...any) {
	f.Logger.Log(context.Background(), level, line, append(facts, f.facts()...)...)
}

// facts name the subscription in a line of the log.
func (f *Follower) facts() []any {
	facts := []any{"address", f.link.Address}
	if !f.link.Party.IsZero() {
		facts = append(facts, "party", model.Neutralise(f.link.Party.String()))
	}
	if !f.link.Market.IsZero() {
		facts = append(facts, "market", model.Neutralise(f.link.Market.String()))
	}
	return facts
}

// log writes a line about the shared audit, which has ended.
func (a *sharedAudit) log() {
	level, line := slog.LevelDebug, "has ended"
	switch outcome := endpoint.OutcomeOf(a.err); {
	case outcome == endpoint.Postponed, outcome == endpoint.Cancelled, errors.Is(a.err, errNotShared):
		line = a.err.Error()
	case a.err != nil:
		level, line = slog.LevelWarn, endpoint.Describe(a.err)
	case a.node.Lag > 0:
		level, line = slog.LevelWarn, "its node is behind what was shown, so it is no audit"
	}
	a.Logger.Log(context.Background(), level, "audit of several positions streams: "+line, "address", a.address, "streams", len(a.joined))
}

// logLoss writes why a stream broke or was refused, and the time until the next request, if the service named one.
func (f *Follower) logLoss(err error) {
	words, facts := endpoint.Describe(err), []any(nil)
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		words = status.Error()
		if status.RetryAfter > 0 {
			facts = []any{"wait", status.RetryAfter}
		}
	}
	f.log(slog.LevelWarn, "positions stream: "+words, facts...)
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
