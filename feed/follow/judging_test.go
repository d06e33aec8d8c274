package follow

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// quietSink takes the states of links.
type quietSink struct{ Sink }

func (quietSink) Publish(model.Link) {}

// newJudging returns what judges a stream that has been opened and has sent nothing. What it logs is written to log.
func newJudging(t *testing.T, log io.Writer, times StreamTimes) *judging {
	f := New(Config{Pool: newPool(t), Logger: slog.New(slog.NewTextHandler(log, nil)), Sink: quietSink{}, News: NewNews(), Times: times}, model.Subscription{})
	f.judged.restart(newSentTimes(f.judged.seed))
	return &f.judged
}

// TestAStreamIsSaidToBeBehindOnce, when that begins and when it ends, in the log and in the link. Its next audit then
// comes early.
func TestAStreamIsSaidToBeBehindOnce(t *testing.T) {
	var log strings.Builder
	j, now := newJudging(t, &log, DefaultTimes()), time.Now()
	j.audits.readAt, j.alarms.audit = now, now.Add(time.Hour)
	for _, c := range []struct {
		blockLag, lateBy time.Duration
		shown            model.LagShownBy
		line             string // of the log; empty if there is none
	}{
		{},
		{blockLag: 40 * time.Second, shown: model.LagOfBlock, line: "it is behind"},
		{blockLag: 50 * time.Second, shown: model.LagOfBlock},
		{line: "it is no longer behind"},
		{},
		{lateBy: 7 * time.Second, line: "its updates come late"},
		{lateBy: 9 * time.Second},
		{line: "its updates no longer come late"},
	} {
		log.Reset()
		j.blockLag, j.lateness.by = c.blockLag, c.lateBy
		before := j.alarms.audit
		j.judge(now)
		if got := j.link; got.Lag.Shown != c.shown || got.Lag.By != c.blockLag || got.LateBy != c.lateBy {
			t.Errorf("%+v: the link has %+v and is late by %s", c, got.Lag, got.LateBy)
		}
		if lines := strings.Count(log.String(), "\n"); lines > 1 || (lines > 0) != (c.line != "") || !strings.Contains(log.String(), c.line) {
			t.Errorf("%+v: the log has %q", c, log.String())
		}
		if begins := c.line == "it is behind"; j.alarms.audit.Before(before) != begins {
			t.Errorf("%+v: the next audit is moved by %s", c, j.alarms.audit.Sub(before))
		}
	}
}

// TestRowsStayIfASnapshotIsEmpty until a second one is empty too.
func TestRowsStayIfASnapshotIsEmpty(t *testing.T) {
	withoutAudits := DefaultTimes()
	withoutAudits.AuditEvery = -1
	for name, c := range map[string]struct {
		times     StreamTimes
		snapshots string // r for one with rows, e for an empty one; E if the rows stay
	}{
		"a second one is empty too":        {DefaultTimes(), "rEe"},
		"the second one has rows":          {DefaultTimes(), "rErE"},
		"there were no rows":               {DefaultTimes(), "ee"},
		"there are none any longer":        {DefaultTimes(), "rEee"},
		"no second one would be requested": {withoutAudits, "ree"},
	} {
		j := newJudging(t, io.Discard, c.times)
		rightAt := time.Now().Add(-time.Minute)
		for i, snapshot := range c.snapshots {
			if stay := j.keepsRows(snapshot != 'r', rightAt); stay != (snapshot == 'E') {
				t.Errorf("%s: after snapshot %d the rows stay: %t", name, i, stay)
			}
			if snapshot != 'E' {
				continue
			}
			if j.judge(time.Now()); j.link.Lag.Shown != model.LagOfEmptySnapshot || !j.link.Lag.Since.Equal(rightAt) {
				t.Errorf("%s: after snapshot %d the link has %+v", name, i, j.link.Lag)
			}
			j.restart(newSentTimes(j.seed)) // for the next snapshot
		}
	}
}

// commits takes the snapshots that are committed.
type commits struct {
	quietSink
	rows []int // of each
}

func (c *commits) Commit(snapshot book.Snapshot) { c.rows = append(c.rows, snapshot.Rows.Len()) }

// TestAnEmptyAuditEndsTheRowsThatStay after an empty snapshot; one with rows does not.
func TestAnEmptyAuditEndsTheRowsThatStay(t *testing.T) {
	for _, rows := range []int{0, 1} {
		j, now := newJudging(t, io.Discard, DefaultTimes()), time.Now()
		sink := new(commits)
		j.Sink = sink
		j.keepsRows(false, now)
		j.keepsRows(true, now)
		audit := &auditEnd{sent: newSentTimes(j.seed), isCurrent: true}
		audit.sent.add([]model.Position{rowAt("a", now.UnixNano())}[:rows], now.UnixNano())
		j.judgeAudit(audit, now)
		hasEnded := slices.Equal(sink.rows, []int{0}) && j.link.Lag.Shown == model.NoLag && !j.hasRows
		if isEmpty := rows == 0; hasEnded != isEmpty {
			t.Errorf("an audit of %d rows: commits of %v rows, and %+v", rows, sink.rows, j.link.Lag)
		}
	}
}

