package store

import (
	"time"

	"blotter/model"
	"blotter/model/analysis"
)

// trades are what was traded since the baselines, so that the change of PnL can be split.
type trades struct {
	first *analysis.Log      // since the start
	taken *analysis.Log      // since the baseline that was taken; nil if it was not taken now
	apart *analysis.Log      // since the rows were frozen, and not in the others yet; nil if all is there
	isOn  bool               // a baseline was taken or is used
	next  baselineAction     // of the view that is being made
	at    time.Time          // when the changes came that are merged now
	scope model.Scope        // of the positions in the logs
	in    *model.Instruments // of the notes in the logs
}

// each calls a function with each log.
func (t *trades) each(do func(*analysis.Log)) {
	do(t.first)
	if t.taken != nil {
		do(t.taken)
	}
}

// growing calls a function with each log of what is traded now.
func (t *trades) growing(do func(*analysis.Log)) {
	if t.apart != nil {
		do(t.apart)
		return
	}
	t.each(do)
}

// setApart makes the logs belong to the rows that are shown: while these are frozen, another one grows.
func (t *trades) setApart(isApart bool) {
	switch {
	case isApart && t.apart == nil:
		t.apart = analysis.NewPart()
	case !isApart && t.apart != nil:
		t.each(func(log *analysis.Log) { log.Append(t.apart) })
		t.apart = nil
	}
}

// note notes a change of a position.
func (t *trades) note(before, after *model.Position, in *model.Instruments) {
	t.growing(func(log *analysis.Log) { log.Note(before, after, in, t.at) })
}

// relearn takes the instruments of a new view: see Log.Relearn.
func (t *trades) relearn(in *model.Instruments) {
	before := t.in
	if t.in = in; before == nil || before == in {
		return
	}
	t.each(func(log *analysis.Log) { log.Relearn(before, in) })
}

// take takes what the snapshots of a new view have shown, nil if there are none, and begins a new log if the view has
// a new baseline.
func (t *trades) take(shown *analysis.Log) {
	if shown != nil {
		t.growing(func(log *analysis.Log) { log.Append(shown) })
	}
	switch t.next {
	case takeBaseline:
		t.taken, t.isOn = analysis.NewLog(), true
	case useBaseline:
		t.taken, t.isOn = nil, true
	case dropBaseline:
		t.taken, t.isOn = nil, false
	}
	t.next = keepBaseline
}

// narrow drops the positions outside of a scope, if it has changed.
func (t *trades) narrow(scope model.Scope) {
	if scope.Equal(t.scope) {
		return
	}
	t.scope = scope
	t.each(func(log *analysis.Log) { log.KeepOnly(scope.Covers) })
}

// sinceBaseline returns what was traded since the baseline; nil if that is not known.
func (t *trades) sinceBaseline() *analysis.Log {
	if t.isOn {
		return t.taken
	}
	return t.first
}
