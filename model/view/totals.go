package view

import (
	"blotter/model"
	"blotter/model/view/sorting"
)

// Total has the sums of the positions in scope whose markets settle in one asset. The zero ID means the markets whose
// asset is not known. Their numbers do not have one unit, so no sum of them is shown.
type Total struct {
	Asset model.ID
	Sums
	Rows     int
	baseline baselineTotal
}

// Sums are the sums of the numbers that model.Summed returns, in the same order.
type Sums [model.SummedCount]model.Sum

// Sum returns the sum of a number; 0 if there are no totals of it.
func (s *Sums) Sum(f model.Field) *model.Sum {
	for i, summed := range model.Summed() {
		if f == summed {
			return &s[i]
		}
	}
	return new(model.Sum)
}

// LeftOut returns how many numbers are in no sum, because they cannot be added. The asset has these decimals.
func (s *Sums) LeftOut(decimals int) (n int) {
	for i := range s {
		n += s[i].LeftOut(decimals)
	}
	return n
}

// addNumbers adds the numbers of a position if sign is +1, and subtracts them if it is -1.
func (s *Sums) addNumbers(number func(model.Field) model.Amount, sign int) {
	for i, f := range model.Summed() {
		s[i].AddSigned(number(f), sign)
	}
}

// replaceNumbers subtracts the numbers of a state of a position, and adds those of another one.
func (s *Sums) replaceNumbers(before, after *model.Position) {
	for i, f := range model.Summed() {
		s[i].Replace(before.Number(f), after.Number(f))
	}
}

// totals are totals by the code of their asset. The Asset of each is not set.
type totals []Total

// addPosition adds a position if sign is +1, and subtracts it if it is -1.
func (t *totals) addPosition(asset uint32, number func(model.Field) model.Amount, sign int) {
	for int(asset) >= len(*t) {
		*t = append(*t, Total{})
	}
	(*t)[asset].addNumbers(number, sign)
}

func (t *Total) addNumbers(number func(model.Field) model.Amount, sign int) {
	t.Rows += sign
	t.Sums.addNumbers(number, sign)
}

// addAll adds many rows as add does.
func (t *totals) addAll(entries []sorting.Entry, c *sorting.Encoder) {
	for _, e := range entries {
		t.addPosition(c.AssetCode(e), func(f model.Field) model.Amount { return c.Amount(e, f) }, +1)
	}
}
