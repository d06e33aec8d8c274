package model

import "math/bits"

// RowSet is a set of row numbers of a table.
type RowSet []uint64

// NewRowSet returns an empty set with room for numbers up to the highest.
func NewRowSet(highest uint32) RowSet { return make(RowSet, highest/64+1) }

// Add adds a row.
func (s *RowSet) Add(number uint32) {
	word := int(number / 64)
	for word >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[word] |= 1 << (number % 64)
}

// Remove removes a row.
func (s RowSet) Remove(number uint32) {
	if word := int(number / 64); word < len(s) {
		s[word] &^= 1 << (number % 64)
	}
}

// Has reports whether a row is in the set.
func (s RowSet) Has(number uint32) bool {
	word := int(number / 64)
	return word < len(s) && s[word]&(1<<(number%64)) != 0
}

// Len returns how many rows are in the set.
func (s RowSet) Len() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// Word returns the bits of the 64 rows from number 64*i on.
func (s RowSet) Word(i int) uint64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}
