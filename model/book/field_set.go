package book

import (
	"math/bits"

	"blotter/model"
)

// fieldSet has a bit for each number of a record, so that it can have 32 of them.
type fieldSet uint32

func (s fieldSet) has(f model.Field) bool { return s>>f&1 != 0 }

func (s fieldSet) len() int { return bits.OnesCount32(uint32(s)) }

// all yields the numbers in the set, in their order.
func (s fieldSet) all(yield func(model.Field) bool) {
	for ; s != 0; s &= s - 1 {
		if !yield(model.Field(bits.TrailingZeros32(uint32(s)))) {
			return
		}
	}
}

const chunkRecords = 1024

// upperHalves are the upper halves of wide numbers in a chunk. Only fields that are wide in one of its records take
// memory.
type upperHalves struct {
	fields fieldSet // those that have a place
	values []int64  // by record, then by field
}

// at returns the upper half of a field that has a place.
func (u *upperHalves) at(record uint32, f model.Field) *int64 {
	return &u.values[int(record)*u.fields.len()+(u.fields&(1<<f-1)).len()]
}

// addFields adds places for those fields that have none.
func (u *upperHalves) addFields(fields fieldSet) {
	if fields&^u.fields == 0 {
		return
	}
	before := *u
	u.fields |= fields
	u.values = make([]int64, chunkRecords*u.fields.len())
	for f := range before.fields.all {
		for record := range uint32(chunkRecords) {
			*u.at(record, f) = *before.at(record, f)
		}
	}
}
