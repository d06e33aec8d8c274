// Package margins reads margin levels: one page for the screen (page.go, merge.go), or all of them one after the other
// (walk.go, retry.go). Package endpoint sends the requests, and decides when.
package margins

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"blotter/feed/endpoint"
	"blotter/model"
)

// MaxPageSize is how many records a page of margin levels may have: the public service allows no more.
const MaxPageSize = 5000

// PageReader reads one page of one list from the service. *endpoint.Pool is one.
type PageReader interface {
	Page(ctx context.Context, kind endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error)
}

// Lister reads margin levels. It may be used by several goroutines at once.
type Lister struct {
	pages  PageReader
	logger *slog.Logger
}

// New returns a lister that reads with pages and logs failures to logger.
func New(pages PageReader, logger *slog.Logger) *Lister { return &Lister{pages, logger} }

// log writes a failure to the log. A request that was not sent was logged when its cause was; a cancelled one is not
// a failure.
func (l *Lister) log(err error, suffix string) {
	if _, postponed := errors.AsType[*endpoint.PostponedError](err); !postponed && !errors.Is(err, context.Canceled) {
		l.logger.Warn("margin levels: " + err.Error() + suffix)
	}
}

// requested returns the records of the list with a key. A service that ignores the filter sends others too.
func requested(key model.Key, rows []model.MarginLevels) []model.MarginLevels {
	isOther := func(levels model.MarginLevels) bool { return !model.Subscription{Key: key}.Covers(levels.Key) }
	if !slices.ContainsFunc(rows, isOther) {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), isOther)
}

// inList adds the list to an error, if there is one and the caller reads several lists. It is at the end: identifiers
// are long, and a screen cuts the end.
func inList(err error, key model.Key, lists int) error {
	if err == nil || lists == 1 {
		return err
	}
	return fmt.Errorf("%w (%s)", err, listName(key))
}

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

// isCursorRefused reports whether the service may have failed because of the cursor: the public service refuses a
// cursor that it cannot read with 400, and one that it does not have with 500.
func isCursorRefused(err error) bool {
	status, ok := errors.AsType[*endpoint.StatusError](err)
	return ok && (status.Status == http.StatusBadRequest || status.Status == http.StatusNotFound ||
		status.Status == http.StatusInternalServerError)
}
