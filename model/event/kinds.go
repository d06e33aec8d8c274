package event

import "blotter/model"

// Kinds are the kinds of an event, as a set: one update can close a position and change its status.
type Kinds uint16

// The kinds of events.
const (
	Opened Kinds = 1 << iota
	Closed
	Flipped        // from long to short or from short to long
	Grown          // the same side, and a larger size
	Reduced        // the same side, and a smaller size that is not 0
	StatusChanged  // another status
	LossSocialised // another loss socialisation amount that is not 0
	Removed        // the service no longer has the position, which was open
	AlertChanged   // an alert has begun or ended for the position: see Event.Alert
	TroubleBegan   // a story begins without a change of the position: see Story
	TroubleEnded   // a story ends because the position is well again for some time
	afterKinds     // more than all kinds together
)

// kindNames are the names in filters and exports, in the order of the kinds.
var kindNames = [...]string{"opened", "closed", "flipped", "grown", "reduced", "status", "loss", "removed", "alert", "trouble", "recovered"}

// KindNames returns the names of all kinds, in their order.
func KindNames() []string { return kindNames[:] }

// Names returns the names of the kinds.
func (k Kinds) Names() []string {
	var names []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Between returns the kinds of the change from one state of a position to another, without those of alerts; 0 if it is
// no event. before is nil for a new position, and after for a removed one.
func Between(before, after *model.Position) (kinds Kinds) {
	var none model.Position
	if after == nil {
		if before.IsOpen() {
			kinds = Removed
		}
		return kinds
	}
	if before == nil {
		before = &none
	}
	was, is := before.Number(model.OpenVolume), after.Number(model.OpenVolume)
	switch grows := is.Compare(was) * is.Sign(); {
	case was.Sign() == 0 && is.Sign() != 0:
		kinds = Opened
	case was.Sign() != 0 && is.Sign() == 0:
		kinds = Closed
	case was.Sign() != is.Sign():
		kinds = Flipped
	case grows > 0:
		kinds = Grown
	case grows < 0:
		kinds = Reduced
	}
	if before.StatusName() != after.StatusName() {
		kinds |= StatusChanged
	}
	loss := after.Number(model.LossSocialisationAmount)
	if !loss.IsZero() && loss != before.Number(model.LossSocialisationAmount) {
		kinds |= LossSocialised
	}
	return kinds
}

// NoneBetween reports whether two states of a position have the same size, status and loss socialisation amount, each
// as the service wrote it: then there is no event between them, and each has the same event with any third state. It is
// false if one of them is nil. It takes much less time than Between.
func NoneBetween(before, after *model.Position) bool {
	if before == nil || after == nil || before.Status() != after.Status() {
		return false
	}
	was, is := before.Numbers(), after.Numbers()
	for _, f := range [...]model.Field{model.OpenVolume, model.LossSocialisationAmount} {
		if was[f] != is[f] || was[f].IsText() && before.Number(f) != after.Number(f) {
			return false
		}
	}
	return !before.Status().IsText() || before.StatusName() == after.StatusName()
}
