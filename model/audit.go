package model

import "time"

// Corrected are the positions that the book had wrong, as rows shows, a second look at what subscription s has:
// those that are others there, those that are not there, and those that are there alone.
func (b *Book) Corrected(s Subscription, rows *Rows) []Key {
	t := b.table(s)
	if t == nil {
		return nil
	}
	var corrected []Key
	for row := range rows.All {
		if had := t.rows.Get(row.Key); had == nil || !had.Equal(row) {
			corrected = append(corrected, row.Key)
		}
	}
	for row := range t.rows.All {
		if rows.Get(row.Key) == nil {
			corrected = append(corrected, row.Key)
		}
	}
	return corrected
}

// doubtAfter is how much newer than its position a margin record must be to cast doubt on it: the two may be
// written a moment apart, and read apart too.
const doubtAfter = 10 * time.Second

// Doubted are the subscriptions that may have missed an update, as a margin record hints that is newer than the
// position which it is about.
func (b *Book) Doubted(record *MarginLevels) []Subscription {
	p := b.Find(record.Key)
	if p == nil {
		return nil
	}
	recorded, isTime := record.Timestamp.Int64()
	updated, isTime2 := p.Number(UpdatedAt).Int64()
	if !isTime || !isTime2 || recorded-updated < int64(doubtAfter) {
		return nil
	}
	return b.Vouchers(record.Key)
}
