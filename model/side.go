package model

// side is the side of the market that a position is on.
type side uint8

const (
	flat side = iota
	long
	short
	sides
)

// sideOf returns the side of a position with this open volume.
func sideOf(volume Amount) side {
	switch volume.Sign() {
	case +1:
		return long
	case -1:
		return short
	}
	return flat
}
