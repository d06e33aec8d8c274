package book

import (
	"maps"
	"time"

	"blotter/model"
)

// leftRows are rows that are no longer in a table and that may come again, perhaps in an older state: flat rows that a
// snapshot or an audit has left out, and rows that have changed lately and whose table was dropped. The trader narrows
// the scope to a position just when it is closed out, and the snapshot of the new stream may be a block older.
type leftRows map[model.Key]leftRow

type leftRow struct {
	model.Position
	at int64 // when it was left, by the clock of the service
}

const (
	maxLeft   = 100_000 // rows; each takes about 200 bytes
	leftFor   = int64(10 * time.Minute)
	realTimes = int64(10 * 365 * 24 * time.Hour) // earlier times are no times of a clock
)

// noteTime notes the latest time that counts now: see Updates.NotAfter.
func (b *Book) noteTime(notAfter int64) { b.notAfter = max(b.notAfter, notAfter) }

// isKept reports whether a row that was left is still kept.
func (b *Book) isKept(row *leftRow) bool { return receivedAt(b.notAfter)-row.at < leftFor }

// leave keeps a row that has left its table, if it has a usable time.
func (b *Book) leave(p *model.Position) {
	if _, usable := p.ChangedAt(b.notAfter); !usable {
		return
	}
	if len(b.left) >= maxLeft {
		maps.DeleteFunc(b.left, func(_ model.Key, row leftRow) bool { return !b.isKept(&row) })
		if len(b.left) >= maxLeft {
			return
		}
	}
	if b.left == nil {
		b.left = make(leftRows)
	}
	b.left[p.Key] = leftRow{*p, receivedAt(b.notAfter)}
}

// leaveDropped keeps the rows of the tables of another book that this one does not have, if they have changed lately, by
// times of a clock.
func (b *Book) leaveDropped(from *Book) {
	b.left, b.notAfter = maps.Clone(from.left), from.notAfter
	since := receivedAt(from.notAfter) - leftFor
	for t := range from.tables.all {
		if b.Has(t.Subscription) {
			continue
		}
		for number := range t.rows.all {
			at, usable := t.rows.Amount(number, model.UpdatedAt).UsableTime(b.notAfter)
			if usable && at >= max(since, realTimes) {
				p := t.rows.Position(number)
				b.leave(&p)
			}
		}
	}
}

// isNewer reports whether a newer state of the row was left than p.
func (l leftRows) isNewer(p *model.Position, notAfter int64) bool {
	if len(l) == 0 {
		return false
	}
	row, isLeft := l[p.Key]
	return isLeft && replaces(&row.Position, p.Number(model.UpdatedAt), notAfter, false)
}