// TestTheGapOfAStream is from before its connection until after its snapshot, by the clock of the service: changes of
// that time may be neither in the snapshot nor in the updates.
func TestTheGapOfAStream(t *testing.T) {
	j, connected := newJudging(t, io.Discard, DefaultTimes()), time.Now()
	j.link.ConnectedAt, j.wholeAt, j.link.ClockOffset = connected, connected.Add(20*time.Second), -time.Hour
	for second, want := range map[int]bool{-6: false, -5: true, 0: true, 20: true, 25: true, 26: false} {
		at := connected.Add(-time.Hour + time.Duration(second)*time.Second)
		if got := j.isOfGap(at.UnixNano()); got != want {
			t.Errorf("a change in second %d: %t", second, got)
		}
	}
}

// TestAStreamThatStaysOpenIsBehind by what it misses, if it was closed for that reason lately or the audit was shared.
func TestAStreamThatStaysOpenIsBehind(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		missing, wasShared bool
		closedBefore       bool
		isClosed           bool
		lag                time.Duration
	}{
		"nothing is missing":          {},
		"it is opened again":          {missing: true, isClosed: true},
		"it was closed lately":        {missing: true, closedBefore: true, lag: 90 * time.Second},
		"a shared audit has shown it": {missing: true, wasShared: true, lag: 90 * time.Second},
	} {
		j := newJudging(t, io.Discard, DefaultTimes())
		j.link.ConnectedAt, j.wholeAt = now, now
		if c.missing {
			j.awaited = map[model.Key]int64{rowAt("a", 0).Key: now.Add(-90 * time.Second).UnixNano()}
		}
		if c.closedBefore {
			j.checkMissing(now.Add(-time.Second))
		}
		j.audits.wasShared = c.wasShared
		err := j.checkMissing(now)
		if isBehind := j.link.Lag.Shown == model.LagOfAudit; (err != nil) != c.isClosed || isBehind != (c.lag > 0) || j.link.Lag.By != c.lag {
			t.Errorf("%s: %v, and the link has %+v", name, err, j.link.Lag)
		}
	}
}

// TestStreamsThatMissUpdatesAreOpenedAgain each time less often, and as at first after hours without one.
func TestStreamsThatMissUpdatesAreOpenedAgain(t *testing.T) {
	j, now := newJudging(t, new(strings.Builder), DefaultTimes()), time.Now()
	for _, c := range []struct {
		after    time.Duration // the last one that was closed
		isClosed bool
	}{
		{0, true}, {59 * time.Second, false}, {time.Minute, true}, {119 * time.Second, false}, {2 * time.Minute, true},
		{4 * time.Minute, true}, {2 * time.Hour, true}, {15 * time.Minute, false}, {16 * time.Minute, true},
		{2*time.Hour + 1, true}, {59 * time.Second, false}, {time.Minute, true},
	} {
		at := now.Add(c.after)
		if err := j.missesUpdates(at, at.UnixNano()); (err != nil) != c.isClosed {
			t.Errorf("%s after the last one: closed %t", c.after, err != nil)
		}
		if c.isClosed {
			now = at
		}
	}
}

// TestOlderStatesOfASnapshotAreAwaited, of several rows: the states that stand. Without audits nothing would show that
// such a state no longer exists.
func TestOlderStatesOfASnapshotAreAwaited(t *testing.T) {
	withoutAudits := DefaultTimes()
	withoutAudits.AuditEvery = -1
	for name, c := range map[string]struct {
		times StreamTimes
		rows  int // of four that have older states; the others are lacking
		want  int // are awaited
	}{
		"of all":     {DefaultTimes(), 4, 4},
		"of three":   {DefaultTimes(), 3, 3},
		"of two":     {DefaultTimes(), 2, 0},
		"no audits":  {withoutAudits, 4, 0},
		"all absent": {DefaultTimes(), 0, 0},
	} {
		j, now := newJudging(t, io.Discard, c.times), time.Now()
		j.audits.schedule.every = c.times.AuditEvery
		snapshot := &staging{pages: book.NewRows(), updates: book.NewRows()}
		for i := range 4 {
			stands, older := openAt(fmt.Sprint(i), 1, 30), openAt(fmt.Sprint(i), 2, 20)
			j.standing.addUpdates([]model.Position{stands}, false, now.UnixNano(), now)
			if i < c.rows {
				snapshot.pages.Put(&older)
			}
		}
		j.restart(newSentTimes(j.seed))
		j.sent.add(slices.Collect(snapshot.pages.All), now.UnixNano())
		isTaken := j.takeSnapshot(snapshot, now)
		if !isTaken || len(j.awaited) != c.want || j.alarms.missing.IsZero() != (c.want == 0) || len(j.standing.doubts) != 4 {
			t.Errorf("%s: %d rows are awaited, %d in doubt, taken %t", name, len(j.awaited), len(j.standing.doubts), isTaken)
		}
	}
}
