package model

import (
	"cmp"
	"maps"
	"slices"
)

// Dictionary gives each of its values a code, as dictionary encoding does. Codes count from 0.
//
// The codes of most values are in a map that clones have in common: a hundred screens have the same parties and
// markets.
type Dictionary[V comparable] struct {
	settled map[V]uint32 // never changes
	recent  map[V]uint32 // codes that are not in settled: few
	values  []V          // by code
	sorted  uint32       // codes below this are in the order of their values
}

// maxRecent is how many codes may be recent beside an eighth of the number of settled ones.
const maxRecent = 4

// Code returns the code of v. It adds v if it is new.
func (d *Dictionary[V]) Code(v V) uint32 {
	code, ok := d.Find(v)
	if ok {
		return code
	}
	if len(d.recent) >= maxRecent+len(d.settled)/8 {
		settled := make(map[V]uint32, len(d.values))
		maps.Copy(settled, d.settled)
		maps.Copy(settled, d.recent)
		d.settled, d.recent = settled, nil
	}
	if d.recent == nil {
		d.recent = make(map[V]uint32)
	}
	code = uint32(len(d.values))
	d.recent[v] = code
	d.values = append(d.values, v)
	return code
}

// Clone returns a copy. A change of one of them does not change the other one.
func (d *Dictionary[V]) Clone() Dictionary[V] {
	return Dictionary[V]{d.settled, maps.Clone(d.recent), slices.Clip(d.values), d.sorted}
}

// Find returns the code of v, and false if it has none.
func (d *Dictionary[V]) Find(v V) (code uint32, ok bool) {
	if code, ok = d.settled[v]; !ok {
		code, ok = d.recent[v]
	}
	return code, ok
}

// Values returns the values by their codes. They must not be changed.
func (d *Dictionary[V]) Values() []V { return d.values }

// Sort gives all values new codes, in order, and returns the new code for each old one.
func (d *Dictionary[V]) Sort(compare func(v, w V) int) []uint32 {
	before := d.values
	d.values, d.settled, d.recent = slices.SortedFunc(slices.Values(before), compare), make(map[V]uint32, len(before)), nil
	for code, v := range d.values {
		d.settled[v] = uint32(code)
	}
	newCodes := make([]uint32, len(before))
	for code, v := range before {
		newCodes[code] = d.settled[v]
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
