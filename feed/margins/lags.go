package margins

import (
	"fmt"
	"time"

	"blotter/feed/endpoint"
)

// sameLag is how much the lags of the pages of one node differ at most: blocks come about once a second.
const sameLag = 5 * time.Second

// lags are how far the nodes were behind that sent the pages of a walk: several nodes may stand behind one address.
type lags struct {
	least, most time.Duration // by the clock here
	behind      time.Duration // the most by the service's clock; 0 if no node was behind
	isKnown     bool
	hasOlder    bool // a page without a block had older records than pages before
}

// add adds the lag of a page, which was read at a time by the clock here.
func (l *lags) add(page *endpoint.Page, isOlder bool, at time.Time) {
	l.hasOlder = l.hasOlder || isOlder
	if page.Block.Time.IsZero() {
		return
	}
	lag := at.Sub(page.Block.Time)
	if !l.isKnown {
		l.least, l.most, l.isKnown = lag, lag, true
	}
	l.least, l.most = min(l.least, lag), max(l.most, lag)
	l.behind = max(l.behind, page.Lag)
}

// difference returns why records may be missing, or nil if all pages may be from nodes with the same blocks.
func (l *lags) difference() error {
	const words = "the pages came from nodes of which one is %sbehind another: margin levels may be old or missing"
	switch by := l.most - l.least; {
	case by > sameLag:
		return fmt.Errorf(words, by.Round(time.Second).String()+" ")
	case l.hasOlder:
		return fmt.Errorf(words, "")
	}
	return nil
}

// problem returns why records may be old, or nil if no node is behind.
func (l *lags) problem() error {
	if l.behind > 0 {
		return fmt.Errorf("the node is behind by %s: margin levels may be old", l.behind.Round(time.Second))
	}
	return nil
}
