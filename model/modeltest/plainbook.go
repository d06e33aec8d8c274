package modeltest

import (
	"maps"
	"slices"

	"blotter/model"
)

// PlainBook has the positions of a book in plain maps, to compare with the code under test.
type PlainBook map[model.Subscription]map[model.Key]model.Position

// Replace makes a snapshot of at most n positions of a subscription, gives each of them to put, and stores them in
// place of the positions before.
func (b PlainBook) Replace(w *World, s model.Subscription, n int, put func(*model.Position)) {
	b[s] = make(map[model.Key]model.Position)
	for range w.IntN(n + 1) {
		p := w.Position(s)
		put(&p)
		b.Put(s, p)
	}
}

// Put stores positions of a subscription, each in place of the one with its key.
func (b PlainBook) Put(s model.Subscription, positions ...model.Position) {
	if b[s] == nil {
		b[s] = make(map[model.Key]model.Position)
	}
	for _, p := range positions {
		b[s][p.Key] = p
	}
}

// Narrow removes the positions of all other subscriptions.
func (b PlainBook) Narrow(to []model.Subscription) {
	maps.DeleteFunc(b, func(s model.Subscription, _ map[model.Key]model.Position) bool { return !slices.Contains(to, s) })
}

// All returns the positions of all subscriptions.
func (b PlainBook) All() map[model.Key]model.Position {
	all := make(map[model.Key]model.Position)
	for _, rows := range b {
		maps.Copy(all, rows)
	}
	return all
}
