package follow

import (
	"hash/maphash"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// behind are the six ways in which a stream can be behind, by a minute or, after an empty snapshot, by a second.
var behind = map[model.LagShownBy]func(*judgement){
	model.LagOfEmptySnapshot: func(j *judgement) { j.emptySince = time.Unix(7, 0) },
	model.LagOfBlock:         func(j *judgement) { j.blockLag = time.Minute },
	model.LagOfAllBlocks:     func(j *judgement) { j.allBlocksLag = time.Minute },
	model.LagOfRows:          func(j *judgement) { j.shownBefore = j.sent.newest + int64(time.Minute) },
	model.LagOfUpdates:       func(j *judgement) { j.late, j.lateBy = lateMessages, time.Minute },
	model.LagOfAudit:         func(j *judgement) { j.missing = time.Minute },
}

// judgementOf returns the judgement of a stream that has sent a row of a time; 0: a row without a time.
func judgementOf(sentAt int64) *judgement {
	seed := maphash.MakeSeed()
	j := &judgement{seed: seed, sent: newSentTimes(seed), standing: newStanding(seed)}
	j.sent.add([]model.Position{rowAt("a", sentAt)}, sentAt)
	return j
}

// auditOf returns an audit of a current node that lacks nothing and has a row of a time.
func auditOf(j *judgement, sentAt int64, named bool) *auditEnd {
	end := &auditEnd{sent: newSentTimes(j.seed), isCurrent: true, nothingMissing: true}
	end.sent.add([]model.Position{rowAt("a", sentAt)}, sentAt)
	if named {
		end.node = endpoint.Node{Block: model.Block{Height: 5, Time: time.Unix(0, sentAt)}}
	}
	return end
}

// TestTheLagOfEachRule is that of the rule, and ends as the table says: by an update that is current, by an audit that
// agrees, and by one of a node that names its block.
func TestTheLagOfEachRule(t *testing.T) {
	at := time.Unix(1_795_240_400, 0)
	for shown, ends := range map[model.LagShownBy]struct{ byUpdate, byAudit, byBlock bool }{
		model.LagOfEmptySnapshot: {false, false, false},
		model.LagOfBlock:         {true, false, true},
		model.LagOfAllBlocks:     {true, false, false},
		model.LagOfRows:          {false, true, true},
		model.LagOfUpdates:       {true, false, true},
		model.LagOfAudit:         {false, true, true},
	} {
		want := model.Lag{By: time.Minute, Shown: shown}
		if shown == model.LagOfEmptySnapshot {
			want = model.Lag{By: time.Second, Shown: shown, Since: time.Unix(7, 0)}
		}
		for by, end := range map[string]struct {
			it   func(*judgement)
			ends bool
		}{
			"nothing":        {func(*judgement) {}, false},
			"an update":      {func(j *judgement) { j.addUpdates([]model.Position{rowAt("b", at.UnixNano())}, at.UnixNano(), at) }, ends.byUpdate},
			"a late update":  {func(j *judgement) { j.addUpdates([]model.Position{rowAt("b", 1)}, at.UnixNano(), at) }, false},
			"an audit":       {func(j *judgement) { j.takeAudit(auditOf(j, 9, false)) }, ends.byAudit},
			"with its block": {func(j *judgement) { j.takeAudit(auditOf(j, 9, true)) }, ends.byBlock},
		} {
			j := judgementOf(at.UnixNano())
			behind[shown](j)
			end.it(j)
			if got := j.lag(); end.ends && got != (model.Lag{}) || !end.ends && got != want {
				t.Errorf("shown by %d, after %s: the lag is %+v", shown, by, got)
			}
		}
	}
}

// TestTheLargestLagCounts, and of equal ones that of the first rule. After an empty snapshot no other counts.
func TestTheLargestLagCounts(t *testing.T) {
	order := []model.LagShownBy{model.LagOfEmptySnapshot, model.LagOfBlock, model.LagOfAllBlocks, model.LagOfRows, model.LagOfUpdates, model.LagOfAudit}
	for first := range order {
		j := judgementOf(9)
		for _, shown := range order[first:] {
			behind[shown](j)
		}
		if got := j.lag(); got.Shown != order[first] {
			t.Errorf("the lag is shown by %d, want %d", got.Shown, order[first])
		}
	}
	j := judgementOf(9)
	behind[model.LagOfBlock](j)
	if j.missing = 2 * time.Minute; j.lag() != (model.Lag{By: 2 * time.Minute, Shown: model.LagOfAudit}) {
		t.Errorf("the lag is %+v, want that of the audit", j.lag())
	}
	untimed := judgementOf(0)
	if untimed.shownBefore = 5; untimed.lag() != (model.Lag{}) {
		t.Errorf("a stream without times is behind what was shown: %+v", untimed.lag())
	}
}

// TestAStandbyStreamIsBetter if it is not behind in the way of the open one; never if its node is not current, or if
// the open one has sent newer rows.
func TestAStandbyStreamIsBetter(t *testing.T) {
	sent := time.Unix(1_795_240_400, 0).UnixNano()
	j := func(shown model.LagShownBy, change ...func(*judgement)) *judgement {
		of := judgementOf(sent)
		if shown != model.NoLag {
			behind[shown](of)
		}
		for _, do := range change {
			do(of)
		}
		return of
	}
	awaits := func(j *judgement) { j.awaited = map[model.Key]int64{rowAt("a", 1).Key: 1} }
	for name, c := range map[string]struct {
		of   *judgement
		at   int64 // its newest row
		node bool  // names its block
		want bool
	}{
		"partial rows":                     {j(model.NoLag), sent, false, true},
		"after an empty snapshot":          {j(model.LagOfEmptySnapshot), sent, false, true},
		"an old block":                     {j(model.LagOfBlock), sent, true, true},
		"an old block, and it names none":  {j(model.LagOfBlock), sent, false, false},
		"older rows":                       {j(model.LagOfRows), sent, false, true},
		"late updates, newer by half":      {j(model.LagOfUpdates), sent + int64(30*time.Second), false, true},
		"late updates, newer by less":      {j(model.LagOfUpdates), sent + int64(29*time.Second), false, false},
		"missing states":                   {j(model.LagOfAudit, awaits), sent, false, true},
		"missing states, which have come":  {j(model.LagOfAudit), sent, false, false},
		"the open stream sent newer rows":  {j(model.LagOfRows), sent - 1, true, false},
		"the open stream, with all blocks": {j(model.LagOfBlock), sent - 1, true, false},
	} {
		end := auditOf(c.of, c.at, c.node)
		if got := c.of.isBetter(end); got != c.want {
			t.Errorf("%s: better %t", name, got)
		}
		if end.isCurrent = false; c.of.isBetter(end) {
			t.Errorf("%s: a node that is behind is better", name)
		}
	}
}

// TestWhatAnAuditSays: the first of the rules that applies counts.
func TestWhatAnAuditSays(t *testing.T) {
	empty := func(j *judgement, end *auditEnd) {
		behind[model.LagOfEmptySnapshot](j)
		j.sent, end.sent = newSentTimes(j.seed), newSentTimes(j.seed)
	}
	for name, c := range map[string]struct {
		set     func(*judgement, *auditEnd)
		isEmpty bool
		agrees  bool // what was missing is no longer
	}{
		"agrees":                          {func(*judgement, *auditEnd) {}, false, true},
		"shows more":                      {func(_ *judgement, end *auditEnd) { end.nothingMissing = false }, false, false},
		"an older node":                   {func(_ *judgement, end *auditEnd) { end.isCurrent = false }, false, false},
		"an empty one after an empty one": {empty, true, false},
		"a full one after an empty one":   {func(j *judgement, _ *auditEnd) { behind[model.LagOfEmptySnapshot](j) }, false, true},
	} {
		j := judgementOf(9)
		j.missing, j.shown = time.Minute, 10
		end := auditOf(j, 9, true)
		c.set(j, end)
		isEmpty := j.takeAudit(end)
		if isEmpty != c.isEmpty || j.missing == 0 != c.agrees {
			t.Errorf("%s: empty %t, missing %s", name, isEmpty, j.missing)
		}
		if isEmpty && (!j.emptySince.IsZero() || j.shown != 0) {
			t.Errorf("%s: the rows are still kept", name)
		}
	}
}

// TestAnAuditExcusesLateness once it agrees and its node names a block.
func TestAnAuditExcusesLateness(t *testing.T) {
	for named, want := range map[bool]time.Duration{true: time.Minute, false: 0} {
		j := judgementOf(9)
		behind[model.LagOfUpdates](j)
		j.takeAudit(auditOf(j, 9, named))
		if j.excused != want {
			t.Errorf("with a block (%t) %s is excused", named, j.excused)
		}
	}
}
