package follow

import (
	"maps"
	"time"

	"blotter/model"
)

// What streams and audits before have shown, another node has too, because a service does not delete positions: if not,
// the node has missed changes or lost rows. An audit of it is no audit, and a stream of it is behind.

// expected returns the rows that the stream, or the last audit, has sent and that are open, and the latest times of
// their states. A snapshot of another node has them too, with states that are as new.
func (j *judgement) expected() map[model.Key]int64 {
	open := make(map[model.Key]int64)
	for _, by := range []*sentTimes{j.sent, j.compared} {
		for key, at := range by.byRow {
			if !by.closed[key] && !j.sent.closed[key] {
				if j.timesDiffer {
					at = 0
				}
				open[key] = max(open[key], at)
			}
		}
	}
	return open
}

// countLacking counts the audits in a row that lack rows. If these lack in lackingAudits of them, they no longer exist.
// If all audits have older states of rows, the times in snapshots are not those in updates.
func (j *judgement) countLacking(end *auditEnd) {
	switch {
	case end.isCurrent:
		j.lacking, j.compared = 0, end.sent
		for _, key := range end.lacking {
			if _, isOlder := end.sent.byRow[key]; isOlder {
				j.timesDiffer = true
			} else {
				j.sent.forget(key)
			}
		}
	case len(end.lacking) > 0:
		j.lacking++
	}
}

// awaitKnown awaits the states that streams and audits before have shown, if the snapshot of the stream lacks them: its
// node has missed changes, or has lost rows. Rows that were closed may be left out. Without audits, nothing would show
// that a row no longer exists.
func awaitKnown(f *Follower, now time.Time) {
	known := f.judged.compared
	if f.schedule.every < 0 {
		return
	}
	lacking := known.newerThan(f.judged.sent)
	maps.DeleteFunc(lacking, func(key model.Key, _ int64) bool { return known.closed[key] })
	if f.judged.await(lacking, len(f.judged.sent.byRow), f.isOfGap, now); len(lacking) > 0 {
		f.alarms.missing = f.judged.awaitedBy
	}
}
