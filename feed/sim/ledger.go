package sim

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/btree"
)

// ledger is the truth about margin levels: records in the order of their last
// change, which is the order of the list.
type ledger struct {
	order *btree.BTreeG[*levels] // oldest first
	at    map[MarginKey]*levels
}

func newLedger() *ledger {
	return &ledger{
		order: btree.NewBTreeGOptions(older, btree.Options{NoLocks: true}),
		at:    map[MarginKey]*levels{},
	}
}

func older(a, b *levels) bool {
	return cmp.Or(cmp.Compare(a.Timestamp, b.Timestamp), bytes.Compare(a.account[:], b.account[:])) < 0
}

func (l *ledger) clone() *ledger { return &ledger{order: l.order.Copy(), at: maps.Clone(l.at)} }

// put sets a record, which moves to the place of its time.
func (l *ledger) put(record *levels) {
	l.remove(record.Key())
	l.order.Set(record)
	l.at[record.Key()] = record
}

// remove forgets a record, if it is there.
func (l *ledger) remove(key MarginKey) {
	if old := l.at[key]; old != nil {
		l.order.Delete(old)
		delete(l.at, key)
	}
}

// all returns the records, newest first.
func (l *ledger) all() []MarginLevels {
	var records []MarginLevels
	l.order.Reverse(func(record *levels) bool {
		records = append(records, record.MarginLevels)
		return true
	})
	return records
}

// marginPage is a page of the list, in the order that was asked for.
type marginPage struct {
	records                      []*levels
	hasNextPage, hasPreviousPage bool
}

// read returns the page that the query asks for.
//
// The service looks for the cursor's row and all that follow, and takes the
// first that it finds for the cursor's row itself. If that row has changed
// since, and so moved, the first row of the page is dropped without a word.
func (l *ledger) read(q marginQuery) marginPage {
	found := l.walk(q)
	if len(found) == 0 {
		return marginPage{}
	}
	if q.cursor != nil {
		found = found[1:]
	}
	more := len(found) > q.limit
	found = found[:min(len(found), q.limit)]
	if q.backward {
		slices.Reverse(found)
		return marginPage{records: found, hasNextPage: q.cursor != nil, hasPreviousPage: more}
	}
	return marginPage{records: found, hasNextPage: more, hasPreviousPage: q.cursor != nil}
}

// walk collects the cursor's row, the page, and one row more, from the cursor
// in the direction of the walk.
func (l *ledger) walk(q marginQuery) []*levels {
	wanted := q.limit + 1
	if q.cursor != nil {
		wanted++
	}
	var found []*levels
	take := func(record *levels) bool {
		if q.matches(record) {
			found = append(found, record)
		}
		return len(found) < wanted
	}
	descending := q.newestFirst != q.backward
	switch {
	case q.cursor == nil && descending:
		l.order.Reverse(take)
	case q.cursor == nil:
		l.order.Scan(take)
	case descending:
		l.order.Descend(q.cursor, take)
	default:
		l.order.Ascend(q.cursor, take)
	}
	return found
}

// matches applies the filter; hex in either case is the same to it.
func (q marginQuery) matches(record *levels) bool {
	return (q.party == nil || strings.ToLower(*q.party) == record.Party) &&
		(q.market == nil || strings.ToLower(*q.market) == record.Market)
}
