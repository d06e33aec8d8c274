package model

import (
	"cmp"
	"maps"
	"slices"
)

// Dictionary gives each of its values a code, as dictionary encoding does. Codes count from 0.
type Dictionary[V comparable] struct {
	codes  map[V]uint32
	values []V    // by code
	sorted uint32 // codes below this are in the order of their values
}

// Code returns the code of v. It adds v if it is new.
func (d *Dictionary[V]) Code(v V) uint32 {
	code, ok := d.codes[v]
	if !ok {
		if d.codes == nil {
			d.codes = make(map[V]uint32)
		}
		code = uint32(len(d.values))
		d.codes[v] = code
		d.values = append(d.values, v)
	}
	return code
}

// Clone returns a copy that shares nothing with d.
func (d *Dictionary[V]) Clone() Dictionary[V] {
	return Dictionary[V]{maps.Clone(d.codes), slices.Clone(d.values), d.sorted}
}

// Find returns the code of v, and false if it has none.
func (d *Dictionary[V]) Find(v V) (code uint32, ok bool) {
	code, ok = d.codes[v]
	return code, ok
}

// Values returns the values by their codes. They must not be changed.
func (d *Dictionary[V]) Values() []V { return d.values }

// Sort gives all values new codes, in order, and returns the new code for each old one.
func (d *Dictionary[V]) Sort(compare func(v, w V) int) []uint32 {
	before := d.values
	d.values = slices.SortedFunc(slices.Values(before), compare)
	for code, v := range d.values {
		d.codes[v] = uint32(code)
	}
	newCodes := make([]uint32, len(before))
	for code, v := range before {
		newCodes[code] = d.codes[v]
	}
	d.sorted = uint32(len(before))
	return newCodes
}

// Compare compares the values of two codes. The last Sort, if there was one, must have had the same compare: then
// values that it has sorted are compared by their codes.
func (d *Dictionary[V]) Compare(a, b uint32, compare func(v, w V) int) int {
	if max(a, b) < d.sorted {
		return cmp.Compare(a, b)
	}
	return compare(d.values[a], d.values[b])
}
