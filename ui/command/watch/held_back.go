package watch

import (
	"context"
	"errors"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// nextDelta waits for the next Delta. It returns false if the whole service is watched from now on, or if none has come
// for so long that it may have to be.
func (w *Watch) nextDelta(ctx context.Context) (delta book.Delta, ok bool, err error) {
	if !w.WatchAllIfHeldBack || w.watchesAll {
		delta, err = w.source.Next(ctx)
		return delta, err == nil, err
	}
	if model.AreHeldBack(w.links, w.localNow()) {
		w.watchAll()
		return delta, false, nil
	}
	return w.nextWithin(ctx, time.Second)
}

// nextWithin waits for the next Delta. It returns false if none has come within the time.
func (w *Watch) nextWithin(ctx context.Context, most time.Duration) (delta book.Delta, came bool, err error) {
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	delta, err = w.source.Next(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return delta, false, nil
	}
	return delta, err == nil, err
}

// watchAll watches the whole service in place of the streams of the scope: a stream that is busy gets through a proxy
// that holds back the others. Rows returns those of the scope, as before.
func (w *Watch) watchAll() {
	w.watchesAll, w.problem, w.links = true, nil, nil
	w.subscriptions = model.Scope{}.Subscriptions(nil, w.subscriptions[0].Epoch+1)
	w.book = w.book.Narrowed(w.subscriptions)
	w.source.Watch(w.subscriptions)
	w.Warn(errors.New(format.WatchesAll))
}
