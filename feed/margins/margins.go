// Package margins reads margin levels: one page for the screen (page.go, merge.go), or all of them one after the other
// (walk.go). It knows no HTTP: it asks package endpoint, which knows when the service may be asked.
package margins

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"blotter/feed/endpoint"
	"blotter/model"
)

// MaxPageSize is how many records a page of margin levels may have: the known service takes no more.
const MaxPageSize = 5000

// Asker asks the service for one page of one list. *endpoint.Pool is one.
type Asker interface {
	Page(ctx context.Context, kind endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error)
}

// Lister reads margin levels. It may be used by several goroutines at once.
type Lister struct {
	asker  Asker
	logger *slog.Logger
}

// New returns a lister that asks with asker and logs failures to logger.
func New(asker Asker, logger *slog.Logger) *Lister { return &Lister{asker, logger} }

// log writes a failure to the log. A request that was not sent was logged when its cause was; a cancelled one is no
// failure.
func (l *Lister) log(err error, suffix string) {
	if _, notAsked := errors.AsType[*endpoint.NotAskedError](err); !notAsked && !errors.Is(err, context.Canceled) {
		l.logger.Warn("margin levels: " + err.Error() + suffix)
	}
}

// inList adds the list to an error, where the caller reads several lists.
func inList(err error, key model.Key, lists int) error {
	if lists == 1 {
		return err
	}
	return fmt.Errorf("%s: %w", listName(key), err)
}

// listName returns the name of the list of a party and a market.
func listName(key model.Key) string {
	party, market := model.Neutralise(key.Party.String()), model.Neutralise(key.Market.String())
	switch {
	case key.Market.IsZero():
		return "party " + party
	case key.Party.IsZero():
		return "market " + market
	}
	return "party " + party + ", market " + market
}

// isCursorRefused reports whether the service may have failed because of the cursor: the known service answers 400 to
// a cursor that it cannot read, and 500 to one that means nothing to it.
func isCursorRefused(err error) bool {
	status, ok := errors.AsType[*endpoint.StatusError](err)
	return ok && (status.Status == http.StatusBadRequest || status.Status == http.StatusNotFound ||
		status.Status == http.StatusInternalServerError)
}
