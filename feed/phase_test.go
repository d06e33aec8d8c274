package feed

import (
	"testing"

	"blotter/model"
)

// TestStep is the whole state machine: a line for each phase, a column for each event.
func TestStep(t *testing.T) {
	type to struct {
		phase model.Phase
		deed  deed
	}
	c, s, l, w, r := model.Connecting, model.Syncing, model.Live, model.Waiting, model.Refused
	again, lost, no := to{c, nothing}, to{w, drop}, to{r, drop}
	for phase, line := range map[model.Phase]map[event]to{
		c: {dialled: again, paged: {s, stage}, completed: {l, commit}, updated: {l, begin}, silent: {l, begin}, broken: lost, refused: no},
		s: {dialled: again, paged: {s, stage}, completed: {l, commit}, updated: {l, begin}, silent: {l, begin}, broken: lost, refused: no},
		l: {dialled: again, paged: {l, follow}, completed: {l, follow}, updated: {l, follow}, silent: {l, nothing}, broken: lost, refused: no},
		w: {dialled: again, paged: {w, nothing}, completed: {w, nothing}, updated: {w, nothing}, silent: {w, nothing}, broken: lost, refused: no},
		r: {dialled: again, paged: {r, nothing}, completed: {r, nothing}, updated: {r, nothing}, silent: {r, nothing}, broken: lost, refused: no},
	} {
		for event, want := range line {
			if gotPhase, gotDeed := step(phase, event); gotPhase != want.phase || gotDeed != want.deed {
				t.Errorf("%s, event %d: %s and deed %d, want %s and %d", phase, event, gotPhase, gotDeed, want.phase, want.deed)
			}
		}
	}
}
