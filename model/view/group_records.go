package view

import (
	"slices"
	"sort"
	"time"
)

// maxRecordMinutes bounds the memory of recordTimes. Minutes that are older than the newest record by more are merged.
const maxRecordMinutes = 64

// recordTimes are the times of the margin records of a group: how many there are in each minute, in order. So the
// oldest is known while records are added and removed. If there are too many minutes, the oldest ones are merged.
type recordTimes []recordMinute

type recordMinute struct {
	minute   int64 // since the Unix epoch; of merged ones the last
	oldest   int64 // in nanoseconds since the Unix epoch: the time of a record that is or was in the group
	records  int
	isMerged bool // all minutes before it are merged with it
}

// count adds a record if sign is +1, and subtracts it if it is -1.
func (t *recordTimes) count(at time.Time, sign int) {
	time, minute := at.UnixNano(), at.Unix()/60
	place := sort.Search(len(*t), func(i int) bool { return (*t)[i].minute >= minute })
	isThere := place < len(*t) && ((*t)[place].minute == minute || place == 0 && (*t)[0].isMerged)
	if !isThere {
		*t = slices.Insert(*t, place, recordMinute{minute: minute, oldest: time})
	}
	m := &(*t)[place]
	m.records += sign
	m.oldest = min(m.oldest, time)
	switch {
	case m.records == 0:
		*t = slices.Delete(*t, place, place+1)
	case len(*t) > maxRecordMinutes:
		first, second := &(*t)[0], &(*t)[1]
		second.oldest, second.records, second.isMerged = min(first.oldest, second.oldest), first.records+second.records, true
		*t = slices.Delete(*t, 0, 1)
	}
}
