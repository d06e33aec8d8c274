package follow

import (
	"errors"
	"log/slog"
	"maps"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// judging judges the open stream of a subscription, and says so in its link.
type judging struct {
	*subscription
	judgement
	audits *audits
}

// judge records how far the stream is behind. If it is from now on, the next audit comes early.
func (j *judging) judge(now time.Time) {
	before, wasLateBy := j.link.Lag, j.link.LateBy
	j.dropAhead(j.notAfter(now))
	j.judgeAllBlocks(now)
	j.link.Lag = j.lag()
	j.link.LateBy = j.lateness.by
	switch by := j.link.LateBy; {
	case wasLateBy == 0 && by > 0:
		j.log(slog.LevelWarn, "positions stream: its updates come late", "by", by.Round(time.Second))
	case wasLateBy > 0 && by == 0:
		j.log(slog.LevelInfo, "positions stream: its updates no longer come late")
	}
	switch {
	case j.link.Lag.Shown == model.NoLag && before.Shown != model.NoLag:
		j.log(slog.LevelInfo, "positions stream: it is no longer behind")
	case j.link.Lag.Shown != model.NoLag && before.Shown == model.NoLag:
		j.log(slog.LevelWarn, "positions stream: it is behind", "by", j.link.Behind(now).Round(time.Second), "block", j.link.Block.Height)
		j.audits.beginEarly()
	}
}

// judgeAllBlocks judges the stream by the blocks that pages of its address have named: a stream names none. It does not
// count if the stream has sent a row that is newer than all of them.
func (j *judging) judgeAllBlocks(now time.Time) {
	newest := j.Pool.NewestIfOld(j.link.Address)
	if j.allBlocksLag = 0; !newest.IsZero() && j.sent.newest <= newest.UnixNano() {
		j.allBlocksLag = j.serviceNow(now).Sub(newest)
	}
}

// setNode records what the response to the stream says about its node.
func (j *judging) setNode(stream *endpoint.Stream) {
	if !j.link.BlockAt.IsZero() {
		return
	}
	node := stream.Node()
	j.link.Block, j.link.BlockAt = node.Block, node.At
	j.blockLag = node.Lag
}

// keepsRows reports whether the rows, which were known to be right at a time, stay although a whole snapshot has none:
// until a second snapshot. Without audits, none is requested.
func (j *judging) keepsRows(isEmpty bool, rightAt time.Time) bool {
	if !isEmpty || !j.hasRows || j.foundEmpty || j.Times.AuditEvery < 0 {
		j.hasRows, j.foundEmpty = !isEmpty, false
		return false
	}
	j.foundEmpty, j.emptySince = true, rightAt
	j.log(slog.LevelWarn, "positions stream: the snapshot is empty; the rows stay until a second one is empty too")
	return true
}

// isOfGap reports whether a state may have been lost in the gap between the snapshot of the stream and its first
// update.
func (j *judging) isOfGap(at int64) bool {
	begin, end := j.serviceNow(j.link.ConnectedAt).Add(-gapAllowance), j.serviceNow(j.wholeAt).Add(gapAllowance)
	return begin.UnixNano() <= at && at <= end.UnixNano()
}

// judgeAudit judges the stream by an audit that has compared all.
func (j *judging) judgeAudit(end *auditEnd, now time.Time) {
	j.await(end.sent.newerThan(j.sent), len(end.sent.byRow), j.isOfGap, now)
	if len(j.awaited) > 0 {
		j.alarms.missing = j.awaitedBy
	}
	end.nothingMissing = j.missingSince(j.isOfGap) == 0 && !end.sent.untimed
	if isEmpty := j.takeAudit(end); isEmpty {
		j.hasRows, j.foundEmpty = false, false
		j.Sink.Commit(book.Snapshot{Subscription: j.link.Subscription, Rows: book.NewRows()})
	}
	j.judge(now)
}

// checkMissing returns an error if the stream has still not sent what an audit has shown.
func (j *judging) checkMissing(now time.Time) error {
	if since := j.missingSince(j.isOfGap); since != 0 {
		return j.missesUpdates(now, since)
	}
	return nil
}

// missesUpdates returns an error, so that the stream is opened again. If that happens with each stream of a service, it
// is not done each time: the stream stays open, and is behind. The same is done after a shared audit, which may have
// found many such streams at once: the standby streams of their next audits take their places, one after the other.
func (j *judging) missesUpdates(now time.Time, since int64) error {
	if j.audits.wasShared || now.Sub(j.audits.givenUpAt) < j.audits.giveUpWait {
		j.missing = max(j.serviceNow(now).Sub(time.Unix(0, since)), time.Second)
		j.judge(now)
		j.publish()
		return nil
	}
	if now.Sub(j.audits.givenUpAt) > 2*maxMissingWait {
		j.audits.giveUpWait = 0
	}
	j.audits.givenUpAt = now
	j.audits.giveUpWait = min(max(2*j.audits.giveUpWait, firstMissingWait), maxMissingWait)
	return errors.New("the stream misses updates that a second stream has sent")
}

// awaitKnown awaits the states that streams and audits before have shown, if the snapshot of the stream lacks them: its
// node has missed changes, or has lost rows. Rows that were closed may be left out. Without audits, nothing would show
// that a row no longer exists.
func (j *judging) awaitKnown(now time.Time) {
	known := j.compared
	if j.audits.schedule.every < 0 {
		return
	}
	lacking := known.newerThan(j.sent)
	maps.DeleteFunc(lacking, func(key model.Key, _ int64) bool { return known.closed[key] })
	if j.await(lacking, len(j.sent.byRow), j.isOfGap, now); len(lacking) > 0 {
		j.alarms.missing = j.awaitedBy
	}
}
