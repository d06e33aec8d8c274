package model

// Side is the side of the market that a position is on.
type Side uint8

// The sides.
const (
	Flat Side = iota
	Long
	Short
	UnknownSide // the open volume is no number
	SideCount
)

// SideOf returns the side of a position with this open volume.
func SideOf(volume Amount) Side {
	if !volume.IsNumber() {
		return UnknownSide
	}
	switch volume.Sign() {
	case +1:
		return Long
	case -1:
		return Short
	}
	return Flat
}
