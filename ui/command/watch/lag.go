package watch

import (
	"fmt"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// takeLinks takes the states of the subscriptions, nil if they are as before, and warns once when one with positions
// begins to be behind, or its updates begin to come late.
func (w *Watch) takeLinks(links []model.Link) {
	if links != nil {
		w.links = links
	}
	now := w.localNow()
	var worst, latest *model.Link
	for i := range w.links {
		link := &w.links[i]
		if link.IsLate(now) && (latest == nil || link.LateBy > latest.LateBy) {
			latest = link
		}
		if hasRows := link.Committed || link.Partial; hasRows && link.Behind(now) > 0 &&
			(worst == nil || link.Behind(now) > worst.Behind(now)) {
			worst = link
		}
	}
	if worst != nil && !w.warnedOfLag {
		w.Warn(lagError(worst, now))
	}
	if latest != nil && !w.warnedOfLate {
		w.Warn(fmt.Errorf("%s: the updates come late: the last ones were %s old", latest.Address, latest.LateBy.Truncate(time.Second)))
	}
	w.warnedOfLag, w.warnedOfLate = worst != nil, latest != nil
}

// lagError says how far a stream is behind, and whether its positions may be out of date.
func lagError(link *model.Link, now time.Time) error {
	lag := link.Behind(now).Truncate(time.Second)
	if link.MayBeOutOfDate(now) {
		return fmt.Errorf("%s: the node is %s behind: positions may be out of date", link.Address, lag)
	}
	return fmt.Errorf("%s: the node is %s behind", link.Address, lag)
}

// staleError says which rows may be out of date or are missing; nil if none are.
func (w *Watch) staleError() error {
	for i, now := 0, w.localNow(); i < len(w.links); i++ {
		if freshness, _ := w.links[i].Freshness(now); freshness != model.FreshLive && freshness != model.FreshQuiet {
			return fmt.Errorf("positions are %s, not up to date", freshness)
		}
	}
	return nil
}

// WarnOfStale warns once if positions are stale: if their stream has ended.
func (w *Watch) WarnOfStale() {
	now := w.localNow()
	worst := model.Worst(w.links, now)
	if worst == nil {
		return
	}
	how, since := worst.Freshness(now)
	if !how.IsStale() {
		return
	}
	problem := model.Problem{Address: worst.Address, Words: "nothing came"}
	if worst.Problem != nil {
		problem = *worst.Problem
	}
	w.Warn(fmt.Errorf("%w: positions may be out of date, for %s", problemError(&problem), since.Truncate(time.Second)))
}

// decides returns what a position may decide: nothing if it may be out of date.
func (w *Watch) decides(_ int, key model.Key) view.Decides {
	link := model.LinkOf(w.links, key)
	if link == nil || link.MayBeOutOfDate(w.localNow()) || w.book.IsUnsent(key) {
		return view.DecidesNothing
	}
	return view.DecidesAll
}
