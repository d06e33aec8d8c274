package book

import (
	"time"

	"blotter/model"
)

// Unlisted returns the positions that are no longer listed. They can be read until the book changes.
func (l *Baselines) Unlisted() *Unlisted { return l.unlisted }

// Listings counts how often positions have come, or have left the list.
func (l *Baselines) Listings() int { return l.listings }

// Relisted is by how much sums of all positions differ only because a position has come, or has left the list: by
// numbers that it had before. No profit was made by that.
type Relisted struct {
	Of   model.Position
	Sign int // +1 if they are in the sums now, -1 if they no longer are, 0 if nothing differs
}

// NoteListing notes a position that has come, or has left the list: before is nil, or after is. A position that is
// older than a baseline without it begins with the numbers that it has. Times of the service are ahead of those of the
// baselines by some time.
func (l *Baselines) NoteListing(before, after *model.Position, ahead time.Duration) Relisted {
	if (before == nil) == (after == nil) {
		return Relisted{}
	}
	l.ownRows()
	l.listings++
	if after == nil {
		l.unlisted.put(before, l.day)
		return Relisted{*before, -1}
	}
	if last, wasListed := l.unlisted.rows.Remove(after.Key); wasListed {
		return Relisted{last, +1}
	}
	l.first, l.day = l.first.joinedBy(after, ahead), l.day.joinedBy(after, ahead)
	if row, ok := l.day.Row(after.Key); ok && !row.IsNew && len(l.unlisted.more) > 0 {
		l.day = l.day.withJoined(after) // it is in a sum
	}
	if row, ok := l.first.Row(after.Key); ok && !row.IsNew {
		return Relisted{*after, +1}
	}
	return Relisted{}
}

// NoteFirstRows notes the first rows of a table that the book did not have. If a baseline has rows of its subscription
// already, it was watched before, or in an earlier run: a position that is missing now has left the list. Its last
// numbers are not known, unless it left while it was watched.
func (l *Baselines) NoteFirstRows(t *Table, ahead time.Duration) {
	if l.unlisted.Len() == 0 && !l.first.covers(t) && !l.day.covers(t) {
		return
	}
	for p := range t.rows.All {
		l.NoteListing(nil, &p, ahead)
	}
	if t.partial || l.day == nil {
		return
	}
	for p := range l.day.positions {
		if t.Covers(p.Key) && !t.rows.Has(p.Key) && !l.unlisted.rows.Has(p.Key) {
			l.ownRows()
			l.unlisted.putLost(p.Key)
		}
	}
}

// joinedBy returns the baseline with a position that is listed now, if the baseline does not have it though it is
// older.
func (b *Baseline) joinedBy(p *model.Position, ahead time.Duration) *Baseline {
	row, ok := b.Row(p.Key)
	if !ok || !row.IsNew {
		return b
	}
	if at, isTime := p.Number(model.UpdatedAt).Time(); !isTime || !at.Before(row.At.Add(ahead)) {
		return b
	}
	return b.withJoined(p)
}

// withJoined returns the baseline with a position that begins with the numbers that it has.
func (b *Baseline) withJoined(p *model.Position) *Baseline {
	if b.joined == nil {
		b = &Baseline{b.parts, NewRows()}
	}
	if b.joined.Len() < maxUnlisted {
		b.joined.Put(onlyNumbers(p))
	}
	return b
}
