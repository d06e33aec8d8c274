package book

import (
	"maps"
	"time"

	"blotter/model"
	"blotter/model/book/pairs"
)

// leftRows are rows that are no longer in a table and that may come again, perhaps in an older state: flat rows that a
// snapshot or an audit has left out, and rows that have changed lately and whose table was dropped. The trader narrows
// the scope to a position just when it is closed out, and the snapshot of the new stream may be a block older.
type leftRows struct {
	rows     map[model.Key]leftRow
	notAfter int64 // the latest of all that came: see Updates.NotAfter
}

type leftRow struct {
	model.Position
	at int64 // when it was left, by the clock of the service
}

const (
	maxLeft   = 100_000 // rows; each takes about 200 bytes
	leftFor   = int64(10 * time.Minute)
	realTimes = int64(10 * 365 * 24 * time.Hour) // earlier times are no times of a clock
)

// noteTime notes the latest time that counts now.
func (l *leftRows) noteTime(notAfter int64) { l.notAfter = max(l.notAfter, notAfter) }

// isKept reports whether a row that was left is still kept.
func (l *leftRows) isKept(row *leftRow) bool { return pairs.ReceivedAt(l.notAfter)-row.at < leftFor }

// put keeps a row that has left its table, if it has a usable time.
func (l *leftRows) put(p *model.Position) {
	if _, usable := p.ChangedAt(l.notAfter); !usable {
		return
	}
	if len(l.rows) >= maxLeft {
		maps.DeleteFunc(l.rows, func(_ model.Key, row leftRow) bool { return !l.isKept(&row) })
		if len(l.rows) >= maxLeft {
			return
		}
	}
	if l.rows == nil {
		l.rows = make(map[model.Key]leftRow)
	}
	l.rows[p.Key] = leftRow{*p, pairs.ReceivedAt(l.notAfter)}
}

func (l *leftRows) clone() leftRows { return leftRows{rows: maps.Clone(l.rows), notAfter: l.notAfter} }

// putDropped keeps the rows of a table that was dropped, if they have changed lately, by times of a clock.
func (l *leftRows) putDropped(rows *Rows) {
	since := max(pairs.ReceivedAt(l.notAfter)-leftFor, realTimes)
	for number := range rows.all {
		if at, usable := rows.Amount(number, model.UpdatedAt).UsableTime(l.notAfter); usable && at >= since {
			p := rows.Position(number)
			l.put(&p)
		}
	}
}

// isAsLeft reports whether a row comes again in the state in which it was left: then nothing has happened.
func (l *leftRows) isAsLeft(p *model.Position) bool {
	row, isLeft := l.rows[p.Key]
	return isLeft && row.Agrees(p)
}

// isNewer reports whether a newer state of the row was left than p.
func (l *leftRows) isNewer(p *model.Position, notAfter int64) bool {
	if len(l.rows) == 0 {
		return false
	}
	row, isLeft := l.rows[p.Key]
	return isLeft && replaces(&row.Position, p.Number(model.UpdatedAt), notAfter, false)
}
