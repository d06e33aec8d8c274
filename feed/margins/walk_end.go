package margins

import (
	"context"
	"errors"
	"fmt"
	"time"

	"blotter/feed/endpoint"
)

// How often a walk of a command asks for the end of a list again, at most: the first time at once, then after a pause.
// A node that works has the next block after a second.
const (
	endAsks  = 5
	endPause = time.Second
)

// errBehind is why the records of a walk may not be all.
var errBehind = errors.New("the list of margin levels may not be complete")

// ending decides whether a list ends where a node reports it. Several nodes may stand behind an address. One that is
// behind also reports no next page where a current one has more. So an end counts only if a node reports it that is not
// behind the newest block of the walk. Otherwise the walk reads again from the row before the last. From then on each
// request has a connection of its own, which may reach another node.
//
//	walk                     reads again                                         at most
//	of a command             always                                              endAsks times
//	full, of the screen      if the node is behind, or if fewer records came     once
//	                         than by the walk before
//	newest first, of the     if the node that sent the first page is behind:     once
//	screen                   from the beginning, where new records are
//
// If the node is behind by the service's clock, a walk of a command asks endAsks times: another node may not be. A page
// without a block, whose headers a proxy may have taken away, is judged by its records: see hasOlder. Its end counts if
// it has a row: a node that is behind may not have the last one.
type ending struct {
	newest    *int64 // the height of the newest block of all pages, also of other lists; 0 if none is known
	isChecked bool   // an end never counts before it was reported twice
	mostAsks  int    // how often the walk reads the end again, at most
	expected  int    // how many records the walk before has found

	isAsking      bool  // the next page is requested to read the end again
	asked         int   // how often that was so since more records came
	ownConnection bool  // each request has a connection of its own: this has begun
	isLate        bool  // the last page is from a node that is behind by the service's clock
	isOlder       bool  // the last page has no block, and is from a node that is behind by its records
	first         int64 // the block of the first page
	firstIsOlder  bool
	reported      int64 // the newest block of the nodes that have reported the end
}

// note notes the block of a page, or whether it is older without one. So is an end that was read again, if nothing is
// new there: it has few records.
func (e *ending) note(page *endpoint.Page, isFirst, isOlder, isNew bool) {
	isOlder = isOlder || e.isAsking && e.isOlder && !isNew
	*e.newest = max(*e.newest, page.Block.Height)
	if isFirst {
		e.first, e.firstIsOlder = page.Block.Height, isOlder
	}
	e.isAsking, e.isLate, e.isOlder = false, page.Lag > 0, isOlder
}

// ask makes the next page one that reads the end again.
func (e *ending) ask() {
	e.asked++
	e.isAsking, e.ownConnection = true, true
}

// wait waits before the end is read again for the second time or more.
func (e *ending) wait(ctx context.Context) error {
	if !e.isAsking || e.asked == 1 || e.isLate {
		return nil
	}
	return endpoint.Pause(ctx, time.Now().Add(endPause), nil)
}

// canAsk reports whether the end may be read again, and whether there is time for it.
func (e *ending) canAsk(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return e.asked < e.mostAsks && (!ok || time.Until(deadline) > 2*endPause)
}

// endAt ends the walk at a page without a next one if that counts, or else makes it read the end again.
func (w *walk) endAt(ctx context.Context, page *endpoint.Page, records int) {
	e := &w.ending
	e.reported = max(e.reported, page.Block.Height)
	isCurrent := *e.newest > 0 && e.reported >= *e.newest
	if page.Block.Height == 0 && !isCurrent {
		isCurrent = !e.isOlder && (len(page.Rows) > 0 || len(w.rows) == 0)
	}
	isEnough := e.asked > 0 || !e.isChecked && records >= e.expected
	if e.isLate && e.isChecked {
		isEnough = e.asked == e.mostAsks
	}
	switch {
	case isCurrent && isEnough:
		w.ended = true
	case e.canAsk(ctx):
		e.ask()
	case isCurrent:
		w.ended = true // no time is left
	default:
		w.end(e.problem("its end", e.reported))
	}
}

// endRefresh ends a walk newest first, or makes it begin again if the node that sent the first page is behind.
func (w *walk) endRefresh() {
	e := &w.ending
	switch {
	case e.isFirstCurrent():
		w.ended = true
	case e.asked < e.mostAsks:
		e.ask()
		w.began, w.rows = false, nil
	default:
		w.end(e.problem("its beginning", e.first))
	}
}

// isFirstCurrent reports whether the first page is not from a node that is behind.
func (e *ending) isFirstCurrent() bool {
	if e.first == 0 {
		return !e.firstIsOlder
	}
	return e.first >= *e.newest
}

// problem returns that a part of the list is from a node that is behind. The block is the newest one that it has.
func (e *ending) problem(part string, block int64) error {
	why := "that does not have all records of the pages before"
	switch {
	case block == 0 && (e.isOlder || e.firstIsOlder):
		why = "with older records than were read before"
	case block > 0:
		why = fmt.Sprintf("at block %d, and another node is at block %d", block, *e.newest)
	}
	return fmt.Errorf("%w: %s is from a node %s", errBehind, part, why)
}
