package feed

import "blotter/model"

// event is what happens to a subscription.
type event uint8

const (
	dialled   event = iota // a connection is being opened
	paged                  // a snapshot page came, and more are to come
	completed              // the last snapshot page came
	updated                // updates came
	silent                 // not a byte came where there may be no position to tell of
	broken                 // the stream ended, or never began, and trying again may help
	refused                // the service said no
)

// deed is what a subscription does about an event, besides going to the next phase.
type deed uint8

const (
	nothing deed = iota
	stage        // keep the page aside: a half snapshot is never shown
	commit       // keep the page, then show all that was kept in place of everything before
	follow       // merge into what is shown
	begin        // show what was kept so far in place of everything before, then merge
	drop         // throw away what was kept; what was shown before stands, unvouched for
)

// step is the state machine of a subscription: what an event does in a phase, and where it leads. An update ends
// the snapshot even where no last page was announced, because what follows a snapshot is updates; should a
// page come after all, it is merged, and nothing is removed for it.
func step(phase model.Phase, e event) (model.Phase, deed) {
	switch e {
	case dialled:
		return model.Connecting, nothing
	case broken:
		return model.Waiting, drop
	case refused:
		return model.Refused, drop
	}
	switch phase {
	case model.Connecting, model.Syncing:
		switch e {
		case paged:
			return model.Syncing, stage
		case completed:
			return model.Live, commit
		case updated, silent:
			return model.Live, begin
		}
	case model.Live:
		switch e {
		case paged, completed, updated:
			return model.Live, follow
		}
	}
	return phase, nothing
}
