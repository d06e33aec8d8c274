package sim

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/btree"

	"blotter/feed/sim/market"
)

// marginList is the margin levels of a replica: records in the order of their last change, which is the order of the
// pages.
type marginList struct {
	order *btree.BTreeG[*market.MarginRecord] // oldest first
	at    map[MarginKey]*market.MarginRecord
}

func newMarginList() *marginList {
	return &marginList{
		order: btree.NewBTreeGOptions(older, btree.Options{NoLocks: true}),
		at:    map[MarginKey]*market.MarginRecord{},
	}
}

func older(a, b *market.MarginRecord) bool {
	return cmp.Or(cmp.Compare(a.Timestamp, b.Timestamp), bytes.Compare(a.Account[:], b.Account[:])) < 0
}

// put sets a record, which moves to the place of its time.
func (l *marginList) put(record *market.MarginRecord) {
	l.remove(record.Key())
	l.order.Set(record)
	l.at[record.Key()] = record
}

// remove forgets a record, if it is there.
func (l *marginList) remove(key MarginKey) {
	if old := l.at[key]; old != nil {
		l.order.Delete(old)
		delete(l.at, key)
	}
}

// all returns the records, newest first.
func (l *marginList) all() []MarginLevels {
	var records []MarginLevels
	l.order.Reverse(func(record *market.MarginRecord) bool {
		records = append(records, record.MarginLevels)
		return true
	})
	return records
}

func (l *marginList) clone() *marginList {
	return &marginList{order: l.order.Copy(), at: maps.Clone(l.at)}
}

// marginPage is a page of the list, in the requested order.
type marginPage struct {
	records                      []*market.MarginRecord
	hasNextPage, hasPreviousPage bool
}

// page returns the page of the query.
//
// The service reads the cursor's row and all that follow, and leaves out the first of them, which should be the
// cursor's row. If that row has changed since, and so moved, the first row of the page is missing.
func (l *marginList) page(q marginQuery) marginPage {
	found := l.find(q)
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

// find returns the cursor's row, the page, and one row more, from the cursor in the direction of the query.
func (l *marginList) find(q marginQuery) []*market.MarginRecord {
	most := q.limit + 1
	if q.cursor != nil {
		most++
	}
	var found []*market.MarginRecord
	collect := func(record *market.MarginRecord) bool {
		if q.matches(record) {
			found = append(found, record)
		}
		return len(found) < most
	}
	descending := q.newestFirst != q.backward
	switch {
	case q.cursor == nil && descending:
		l.order.Reverse(collect)
	case q.cursor == nil:
		l.order.Scan(collect)
	case descending:
		l.order.Descend(q.cursor, collect)
	default:
		l.order.Ascend(q.cursor, collect)
	}
	return found
}

// matches reports whether the query selects the record. Hex is the same in either case.
func (q marginQuery) matches(record *market.MarginRecord) bool {
	return (q.party == nil || strings.ToLower(*q.party) == record.Party) &&
		(q.market == nil || strings.ToLower(*q.market) == record.Market)
}
