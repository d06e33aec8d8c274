package detail

import (
	"context"
	"errors"
	"time"

	"blotter/model"
	"blotter/ui/store"
)

// RequestDelay is how long a position is selected before its margin levels are requested, so that none are requested
// while the cursor moves.
const RequestDelay = 150 * time.Millisecond

// levelRequests requests the margin levels of the selected position, and again when they are old.
type levelRequests struct {
	ctx         context.Context // of the requests
	key         model.Key       // the selected position
	number      int             // counts the positions that were selected
	hasStayed   bool            // it was selected for RequestDelay
	requestedAt time.Time       // when the last request was sent
	readAt      time.Time       // when the page of the last response was read
	pending     *store.Request  // nil if the response is there
	problem     string          // why the last request failed
}

// newLevelRequests returns requests without a position. Requests end when ctx is done.
func newLevelRequests(ctx context.Context) levelRequests { return levelRequests{ctx: ctx} }

// choose makes a position the selected one, or none if the key is zero, and reports whether it was another one
// before. Then endDelay must be called with the number after RequestDelay.
func (s *levelRequests) choose(key model.Key) (number int, isNew bool) {
	if s.key == key {
		return s.number, false
	}
	s.pending.Cancel()
	s.number++
	s.key, s.pending, s.hasStayed, s.problem, s.requestedAt, s.readAt = key, nil, false, "", time.Time{}, time.Time{}
	return s.number, true
}

// endDelay notes that RequestDelay is over since a position was selected, unless the cursor has moved on.
func (s *levelRequests) endDelay(number int) {
	if number == s.number {
		s.hasStayed = true
	}
}

// maxRecords is how many records a party may have in a market: one for each asset.
const maxRecords = 20

// due returns the request for the levels of the position, nil until it is due. The time checkedAt is when the service
// last sent them, as far as that is known.
func (s *levelRequests) due(checkedAt, now time.Time) *store.Request {
	if !s.hasStayed || s.pending != nil || s.ctx.Err() != nil {
		return nil
	}
	wait := model.MarginRefresh
	if s.problem != "" {
		wait = model.MarginRetry
	}
	if now.Sub(s.requestedAt) < wait || now.Sub(checkedAt) < 2*model.MarginRefresh { // the walk checks it
		return nil
	}
	s.requestedAt = now
	s.pending = store.NewRequest(s.ctx, model.PageRequest{
		Scope: model.Scope{Parties: []model.ID{s.key.Party}, Markets: []model.ID{s.key.Market}},
		Size:  maxRecords, NewestFirst: true, Background: !checkedAt.IsZero(),
	})
	return s.pending
}

// handle handles a response, unless another position was selected, and returns the page in it, or nil if there is none.
func (s *levelRequests) handle(r store.Response, now time.Time) *model.Page {
	if r.To != s.pending {
		return nil
	}
	s.pending.Cancel()
	s.pending = nil
	switch {
	case errors.Is(r.Err, context.Canceled):
		return nil
	case r.Err != nil:
		s.problem, _ = store.Problem(r.Err, now)
		return nil
	}
	s.problem, s.readAt = "", r.Page.ReadAt
	return r.Page
}

// of returns when the levels of a position were last read, and why the last request failed; zero and empty if it is
// not the selected one.
func (s *levelRequests) of(key model.Key) (readAt time.Time, problem string) {
	if s.key != key {
		return time.Time{}, ""
	}
	return s.readAt, s.problem
}
