package model

import (
	"math/bits"
	"time"
)

// A service reads its snapshot first and begins to send updates afterwards, without sequence numbers: what changes in
// between is lost on a stream that looks healthy. Only a second look can find it. An audit reads a second snapshot on a
// second stream and compares it, page by page, with the rows of the first. The first stream goes on all the time.
//
// Which of two states of a row stays:
//
//	both have a usable time, and they differ     the newer one
//	the active stream spoke of it meanwhile      what the active stream said
//	otherwise                                    what the audit says: it looked later
//
// A row that the audit lacks is removed, unless the active stream spoke of it meanwhile, or its time is later than all
// that the audit has said: then the audit reached a node that is behind.

// audit is an audit of one table that is under way.
type audit struct {
	seen   bitSet // the rows that the audit has spoken of, by number
	active bitSet // the rows that the active stream has spoken of since the audit began
	newest int64  // the latest usable time that the audit has said
}

// bitSet is a set of row numbers.
type bitSet []uint64

func (s *bitSet) add(number uint32) {
	word := int(number / 64)
	for word >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[word] |= 1 << (number % 64)
}

func (s bitSet) has(number uint32) bool {
	word := int(number / 64)
	return word < len(s) && s[word]&(1<<(number%64)) != 0
}

// word is 64 rows at once.
func (s bitSet) word(i int) uint64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// ChangedAt is the time of a position's last change, in nanoseconds since the Unix epoch, and whether it can decide which
// of two states is newer: it must be there, be an integer of 64 bits, and not be later than notAfter.
func (p *Position) ChangedAt(notAfter int64) (at int64, usable bool) {
	at, isInteger := p.Number(UpdatedAt).Int64()
	return at, isInteger && at > 0 && at <= notAfter
}

// replaces reports whether state p of a row takes the place of state q. Where times do not decide, it is what otherwise
// says.
func (p *Position) replaces(q *Position, notAfter int64, otherwise bool) bool {
	at, usable := p.ChangedAt(notAfter)
	before, usableBefore := q.ChangedAt(notAfter)
	if usable && usableBefore && at != before {
		return at > before
	}
	return otherwise
}

// takesUpdate reports whether an update of the active stream replaces the row with the number, 0 for a new one. After an
// audit that was ahead of the active stream, updates from before the audit's state are skipped, so that no row goes back
// in time.
func (t *table) takesUpdate(number uint32, p *Position, u *Updates) bool {
	if u.LatePage && number != 0 && !p.replaces(t.rows.row(number), u.NotAfter, false) {
		return false
	}
	if len(t.watermarks) == 0 {
		return true
	}
	watermark, has := t.watermarks[p.Key]
	if at, usable := p.ChangedAt(u.NotAfter); has && usable && at < watermark {
		return false
	}
	delete(t.watermarks, p.Key)
	return true
}

// spoke notes that the active stream spoke of the row with the number.
func (t *table) spoke(number uint32) {
	if t.audit != nil {
		t.audit.active.add(number)
	}
}

// removedAtOnce is how many rows the last page of an audit removes in one call, so that a screen can do something else in
// between: a service that suddenly has none of a million rows is no reason to stand still.
const removedAtOnce = 2000

// compare applies a page of an audit by put and remove, which change the rows, and returns what was wrong, and whether there
// is more to do: then the page is to be applied once more, without positions. A page of an audit of which the beginning was
// missed, because a snapshot has replaced the table since, changes nothing.
func (b *Book) compare(page *AuditPage, put func(*table, uint32, *Position) uint32, remove func(*table, uint32)) (corrections []Correction, more bool) {
	t := b.table(page.Subscription)
	if t == nil {
		return nil, false
	}
	if page.First {
		t.audit = new(audit)
	}
	if t.audit == nil {
		return nil, false
	}
	correct := func(before, after *Position) {
		corrections = append(corrections, Correction{t.Subscription, copied(before), copied(after)})
	}
	for i := range page.Positions {
		p := &page.Positions[i]
		at, usable := p.ChangedAt(page.NotAfter)
		if usable {
			t.audit.newest = max(t.audit.newest, at)
		}
		number := t.rows.number(p.Key)
		if number != 0 {
			row := t.rows.row(number)
			t.audit.seen.add(number)
			if row.Equal(p) || !p.replaces(row, page.NotAfter, !t.audit.active.has(number)) {
				continue
			}
			correct(row, p)
		} else {
			correct(nil, p)
		}
		if number = put(t, number, p); number == 0 {
			continue // there was no room for it
		}
		t.audit.seen.add(number)
		if usable {
			if t.watermarks == nil {
				t.watermarks = make(map[Key]int64)
			}
			t.watermarks[p.Key] = at
		}
	}
	if page.Last {
		lacking := t.lacking(page.NotAfter)
		for _, number := range lacking {
			correct(t.rows.row(number), nil)
			remove(t, number)
		}
		if more = len(lacking) == removedAtOnce; !more {
			t.audit, t.audited = nil, true
		}
	}
	return corrections, more
}

func copied(p *Position) *Position {
	if p == nil {
		return nil
	}
	q := *p
	return &q
}

// lacking are the numbers of some of the rows that the audit should have spoken of and has not, all of them where they are few. Only words with a bit missing are
// looked at, so that it costs next to nothing where all is well.
func (t *table) lacking(notAfter int64) []uint32 {
	var numbers []uint32
	for i := range int(t.rows.highest/64) + 1 {
		for missing := ^(t.audit.seen.word(i) | t.audit.active.word(i)); missing != 0; missing &= missing - 1 {
			number := uint32(i*64 + bits.TrailingZeros64(missing))
			if number == 0 || number > t.rows.highest || t.rows.isFree(number) {
				continue
			}
			if at, usable := t.rows.row(number).ChangedAt(notAfter); !usable || at <= t.audit.newest {
				if numbers = append(numbers, number); len(numbers) == removedAtOnce {
					return numbers
				}
			}
		}
	}
	return numbers
}

// auditHintAfter is how much newer than its position a margin record must be to be a reason for an audit, and how old it
// must be itself: the two may be written a moment apart, and an update that was written may still be on its way.
const auditHintAfter = 10 * time.Second

// Overtaken is the subscription that may have missed an update, because a margin record is newer than the position which
// it is about. The record was the service's word at a time.
func (b *Book) Overtaken(record *MarginLevels, at time.Time) (Subscription, bool) {
	p := b.Find(record.Key)
	if p == nil {
		return Subscription{}, false
	}
	recorded, isTime := record.Timestamp.Int64()
	updated, isTime2 := p.Number(UpdatedAt).Int64()
	if !isTime || !isTime2 || recorded-updated < int64(auditHintAfter) || at.UnixNano()-recorded < int64(auditHintAfter) {
		return Subscription{}, false
	}
	return b.Source(record.Key)
}
