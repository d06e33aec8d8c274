package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"blotter/model"
)

// log tells the log a line about the subscription.
func (s *subscription) log(level slog.Level, line string, facts ...any) {
	facts = append(facts, "address", s.link.Address)
	if !s.link.Party.IsZero() {
		facts = append(facts, "party", model.Neutralise(s.link.Party.String()))
	}
	if !s.link.Market.IsZero() {
		facts = append(facts, "market", model.Neutralise(s.link.Market.String()))
	}
	s.feed.config.Logger.Log(context.Background(), level, line, facts...)
}

// logLoss tells of a stream that broke or was refused, and how long the service asked to be left alone.
func (s *subscription) logLoss(err error) {
	why, facts := words(err), []any(nil)
	if status, ok := asStatus(err); ok {
		why = status.Error()
		if status.RetryAfter > 0 {
			facts = []any{"wait", status.RetryAfter}
		}
	}
	s.log(slog.LevelWarn, "positions stream: "+why, facts...)
}

// logLag tells of a node that falls behind, and of one that has caught up.
func (f *Feed) logLag(v *visit, block model.Block) {
	lag, changed := block.Lag(time.Now()), false
	v.update(func() {
		changed = v.pages.lags != (lag > 0)
		v.pages.lags = lag > 0
	})
	switch {
	case changed && lag > 0:
		f.config.Logger.Warn(fmt.Sprintf("the node is behind: its last block was %s old", lag.Round(time.Second)),
			"block", block.Height, "address", v.base.String())
	case changed:
		f.config.Logger.Info("the node is no longer behind", "block", block.Height, "address", v.base.String())
	}
}

// logPage tells of a page of margin levels that was asked for and did not come.
func (f *Feed) logPage(err error) {
	_, rests := errors.AsType[*restingError](err)
	if !rests && !isUnasked(err) && !errors.Is(err, context.Canceled) {
		f.config.Logger.Warn("margin levels: " + words(err))
	}
}
