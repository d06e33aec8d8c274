package feed

import (
	"math"
	"time"

	"blotter/model"
)

// floorsStay is how long floors stay after the second stream has told of something newer than all that the first told of.
const floorsStay = 10 * time.Second

// floors are the times, by key, that a stream which takes over must not fall behind: the first stream had told of them,
// and the second may yet tell of what was before.
type floors struct {
	times  map[model.Key]int64
	newest int64     // the latest of them
	end    time.Time // the second stream has long told of all that; zero where it has not told of the newest yet
}

func newFloors() *floors { return &floors{times: make(map[model.Key]int64), newest: math.MinInt64} }

// raise has what a row says now be its floor. A time that is no integer decides nothing.
func (f *floors) raise(row *model.Position) {
	at, isTime := row.Number(model.UpdatedAt).Int64()
	if !isTime {
		delete(f.times, row.Key)
		return
	}
	f.times[row.Key] = at
	f.newest = max(f.newest, at)
}

// above leaves what is not older than its floor, in place. A row that has reached its floor has none any longer.
func (f *floors) above(rows []model.Position, now time.Time) []model.Position {
	if f == nil || len(f.times) == 0 {
		return rows
	}
	kept := rows[:0]
	for i := range rows {
		row := &rows[i]
		at, isTime := row.Number(model.UpdatedAt).Int64()
		if floor, has := f.times[row.Key]; has && isTime && at < floor {
			continue
		}
		delete(f.times, row.Key)
		if isTime && at >= f.newest && f.end.IsZero() {
			f.end = now.Add(floorsStay)
		}
		kept = append(kept, *row)
	}
	if !f.end.IsZero() && now.After(f.end) {
		f.times = nil
	}
	return kept
}
