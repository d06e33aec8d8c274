package model

// packed is an amount in 16 bytes without pointers: an integer of up to 38 digits in 128 bits, in two's complement, or the
// mark that the amount is a text, which is kept elsewhere.
type packed struct {
	high int64
	low  uint64
}

// packedText in packed.high means that the amount is a text. No integer of 38 digits has these bits.
const packedText = -1 << 63

// packed returns the amount without its text.
func (a Amount) packed() packed {
	if a.isText {
		return packed{high: packedText}
	}
	return packed{a.high, a.low}
}

// amount returns an amount that is not a text.
func (p packed) amount() Amount { return Amount{high: p.high, low: p.low} }

// isText reports whether the amount is a text.
func (p packed) isText() bool { return p.high == packedText }

// magnitude returns the integer without its sign.
func (p packed) magnitude() (high, low uint64) {
	if p.high < 0 {
		return negate(uint64(p.high), p.low)
	}
	return uint64(p.high), p.low
}

// textAmount returns an amount that is kept as a text: one that packed has no bits for.
func textAmount(text string) Amount { return Amount{text: text, isText: true} }
