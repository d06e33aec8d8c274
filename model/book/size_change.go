package book

import "blotter/model"

// SizeChange is when the size of a row last changed, and the last ratios of a pair, if the row waits.
type SizeChange struct {
	model.Key
	At   int64       `json:"at"` // in nanoseconds since the Unix epoch; 0 if that is not known
	Last []LastRatio `json:"last,omitempty"`
	Side model.Side  `json:"side,omitempty"` // of a row that is not watched now; Flat if that is not known
}

// LastRatio is a ratio in an asset, of a row that waits.
type LastRatio struct {
	Asset model.ID `json:"asset"`
	model.MarginRatio
	Size  model.Amount `json:"openVolume,omitzero"` // that the ratio is of; 0 if that is not known
	Until int64        `json:"until,omitempty"`     // the time that must be told; 0 if the row waits for a newer record
}

// wait returns what the row has.
func (l *LastRatio) wait() wait { return wait{l.MarginRatio, l.Size, l.Until} }

// appendLastRatios appends the last ratios of a row that waits.
func (r *Rows) appendLastRatios(last []LastRatio, number uint32, key model.Key, margins *Margins) []LastRatio {
	if !r.Waits(number) {
		return last
	}
	for record := range margins.withKey(key) {
		of := margins.marginKey(record)
		if w, waits := r.waits.pairs[of]; waits {
			last = append(last, LastRatio{of.Asset, w.last, w.size, w.until})
		}
	}
	return last
}

// sizeChange returns what is known of when the size of a row has changed.
func (r *Rows) sizeChange(number uint32, margins *Margins) SizeChange {
	key := r.key(number)
	return SizeChange{Key: key, At: r.waits.sizeChangedAt(number), Last: r.appendLastRatios(nil, number, key, margins)}
}

// SizeChanges yields what is known of when the sizes of rows have changed, also of rows that are not watched now.
func (b *Book) SizeChanges(yield func(SizeChange) bool) {
	for t := range b.tables.all {
		for number := range t.rows.waits.sizedAt {
			if !yield(t.rows.sizeChange(number, b.margins)) {
				return
			}
		}
		unsized := make(map[uint32]struct{})
		for key := range t.rows.waits.pairs {
			if number := t.rows.number(key.Key); number != 0 && t.rows.waits.sizeChangedAt(number) == 0 {
				unsized[number] = struct{}{}
			}
		}
		for number := range unsized {
			if !yield(t.rows.sizeChange(number, b.margins)) {
				return
			}
		}
	}
	for _, c := range b.unwatched {
		if !yield(c) {
			return
		}
	}
}

// RestoreSizeChange sets what SizeChanges has yielded.
func (b *Book) RestoreSizeChange(c *SizeChange) {
	t, number := b.Row(c.Key)
	if number == 0 {
		b.unwatched.put(*c)
		return
	}
	t.rows.restore(number, c)
}

// restore sets for a row what SizeChanges has yielded.
func (r *Rows) restore(number uint32, c *SizeChange) {
	if c.At != 0 {
		r.waits.setSizeChangedAt(number, c.At)
	}
	for i := range c.Last {
		r.wait(number, model.MarginKey{Key: c.Key, Asset: c.Last[i].Asset}, c.Last[i].wait())
	}
}
