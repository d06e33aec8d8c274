package model

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
