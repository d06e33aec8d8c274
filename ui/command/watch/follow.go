package watch

import (
	"context"
	"io"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/command/stdout"
	"blotter/ui/export"
)

// Follow applies what comes until ctx is done or the service refuses. It calls applied after each delta.
func (w *Watch) Follow(ctx context.Context, applied func() error) error {
	return w.follow(ctx, func(book.Delta) {}, applied)
}

// follow also calls before with each delta before it is applied.
func (w *Watch) follow(ctx context.Context, before func(book.Delta), applied func() error) error {
	for {
		delta, err := w.source.Next(ctx, false)
		if err != nil {
			return err
		}
		before(delta)
		w.Apply(delta)
		if err := applied(); err != nil {
			return err
		}
		if err := w.checkLinks(forever); err != nil {
			return err
		}
		w.warned = w.warned && w.isBroken()
		w.warnOfPartial()
	}
}

// WriteChanges writes a line for each position that changes after rows were written, until ctx is done or the service
// refuses. When the reader is slow some states of a position are left out, but never the newest. It calls unscaled with
// how many numbers are empty.
func (w *Watch) WriteChanges(ctx context.Context, rows []*model.Position, output io.Writer, lines *export.PositionLines, unscaled func(int)) error {
	c := &changes{Watch: w, lines: lines, written: make(map[model.Key]model.Position, len(rows))}
	for _, row := range rows {
		c.written[row.Key] = *row
	}
	w.Figures.Rows.Store(int64(len(c.written)))
	return w.follow(ctx, c.touch, func() error {
		text := c.text()
		w.Figures.Rows.Store(int64(len(c.written)))
		w.Figures.Corrections.Add(int64(len(w.corrections)))
		if len(text) == 0 {
			return nil
		}
		if _, err := output.Write(text); err != nil {
			return stdout.Error(err)
		}
		unscaled(lines.Unscaled())
		return nil
	})
}

// forever is a deadline that never comes.
var forever = time.Unix(1<<40, 0)

// isBroken reports whether the rows of a subscription are stale.
func (w *Watch) isBroken() bool {
	return slices.ContainsFunc(w.links, func(l model.Link) bool { return !l.StaleSince.IsZero() })
}

// changes are the positions that change, as lines.
type changes struct {
	*Watch
	lines   *export.PositionLines
	written map[model.Key]model.Position // as they were written last
	touched []model.Key                  // that the last delta may have changed
}

// touch notes the positions that a delta may change. It is called before the delta is applied, which may remove some.
func (c *changes) touch(delta book.Delta) {
	c.touched = c.touched[:0]
	for _, snapshot := range delta.Snapshots {
		for row := range c.book.Narrowed([]model.Subscription{snapshot.Subscription}).All {
			c.touched = append(c.touched, row.Key)
		}
		for row := range snapshot.Rows.All {
			c.touched = append(c.touched, row.Key)
		}
	}
	for _, updates := range delta.Updates {
		for i := range updates.Positions {
			c.touched = append(c.touched, updates.Positions[i].Key)
		}
	}
}

// text returns the lines for those positions that differ from what was written, and notes them as written.
func (c *changes) text() []byte {
	for i := range c.corrections {
		c.touched = append(c.touched, c.corrections[i].Key())
	}
	slices.SortFunc(c.touched, model.Key.Compare)
	var text []byte
	for _, key := range slices.Compact(c.touched) {
		if !c.Scope.Covers(key) {
			continue
		}
		now, shown := c.book.Find(key)
		shown = shown && c.matches(&now)
		before, known := c.written[key]
		switch {
		case shown && (!known || !before.Equal(&now)):
			c.written[key] = now
			text = c.lines.Append(text, &now)
		case !shown && known:
			delete(c.written, key)
			text = c.lines.AppendRemoved(text, key)
		}
	}
	return text
}
