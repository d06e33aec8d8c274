package command

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

// follow writes a line for each position that changes, until ctx is done or the service refuses. When the reader is
// slow some states of a position are left out, but never the newest. It calls unscaled with how many numbers are empty.
func (w *watch) follow(ctx context.Context, rows []*model.Position, output io.Writer, lines *export.PositionLines, unscaled func(int)) error {
	w.lines = lines
	written := make(map[model.Key]model.Position, len(rows))
	for _, row := range rows {
		written[row.Key] = *row
	}
	w.figures.Rows.Store(int64(len(written)))
	for {
		delta, err := w.source.Next(ctx, false)
		if err != nil {
			return err
		}
		touched := w.touched(delta)
		w.apply(delta)
		for i := range w.corrections {
			touched = append(touched, w.corrections[i].Key())
		}
		slices.SortFunc(touched, model.Key.Compare)
		touched = slices.Compact(touched)
		text := w.changes(touched, written)
		w.figures.Rows.Store(int64(len(written)))
		w.figures.Corrections.Add(int64(len(w.corrections)))
		if len(text) > 0 {
			if _, err := output.Write(text); err != nil {
				return stdout.Error(err)
			}
			unscaled(lines.Unscaled())
		}
		if err := w.checkLinks(forever); err != nil {
			return err
		}
		w.warned = w.warned && w.isBroken()
	}
}

// forever is a deadline that never comes.
var forever = time.Unix(1<<40, 0)

// isBroken reports whether the rows of a subscription are stale.
func (w *watch) isBroken() bool {
	return slices.ContainsFunc(w.links, func(l model.Link) bool { return !l.StaleSince.IsZero() })
}

// touched returns the positions that a delta may change. It is called before the delta is applied, which may remove
// some.
func (w *watch) touched(delta book.Delta) []model.Key {
	var keys []model.Key
	for _, snapshot := range delta.Snapshots {
		for row := range w.book.Narrowed([]model.Subscription{snapshot.Subscription}).All {
			keys = append(keys, row.Key)
		}
		for row := range snapshot.Rows.All {
			keys = append(keys, row.Key)
		}
	}
	for _, updates := range delta.Updates {
		for i := range updates.Positions {
			keys = append(keys, updates.Positions[i].Key)
		}
	}
	return keys
}

// changes returns the lines for those positions that differ from what was written, and notes them as written.
func (w *watch) changes(touched []model.Key, written map[model.Key]model.Position) []byte {
	var text []byte
	for _, key := range touched {
		if !w.scope.Covers(key) {
			continue
		}
		now, shown := w.book.Find(key)
		shown = shown && w.matches(&now)
		before, known := written[key]
		switch {
		case shown && (!known || !before.Equal(&now)):
			written[key] = now
			text = w.lines.Append(text, &now)
		case !shown && known:
			delete(written, key)
			text = w.lines.AppendRemoved(text, key)
		}
	}
	return text
}
