package follow

import "blotter/model"

// event is what happens to a subscription.
type event uint8

const (
	opened    event = iota // a stream is being opened
	paged                  // a snapshot page came, and more are to come
	completed              // the last snapshot page came
	updated                // updates came
	broken                 // the stream ended or could not be opened
	refused                // every address has refused the stream
)

// action is what a subscription does about an event, besides going to the next phase.
type action uint8

const (
	nothing         action = iota
	stage                  // keep the page: a half snapshot is never shown
	commit                 // keep the page, then show all that was kept in place of everything before
	merge                  // merge into what is shown
	commitThenMerge        // show what was kept so far in place of everything before, then merge
	discard                // drop what was kept; what was shown before stays, stale
)

// step is the state machine of a subscription: what an event does in a phase, and which phase is next. An update ends
// the snapshot even without a last page, because updates follow the snapshot. If a page comes after all, it is merged
// by the times of its rows, and nothing is removed for it.
func step(phase model.Phase, e event) (model.Phase, action) {
	switch e {
	case opened:
		return model.Connecting, nothing
	case broken:
		return model.Waiting, discard
	case refused:
		return model.Refused, discard
	}
	switch phase {
	case model.Connecting, model.Syncing:
		switch e {
		case paged:
			return model.Syncing, stage
		case completed:
			return model.Live, commit
		case updated:
			return model.Live, commitThenMerge
		}
	case model.Live:
		return model.Live, merge
	}
	return phase, nothing
}
