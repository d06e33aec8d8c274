package model

// Packed is an amount in 16 bytes without pointers: an integer of up to 38 digits in 128 bits, in two's complement, or
// a mark that the amount is a text, which is stored elsewhere.
type Packed struct {
	High int64
	Low  uint64
}

// PackedText in Packed.High means that the amount is a text. No integer of 38 digits has these bits.
const PackedText = -1 << 63

// Packed returns the amount without its text.
func (a Amount) Packed() Packed {
	if a.isText {
		return Packed{High: PackedText}
	}
	return Packed{a.high, a.low}
}

// Amount returns an amount that is not a text.
func (p Packed) Amount() Amount { return Amount{high: p.High, low: p.Low} }

// IsText reports whether the amount is a text.
func (p Packed) IsText() bool { return p.High == PackedText }

// Magnitude returns the integer without its sign.
func (p Packed) Magnitude() (high, low uint64) {
	if p.High < 0 {
		return negate(uint64(p.High), p.Low)
	}
	return uint64(p.High), p.Low
}

// TextAmount returns an amount that is kept as a text: one that Packed cannot represent.
func TextAmount(text string) Amount { return Amount{text: text, isText: true} }
