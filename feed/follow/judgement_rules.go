package follow

import (
	"time"

	"blotter/model"
)

// lagRule is one way in which the open stream can be behind.
type lagRule struct {
	shown model.LagShownBy
	// by returns how far the stream is behind in this way, and 0 if it is not.
	by func(*judgement) time.Duration
	// end forgets what has shown it.
	end func(*judgement)
	// isAlone is true if the rules after it do not count.
	isAlone bool
	// endsByUpdate is true if an update that is current ends it.
	endsByUpdate bool
	// endsByAudit is which audits that agree end it.
	endsByAudit endsByAudit
	// isBetter reports whether the standby stream of an audit, whose node is current, is not behind in this way.
	isBetter func(*judgement, *auditEnd) bool
}

// endsByAudit is which audits that agree end a lag.
type endsByAudit uint8

const (
	never   endsByAudit = iota
	ifBlock             // an audit whose node names a block: it shows what the blocks and clocks of nodes have shown
	always
)

// lagRules decide whether the open stream is behind, in one table. The largest lag counts, and of equal ones the first.
// The comment at the beginning of judgement.go says what shows each.
var lagRules = [...]lagRule{
	{shown: model.LagOfEmptySnapshot, by: lagOfEmptySnapshot, end: endEmptySnapshot, isAlone: true, isBetter: isAnyBetter},
	{shown: model.LagOfBlock, by: lagOfBlock, end: endBlock, endsByUpdate: true, endsByAudit: ifBlock, isBetter: namesBlock},
	{shown: model.LagOfAllBlocks, by: lagOfAllBlocks, end: endAllBlocks, endsByUpdate: true, isBetter: isNeverBetter},
	{shown: model.LagOfRows, by: lagOfRows, end: endRows, endsByAudit: always, isBetter: isAnyBetter},
	{shown: model.LagOfUpdates, by: lagOfUpdates, end: endLate, endsByUpdate: true, endsByAudit: ifBlock, isBetter: isLessLate},
	{shown: model.LagOfAudit, by: lagOfAudit, end: endMissing, endsByAudit: always, isBetter: hasMissing},
}

// lagOfEmptySnapshot is a second, so that it is one: it is as old as the rows that are kept, and grows with them.
func lagOfEmptySnapshot(j *judgement) time.Duration {
	if j.emptySince.IsZero() {
		return 0
	}
	return time.Second
}

func lagOfBlock(j *judgement) time.Duration     { return j.blockLag }
func lagOfAllBlocks(j *judgement) time.Duration { return j.allBlocksLag }

// lagOfRows is 0 if no row of the stream has a time.
func lagOfRows(j *judgement) time.Duration {
	if j.sent.newest == 0 {
		return 0
	}
	return time.Duration(j.shownBefore - j.sent.newest)
}

func lagOfUpdates(j *judgement) time.Duration { return j.lateBy }
func lagOfAudit(j *judgement) time.Duration   { return max(j.missing, j.refused) }

func endEmptySnapshot(j *judgement) { j.emptySince = time.Time{} }
func endBlock(j *judgement)         { j.blockLag = 0 }
func endAllBlocks(j *judgement)     { j.allBlocksLag = 0 }
func endRows(j *judgement)          { j.shownBefore = 0 }
func endLate(j *judgement)          { j.late, j.lateBy = 0, 0 }
func endMissing(j *judgement)       { j.missing = 0 }

func isAnyBetter(*judgement, *auditEnd) bool   { return true }
func isNeverBetter(*judgement, *auditEnd) bool { return false }

// canReplace reports whether a stream that is behind in this way can be replaced by one that is not: not if all nodes
// are behind.
func canReplace(lag model.Lag) bool {
	return lag.Shown != model.NoLag && lag.Shown != model.LagOfAllBlocks
}

// namesBlock reports whether the block of the standby stream's node is known: it is then not old.
func namesBlock(_ *judgement, end *auditEnd) bool { return !end.node.Block.Time.IsZero() }

// isLessLate reports whether the standby stream has sent rows that are newer by half of the lag, or more.
func isLessLate(j *judgement, end *auditEnd) bool {
	return end.sent.newest-j.sent.newest >= int64(j.lateBy/2)
}

// hasMissing reports whether the standby stream has sent what the open one misses.
func hasMissing(j *judgement, _ *auditEnd) bool { return len(j.awaited) > 0 }

// lag returns how far the stream is behind.
func (j *judgement) lag() (lag model.Lag) {
	for i := range lagRules {
		rule := &lagRules[i]
		by := rule.by(j)
		if by > lag.By {
			lag = model.Lag{By: by, Shown: rule.shown}
		}
		if by > 0 && rule.isAlone {
			lag.Since = j.emptySince
			break
		}
	}
	return lag
}

// endLags forgets what the rules have shown for which isOver returns true.
func (j *judgement) endLags(isOver func(*lagRule) bool) {
	for i := range lagRules {
		if isOver(&lagRules[i]) {
			lagRules[i].end(j)
		}
	}
}

// isBetter reports whether the standby stream of an audit shows that its node is not behind as the stream is.
func (j *judgement) isBetter(end *auditEnd) bool {
	if !end.isCurrent || end.sent.newest < j.sent.newest {
		return false
	}
	shown := j.lag().Shown
	for i := range lagRules {
		if lagRules[i].shown == shown {
			return lagRules[i].isBetter(j, end)
		}
	}
	return true // the rows are partial
}

// auditRule is one thing that an audit which has compared all can say about the stream.
type auditRule struct {
	applies func(*judgement, *auditEnd) bool
	then    func(*judgement, *auditEnd)
}

// auditRules decide what an audit says, in one table: the first rule that applies counts.
var auditRules = [...]auditRule{
	{isEmptyToo, takeEmptySnapshot},
	{agrees, (*judgement).agreed},
}

// isEmptyToo reports whether the audit has no rows either, after an empty snapshot.
func isEmptyToo(j *judgement, end *auditEnd) bool {
	return !j.emptySince.IsZero() && end.sent.count == 0 && j.sent.count == 0
}

// takeEmptySnapshot takes the snapshot that was empty: there are no rows any longer.
func takeEmptySnapshot(j *judgement, _ *auditEnd) {
	endEmptySnapshot(j)
	j.shown = 0
	j.standing.clear()
}

// agrees reports whether the audit has no state that the stream misses, and its node is current.
func agrees(_ *judgement, end *auditEnd) bool { return end.nothingMissing && end.isCurrent }

func (j *judgement) agreed(end *auditEnd) {
	isExact := namesBlock(j, end)
	if isExact {
		j.excused = max(j.excused, j.lateBy)
		if j.lateness.isSure {
			j.excused, j.lateness = max(j.excused, j.lateness.by), lateness{resumed: true}
		}
	}
	j.endLags(func(rule *lagRule) bool {
		return rule.endsByAudit == always || rule.endsByAudit == ifBlock && isExact
	})
}

// takeAudit judges the stream by an audit that has compared all. It returns true if the audit, after a snapshot without
// rows, has none either.
func (j *judgement) takeAudit(end *auditEnd) (isEmpty bool) {
	isEmpty = isEmptyToo(j, end)
	for i := range auditRules {
		if auditRules[i].applies(j, end) {
			auditRules[i].then(j, end)
			break
		}
	}
	return isEmpty
}
