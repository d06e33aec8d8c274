package follow

import (
	"testing"

	"blotter/model"
)

// TestStep is the whole state machine: a line for each phase, a column for each event.
func TestStep(t *testing.T) {
	type to struct {
		phase  model.Phase
		action action
	}
	c, s, l, w, r := model.Connecting, model.Syncing, model.Live, model.Waiting, model.Refused
	again, lost, no := to{c, nothing}, to{w, discard}, to{r, discard}
	for phase, line := range map[model.Phase]map[event]to{
		c: {opened: again, paged: {s, stage}, completed: {l, commit}, updated: {s, stage}, unended: {l, show}, broken: lost, refused: no},
		s: {opened: again, paged: {s, stage}, completed: {l, commit}, updated: {s, stage}, unended: {l, show}, broken: lost, refused: no},
		l: {opened: again, paged: {l, merge}, completed: {l, commit}, updated: {l, merge}, unended: {l, nothing}, broken: lost, refused: no},
		w: {opened: again, paged: {w, nothing}, completed: {w, nothing}, updated: {w, nothing}, unended: {w, nothing}, broken: lost, refused: no},
		r: {opened: again, paged: {r, nothing}, completed: {r, nothing}, updated: {r, nothing}, unended: {r, nothing}, broken: lost, refused: no},
	} {
		for event, want := range line {
			if gotPhase, gotAction := step(phase, event); gotPhase != want.phase || gotAction != want.action {
				t.Errorf("%s, event %d: %s and action %d, want %s and %d", phase, event, gotPhase, gotAction, want.phase, want.action)
			}
		}
	}
}
