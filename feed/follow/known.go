package follow

import (
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
