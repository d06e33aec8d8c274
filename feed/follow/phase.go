package follow

import "blotter/model"

// event is what happens to a subscription.
type event uint8

const (
	opened    event = iota // a stream is being opened
	paged                  // a snapshot page came, and more are to come
	completed              // the last snapshot page came
	updated                // updates came
	unended                // no page has followed the updates that came before the last page
	broken                 // the stream ended or could not be opened
	refused                // every address has refused the stream
)

// action is what a subscription does about an event, besides going to the next phase.
type action uint8

const (
	nothing action = iota
	stage          // keep the rows: a half snapshot is not shown
	commit         // keep the page, then show all that was kept in place of everything before
	show           // show what was kept over what is shown already, and call it partial
	merge          // merge into what is shown; keep pages too, because a last page may follow
	discard        // drop what was kept; what was shown before stays, stale
)

// step is the state machine of a subscription: what an event does in a phase, and which phase is next. Only a last page
// makes a snapshot whole. Updates that come before it are kept over the rows of the pages. If then no page follows for
// some time, what came is shown without it. A last page may still come later; also a second snapshot, which replaces
// the first.
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
		case paged, updated:
			return model.Syncing, stage
		case completed:
			return model.Live, commit
		case unended:
			return model.Live, show
		}
	case model.Live:
		switch e {
		case paged, updated:
			return model.Live, merge
		case completed:
			return model.Live, commit
		}
	}
	return phase, nothing
}
