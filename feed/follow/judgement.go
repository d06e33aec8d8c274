package follow

import (
	"hash/maphash"
	"maps"
	"math"
	"time"

	"blotter/model"
)

// Is the stream behind?
//
// One address is often several nodes, some of them behind the others, and each request can reach another one. So a
// stream is judged only by what its own node has sent, and by audits, which are compared with that:
//
//	it is behind if                                   by how much                    until
//	1 the block that its response named is old        the age of that block          an update is current, or an audit agrees
//	2 its newest row is older than what was shown     the difference                 it sends as new a row, or an audit agrees
//	  before it was opened
//	3 three messages of updates in a row are late     the age of the last ones       an update is current, or an audit agrees
//	4 an audit or a stream before has shown states    the age of the oldest of       it is opened again or replaced, or an audit
//	  that it does not send within catchUpWithin      those states                   agrees
//	5 its snapshot is empty, and there were rows:     the time since these rows      a second snapshot is empty too, or it is
//	  these stay                                      were known to be right         replaced
//	6 all blocks that pages of its address have       the age of the newest block    a page names a newer block, or an update
//	  named lately are old, and no row is newer                                      is current
//
// In 1, the block is old if it is LateFrom older than the service's clock, or than a block that another response of the
// address has named before. In 2, rows that an audit has shown count too. In 3, a time counts only if it is later than
// the one before of the same row: some services change a row and leave its time. In 4, states of the gap between the
// snapshot of a stream and its first update are excused, unless most rows have such states, or the stream sends an even
// older state of such a row later.
//
// lagRules and auditRules in judgement_rules.go are the tables of this.
//
// An audit agrees if the node of its stream is current, all its rows have times, and it has no state that the judged
// stream has not sent, except for those that are excused. A node is current if its block is, and its rows are as new as
// those that were shown before, or its block is. Rows that it lacks, or of which it has older states, are in doubt: see
// standing.go. If olderRows or more of a stream are in doubt because its snapshot has older states, it is behind by 4.
//
// What happens then: in case 4 the stream is opened again, if that was not done for this reason lately. Otherwise the
// next audit comes soon: see audit.go. The standby stream of an audit takes over if its node is current and the
// stream that it is compared with is behind and has not sent newer rows. So no row becomes older.
//
// Other responses of the address show only that the service works: without them, a silent stream becomes STALE
// (silence.go). They do not verify its rows: only an audit does.
// Updates that are a few seconds late do not make a stream BEHIND, but are said: see lateness.go.

const (
	lateMessages = 3               // in a row show that a stream is behind
	commitDelay  = 2 * time.Second // by which a snapshot can be older than an update that was sent before it was read

	// earliestTime is ten years after the Unix epoch. Earlier times are not in nanoseconds.
	earliestTime = int64(10 * 365 * 24 * time.Hour)
)

// judgement is what is known about how far the open stream is behind. The zero values mean that it is not.
type judgement struct {
	seed     maphash.Seed
	shown    int64     // the latest time of all streams and audits so far
	standing *standing // the rows that they have brought

	// The open stream.
	sent     *sentTimes
	wholeAt  time.Time // when its snapshot was whole
	blockLag time.Duration
	// allBlocksLag is the age of the newest block of all nodes, if all of them are behind and no row is newer.
	allBlocksLag time.Duration
	shownBefore  int64         // shown, when it was opened
	late         int           // messages of updates in a row
	lateBy       time.Duration // the age of the last of them
	lateness     lateness
	excused      time.Duration // an age at which an audit has found that nothing is missing
	missing      time.Duration // the age of the oldest state that an audit has shown and the stream has not sent
	refused      time.Duration // by which its snapshot was behind that was not taken
	emptySince   time.Time     // since when rows are kept although the snapshot is empty

	awaited   map[model.Key]int64 // states that the last audit has shown and the stream has not sent yet
	awaitedBy time.Time           // when it should have sent them
	audited   int                 // how many rows that audit has compared
}

// restart begins to judge another stream, which has sent these states so far.
func (j *judgement) restart(sent *sentTimes) {
	*j = judgement{seed: j.seed, shown: j.shown, shownBefore: j.shown, sent: sent, standing: j.standing}
	j.standing.stream++
}

// dropAhead forgets times that are ahead of the clock of the service, because it was set back.
func (j *judgement) dropAhead(notAfter int64) {
	for _, at := range []*int64{&j.shown, &j.shownBefore, &j.sent.newest} {
		if *at > notAfter {
			*at = 0
		}
	}
}

// add records rows that the stream has sent. It returns what sentTimes.add returns.
func (j *judgement) add(rows []model.Position, notAfter int64) (newest, moved int64) {
	newest, moved = j.sent.add(rows, notAfter)
	j.shown = max(j.shown, newest)
	return newest, moved
}

// addUpdates judges a message of updates, at a time by the service's clock. If the message has a state that is older
// than one that the last audit has shown of the same row, it returns the time of that; else 0.
func (j *judgement) addUpdates(rows []model.Position, notAfter int64, now time.Time) (overtaken int64) {
	newest, moved := j.add(rows, notAfter)
	j.lateness.add(ageAt(newest, now), ageAt(moved, now), j.excused, now, j.sent.open)
	switch age := now.Sub(time.Unix(0, moved)); {
	case newest > 0 && now.Sub(time.Unix(0, newest)) < model.LateFrom:
		j.endLags(func(rule *lagRule) bool { return rule.endsByUpdate })
	case moved < earliestTime:
	case age < model.LateFrom+j.excused:
		endLate(j)
	default:
		if j.late++; j.late >= lateMessages {
			j.lateBy = age
		}
	}
	if len(j.awaited) == 0 {
		return 0
	}
	for i := range rows {
		awaited, isAwaited := j.awaited[rows[i].Key]
		if !isAwaited {
			continue
		}
		if at, usable := rows[i].ChangedAt(notAfter); !usable || at >= awaited {
			delete(j.awaited, rows[i].Key)
		} else if overtaken == 0 || awaited < overtaken {
			overtaken = awaited
		}
	}
	return overtaken
}

// ageAt returns how old a time of the service is, not less than 0; negative if it is not known.
func ageAt(at int64, now time.Time) time.Duration {
	if at < earliestTime {
		return -1
	}
	return max(now.Sub(time.Unix(0, at)), 0)
}

// missingSince returns the time of the oldest state that an audit has shown, that the stream has not sent, and that is
// not excused, because it is of the gap; 0 if there is none.
func (j *judgement) missingSince(isOfGap func(at int64) bool) int64 {
	oldest, excused := int64(math.MaxInt64), true
	for _, at := range j.awaited {
		oldest = min(oldest, at)
		excused = excused && isOfGap(at)
	}
	if n := len(j.awaited); excused && (n < 2 || 2*n <= j.audited) {
		return 0
	}
	return oldest
}

// await records what an audit has shown and the stream has not sent. What was missing before is awaited for no longer
// than it was: audits may come more often than catchUpWithin.
func (j *judgement) await(newer map[model.Key]int64, audited int, isOfGap func(at int64) bool, now time.Time) {
	maps.DeleteFunc(j.awaited, func(key model.Key, _ int64) bool {
		_, isMissing := newer[key]
		return !isMissing
	})
	j.audited = audited
	if j.missingSince(isOfGap) == 0 {
		j.awaitedBy = now.Add(catchUpWithin)
	}
	j.awaited = newer
}
