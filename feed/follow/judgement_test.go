package follow

import (
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"testing"
	"time"

	"blotter/model"
)

// TestUpdatesThatAreLateInARow show that a stream is behind: one that an audit has excused is not late.
func TestUpdatesThatAreLateInARow(t *testing.T) {
	seed := maphash.MakeSeed()
	j := judgement{seed: seed, sent: newSentTimes(seed), excused: time.Minute}
	now := time.Now()
	at := now.Add(-time.Hour)
	for i, late := range []time.Duration{0, 1, 1, -1, 1, 1, 1} { // the first one shows no time that has moved
		at = at.Add(time.Millisecond)
		seen := at.Add(model.LateFrom + j.excused + late*time.Second)
		j.addUpdates([]model.Position{rowAt("a", at.UnixNano())}, now.UnixNano(), seen)
		if want := i == 6; j.lateBy > 0 != want {
			t.Errorf("update %d: late by %s", i, j.lateBy)
		}
	}
}

// TestAnAwaitedRowWithoutATimeIsNotOvertaken: it cannot be older than what an audit has shown of it.
func TestAnAwaitedRowWithoutATimeIsNotOvertaken(t *testing.T) {
	for at, want := range map[int64]int64{0: 0, 5: 10, 10: 0, 900: 0} {
		seed := maphash.MakeSeed()
		row := rowAt("a", at)
		j := judgement{seed: seed, sent: newSentTimes(seed), awaited: map[model.Key]int64{row.Key: 10}}
		if got := j.addUpdates([]model.Position{row}, 100, time.Now()); got != want || len(j.awaited) > 0 != (want > 0) {
			t.Errorf("at %d: %d is overtaken, %d are awaited", at, got, len(j.awaited))
		}
	}
}

// TestOneStateThatTheGapDoesNotExplainIsMissing, among others that it explains.
func TestOneStateThatTheGapDoesNotExplainIsMissing(t *testing.T) {
	isOfGap := func(at int64) bool { return at >= 50 }
	j := judgement{audited: 100, awaited: make(map[model.Key]int64)}
	for i := range int64(10) {
		j.awaited[rowAt(fmt.Sprint(i), 0).Key] = 50 + i
	}
	if got := j.missingSince(isOfGap); got != 0 {
		t.Errorf("%d is missing, and all are of the gap", got)
	}
	j.awaited[rowAt("old", 0).Key] = 5
	for range 20 { // in any order
		if got := j.missingSince(isOfGap); got != 5 {
			t.Fatalf("%d is missing, want 5", got)
		}
	}
}

// TestAnAuditThatHasReadALargeSnapshotIsTriedAgainLater than one that was refused: a minute for each hundred thousand
// rows.
func TestAnAuditThatHasReadALargeSnapshotIsTriedAgainLater(t *testing.T) {
	now := time.Now()
	for err, isLater := range map[error]bool{
		errors.New("refused"): false,
		fmt.Errorf("the second stream: %w", &stoppedError{Positions: 200_000}): true,
	} {
		f := New(Config{Logger: slog.New(slog.DiscardHandler)}, model.Subscription{})
		f.audits.schedule.rows = 300_000
		f.audits.retry(now, &auditEnd{err: err})
		if wait := f.alarms.audit.Sub(now); wait >= 3*time.Minute != isLater || wait > 4*time.Minute {
			t.Errorf("%s: tried again after %s", err, wait)
		}
	}
}

// TestWhatIsMissingIsNotAwaitedLonger because another audit has shown it too.
func TestWhatIsMissingIsNotAwaitedLonger(t *testing.T) {
	now, never := time.Now(), func(int64) bool { return false }
	a, b := model.Key{Party: model.MakeID("a")}, model.Key{Party: model.MakeID("b")}
	var j judgement
	for _, c := range []struct {
		after time.Duration
		newer map[model.Key]int64
		want  time.Duration // until which it is awaited
	}{
		{0, map[model.Key]int64{a: 10}, catchUpWithin},
		{2 * time.Second, map[model.Key]int64{a: 10, b: 20}, catchUpWithin},
		{3 * time.Second, map[model.Key]int64{b: 20}, catchUpWithin},
		{4 * time.Second, map[model.Key]int64{a: 30}, 4*time.Second + catchUpWithin},
		{6 * time.Second, nil, 6*time.Second + catchUpWithin},
	} {
		j.await(c.newer, 2, never, now.Add(c.after))
		if got := j.awaitedBy.Sub(now); got != c.want {
			t.Errorf("after %s: awaited until %s, want %s", c.after, got, c.want)
		}
	}
}
