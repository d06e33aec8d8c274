package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/feed/margins"
	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/command/watch"
	"blotter/ui/format"
)

// readAssetsFor is how long margin levels are read for the assets that an order needs, at most.
const readAssetsFor = 3 * time.Second

// readAssets reads margin levels if the order is by amounts of markets whose assets are not configured: amounts of
// different markets compare only if their assets are known. It returns an error only if ctx was cancelled.
func (c *positionsCommand) readAssets(ctx context.Context, w *watch.Watch, source record.Feed,
	config *configuration) ([]model.MarginLevels, error) {
	order, err := view.ParseSortColumn(c.sort)
	if err != nil || !order.HasAmounts() || len(unknownAssets(w.Rows(), w.Instruments)) == 0 {
		return nil, nil
	}
	limited, cancel := context.WithTimeout(ctx, readAssetsFor)
	defer cancel()
	walked, err := source.Walk(limited, model.PageRequest{Scope: config.scope, Size: margins.MaxPageSize}, 0)
	switch err = marginsError(err, strings.Join(config.feed.BaseURLs, ", "), readAssetsFor); {
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		c.warn(fmt.Errorf("--sort %s: assets were not read: %w", c.sort, err))
	}
	return walked.Records, nil
}

// unknownAssets returns the markets of rows whose assets are not known, if there are several markets: the amounts of a
// single one compare.
func unknownAssets(rows []book.Row, in *model.Instruments) map[model.ID]bool {
	isUnknown, all := make(map[model.ID]bool), make(map[model.ID]bool)
	for _, row := range rows {
		market := row.Key().Market
		if all[market] {
			continue
		}
		all[market] = true
		if in.Market(market).Asset.IsZero() {
			isUnknown[market] = true
		}
	}
	if len(all) < 2 {
		return nil
	}
	return isUnknown
}

// putUnknownAssetsLast puts the rows of markets whose assets are not known after all others, by market, and warns of
// them.
func (c *positionsCommand) putUnknownAssetsLast(rows []book.Row, in *model.Instruments) {
	isUnknown := unknownAssets(rows, in)
	if len(isUnknown) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b book.Row) int {
		x, y := a.Key().Market, b.Key().Market
		switch {
		case isUnknown[x] && isUnknown[y]:
			return in.CompareMarkets(x, y)
		case isUnknown[x]:
			return +1
		case isUnknown[y]:
			return -1
		}
		return 0
	})
	c.warn(fmt.Errorf("--sort %s: %s without a known asset: the rows of each are together, after all others",
		c.sort, format.Counted(len(isUnknown), "market")))
}
