package model

// PackedSum is a Sum that is kept. It takes 24 bytes in place of 88 if only integers were added, and the sum has at
// most 64 bits. The zero PackedSum is 0.
type PackedSum struct {
	value    int64
	integers int
	other    *Sum // nil if value and integers are the whole sum
}

// Packed returns the sum in less memory.
func (s Sum) Packed() PackedSum {
	packed := PackedSum{value: int64(s.limbs[0]), integers: s.integers}
	if packed.Sum() != s {
		other := s // only this one is allocated
		return PackedSum{other: &other}
	}
	return packed
}

// Sum returns the sum.
func (p PackedSum) Sum() Sum {
	if p.other != nil {
		return *p.other
	}
	sign := uint64(p.value >> 63)
	return Sum{limbs: [3]uint64{uint64(p.value), sign, sign}, integers: p.integers}
}

// Add adds another sum.
func (p *PackedSum) Add(other PackedSum) {
	sum := p.Sum()
	sum.AddSum(other.Sum())
	*p = sum.Packed()
}

// Subtract undoes the Add of the same sum.
func (p *PackedSum) Subtract(other PackedSum) {
	sum := p.Sum()
	sum.SubtractSum(other.Sum())
	*p = sum.Packed()
}
