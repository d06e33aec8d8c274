package command

import (
	"context"
	"io"
	"slices"
	"time"

	"blotter/model"
	"blotter/ui/export"
)

// follow writes each position that changes, whole, on a line, until ctx ends or the service refuses. While the reader
// is slow the feed keeps the newest state of each position, so that states in between may be missed, but never
// the last one.
func (w *watch) follow(ctx context.Context, rows []*model.Position, output io.Writer) error {
	told := make(map[model.Key]model.Position, len(rows))
	for _, row := range rows {
		told[row.Key] = *row
	}
	for {
		delta, err := w.source.Next(ctx, false)
		if err != nil {
			return err
		}
		touched := w.touched(delta)
		w.take(delta)
		for i := range w.corrections {
			touched = append(touched, w.corrections[i].Key())
		}
		slices.SortFunc(touched, model.Key.Compare)
		touched = slices.Compact(touched)
		if lines := w.changes(touched, told); len(lines) > 0 {
			if _, err := output.Write(lines); err != nil {
				return outputError(err)
			}
		}
		if err := w.judge(forever); err != nil {
			return err
		}
		w.warned = w.warned && w.isBroken()
	}
}

// forever is a deadline that no wait goes beyond.
var forever = time.Unix(1<<40, 0)

// isBroken tells whether a subscription waits to be tried again.
func (w *watch) isBroken() bool {
	return slices.ContainsFunc(w.links, func(l model.Link) bool { return !l.StaleSince.IsZero() })
}

// touched are the positions that a snapshot or updates may change: before they are taken, because that may remove some.
func (w *watch) touched(delta model.Delta) []model.Key {
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

// changes are the lines for those of the positions that are no longer as they were told, which they are then.
func (w *watch) changes(touched []model.Key, told map[model.Key]model.Position) []byte {
	var lines []byte
	for _, key := range touched {
		if !w.scope.Covers(key) {
			continue
		}
		now := w.book.Find(key)
		before, known := told[key]
		switch {
		case now != nil && (!known || !before.Equal(now)):
			told[key] = *now
			lines = export.AppendPosition(lines, now)
		case now == nil && known:
			delete(told, key)
			lines = export.AppendRemoved(lines, key)
		}
	}
	return lines
}
