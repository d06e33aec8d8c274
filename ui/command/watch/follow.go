package watch

import (
	"context"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/command/cli"
	"blotter/ui/export"
)

// Follow applies what comes until ctx is done or the service refuses. It calls applied after each delta. Margin levels
// are read only because they may show that an update was missed.
func (w *Watch) Follow(ctx context.Context, source Audited, applied func() error) error {
	return w.follow(ctx, source, func(book.Delta) {}, applied)
}

// follow also calls before with each delta before it is applied.
func (w *Watch) follow(ctx context.Context, source Audited, before func(book.Delta), applied func() error) error {
	ctx, stop := context.WithCancel(ctx)
	h := hinting{source: source}
	var reader sync.WaitGroup
	defer reader.Wait()
	defer stop()
	reader.Go(func() { h.read(ctx, w.Scope) })
	for {
		delta, came, err := w.nextWithin(ctx, hintsEvery)
		if err != nil {
			return err
		}
		h.compare(w.book)
		if !came {
			continue
		}
		before(delta)
		w.Apply(delta)
		if err := applied(); err != nil {
			return err
		}
		if err := w.checkLinks(forever); err != nil {
			return err
		}
		isStale := func(l model.Link) bool { return !l.StaleSince.IsZero() }
		w.warnedOfProblem = w.warnedOfProblem && slices.ContainsFunc(w.links, isStale) // once for each outage
		w.warnOfPartial()
	}
}

// WriteChanges writes a line for each position that changes after rows were written, until ctx is done or the service
// refuses. When the reader is slow some states of a position are left out, but never the newest. It calls unscaled with
// how many numbers are empty.
func (w *Watch) WriteChanges(ctx context.Context, source Audited, rows []book.Row, output io.Writer,
	lines *export.PositionLines, unscaled func(int)) error {
	c := &changeLines{
		Watch: w, lines: lines, written: make(map[model.Key]writtenState, len(rows)), shown: len(rows),
		postponed: make(map[model.Subscription]map[model.Key]struct{}),
	}
	for _, row := range rows {
		c.written[row.Key()] = writtenState{Position: row.Position()}
	}
	w.Figures.Rows.Store(int64(c.shown))
	return w.follow(ctx, source, c.note, func() error {
		text := c.text()
		w.Figures.Rows.Store(int64(c.shown))
		w.Figures.UnsentRows.Store(int64(w.book.AllUnsent()))
		w.Figures.Corrections.Add(int64(len(w.corrections)))
		w.WarnOfUnaudited()
		if len(text) == 0 {
			return nil
		}
		if _, err := output.Write(text); err != nil {
			return cli.OutputError(err)
		}
		unscaled(lines.Unscaled())
		return nil
	})
}

// forever is a deadline that never comes.
var forever = time.Unix(1<<40, 0)

// changeLines makes the lines of positions that change.
type changeLines struct {
	*Watch
	lines     *export.PositionLines
	written   map[model.Key]writtenState
	shown     int                                           // how many of them are shown
	toCompare []model.Key                                   // that the last delta may have changed
	postponed map[model.Subscription]map[model.Key]struct{} // see isUsable
}

// writtenState is a state of a position as it was written last.
type writtenState struct {
	model.Position
	isRemoved bool // the line said that it is gone, or no longer matches
}

// note adds the positions that a delta may change to those to compare. It is called before the delta is applied, which
// may remove some.
func (c *changeLines) note(delta book.Delta) {
	c.toCompare = c.toCompare[:0]
	for _, snapshot := range delta.Snapshots {
		for row := range c.book.Narrowed([]model.Subscription{snapshot.Subscription}).All {
			c.toCompare = append(c.toCompare, row.Key)
		}
		for row := range snapshot.Rows.All {
			c.toCompare = append(c.toCompare, row.Key)
		}
	}
	for _, updates := range delta.Updates {
		for i := range updates.Positions {
			c.toCompare = append(c.toCompare, updates.Positions[i].Key)
		}
	}
}

// text returns a line for each position that differs from what was written last, and notes it as written.
func (c *changeLines) text() []byte {
	c.toCompare = append(c.toCompare, c.corrections...)
	c.addPostponed()
	slices.SortFunc(c.toCompare, model.Key.Compare)
	var text []byte
	for _, key := range slices.Compact(c.toCompare) {
		if !c.Scope.Covers(key) {
			continue
		}
		now, isThere := c.book.Find(key)
		matches := isThere && c.Query.Matches(&now, c.filterContext())
		before, known := c.written[key]
		wasShown := known && !before.isRemoved
		switch {
		case matches == wasShown && (!matches || before.Equal(&now)):
		case known && !c.isUsable(key, isThere, &now, &before.Position):
		case matches:
			if !wasShown {
				c.shown++
			}
			c.written[key] = writtenState{Position: now}
			text = c.lines.Append(text, &now)
		default:
			c.shown--
			if isThere {
				before.Position = now
			}
			c.written[key] = writtenState{before.Position, true}
			text = c.lines.AppendRemoved(text, key)
		}
	}
	return text
}

// isUsable reports whether the state of a position now may be written after the one before. While its stream is behind,
// an older state or a missing position may only be an earlier state of the service: it is postponed, and compared again
// when the stream is no longer behind.
func (c *changeLines) isUsable(key model.Key, isThere bool, now, before *model.Position) bool {
	link := model.LinkOf(c.links, key)
	if link == nil || link.Behind(c.localNow()) == 0 || isThere && now.IsNotOlder(before, c.Now().Add(model.AheadFor).UnixNano()) {
		return true
	}
	if c.postponed[link.Subscription] == nil {
		c.postponed[link.Subscription] = make(map[model.Key]struct{})
	}
	c.postponed[link.Subscription][key] = struct{}{}
	return false
}

// addPostponed adds the postponed positions whose streams are no longer behind to those to compare.
func (c *changeLines) addPostponed() {
	for i := range c.links {
		if link := &c.links[i]; len(c.postponed[link.Subscription]) > 0 && link.Behind(c.localNow()) == 0 {
			c.toCompare = slices.AppendSeq(c.toCompare, maps.Keys(c.postponed[link.Subscription]))
			delete(c.postponed, link.Subscription)
		}
	}
}
