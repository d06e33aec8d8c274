package watch

import (
	"context"
	"errors"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// pairsFor is how long AwaitPairs waits at most. Blocks come about once a second.
const pairsFor = 3 * time.Second

// hasWaiting reports whether a margin record of a book is not of one moment with its position.
func hasWaiting(b *book.Book) bool {
	for t := range b.AllTables {
		if t.Rows().HasWaiting() {
			return true
		}
	}
	return false
}

// AwaitPairs keeps margin records, and takes what comes until each of them is of one moment with its position, but not
// for long: the margin ratios of others are not known. It returns an error if ctx is done.
func (w *Watch) AwaitPairs(ctx context.Context, records []model.MarginLevels) error {
	w.book.MergeMargins(&model.Page{Rows: records, ReadAt: w.Now()})
	within, stop := context.WithTimeout(ctx, pairsFor)
	defer stop()
	for hasWaiting(w.book) {
		delta, came, err := w.nextDelta(within)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case within.Err() != nil:
			w.Warn(errors.New("the margin levels of some positions are not of the same moment: they have no margin ratio"))
			return nil
		case err != nil:
			return err
		case came:
			w.Apply(delta)
		}
	}
	return nil
}
