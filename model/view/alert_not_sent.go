package view

import (
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// notSentFor is how long an alert waits for a position that went together with many others.
const notSentFor = 24 * time.Hour

// NoteNotSent notes that many positions of a stream have gone together at a time, and were not just closed. The alerts
// of those that are gone do not end: they wait until the positions come back, for a day at most.
func (a *Alerts) NoteNotSent(b *book.Book, of model.Subscription, at time.Time) {
	for alert := range a.evaluated {
		if !alert.Begun || alert.Key == (model.Key{}) || !of.Covers(alert.Key) || !alert.NotSentSince.IsZero() {
			continue
		}
		if _, number := b.Row(alert.Key); number == 0 {
			alert.NotSentSince = at
		}
	}
}

// DropNotSent makes the alerts end that have waited long enough for positions that are not sent, when all rows are
// matched the next time. It reports whether there are any.
func (a *Alerts) DropNotSent(now time.Time) (dropped bool) {
	for alert := range a.evaluated {
		if !alert.NotSentSince.IsZero() && model.Elapsed(now, alert.NotSentSince) >= notSentFor {
			alert.NotSentSince, dropped = time.Time{}, true
		}
	}
	return dropped
}

// NotSent returns how many alerts of a rule wait for positions that are not sent, and since when the first of them
// does.
func (a *Alerts) NotSent(rule int) (n int, since time.Time) {
	for alert := range a.present.Alerts() {
		if alert.Rule != rule || alert.NotSentSince.IsZero() {
			continue
		}
		if n++; n == 1 || alert.NotSentSince.Before(since) {
			since = alert.NotSentSince
		}
	}
	return n, since
}

// noteSent notes that the position of an alert, which may be nil, is sent.
func noteSent(alert *event.Alert) {
	if alert != nil {
		alert.NotSentSince = time.Time{}
	}
}
