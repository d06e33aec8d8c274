package model

import "time"

// Audit compares what the book has of subscription s with rows, the snapshot of a second look, and returns the
// positions that the book had wrong: those that are others there, those that are not there, and those that are there
// alone. A position that the book has in a newer state was not wrong, and rows takes it: no row goes back in time.
func (b *Book) Audit(s Subscription, rows *Rows) []Key {
	t := b.table(s)
	if t == nil {
		return nil
	}
	var corrected []Key
	var newer []*Position
	for row := range rows.All {
		switch had := t.rows.Get(row.Key); {
		case had == nil:
			corrected = append(corrected, row.Key)
		case had.Equal(row):
		case !row.Newer(had):
			newer = append(newer, had)
		default:
			corrected = append(corrected, row.Key)
		}
	}
	for _, had := range newer {
		rows.Put(had)
	}
	for row := range t.rows.All {
		if rows.Get(row.Key) == nil {
			corrected = append(corrected, row.Key)
		}
	}
	return corrected
}

// doubtAfter is how much newer than its position a margin record must be to cast doubt on it, and how old besides: the
// two may be written a moment apart, and an update that was written may yet be on its way.
const doubtAfter = 10 * time.Second

// Doubted are the subscriptions that may have missed an update, as a margin record hints that is newer than the
// position which it is about. The record was the service's word at a time.
func (b *Book) Doubted(record *MarginLevels, at time.Time) []Subscription {
	p := b.Find(record.Key)
	if p == nil {
		return nil
	}
	recorded, isTime := record.Timestamp.Int64()
	updated, isTime2 := p.Number(UpdatedAt).Int64()
	if !isTime || !isTime2 || recorded-updated < int64(doubtAfter) || at.UnixNano()-recorded < int64(doubtAfter) {
		return nil
	}
	return b.Vouchers(record.Key)
}
