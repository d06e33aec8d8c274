package view

import (
	"blotter/model"
	"blotter/model/book"
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

func (t *totals) addAll(entries []sorting.Entry, c *sorting.Encoder) {
	for _, e := range entries {
		t.addPosition(c.AssetCode(e), func(f model.Field) model.Amount { return c.Amount(e, f) }, +1)
	}
}

// baselineTotal is the profit that the rows of a total had at the baseline that was taken. Rows that it does not cover
// are not counted.
type baselineTotal struct {
	unrealised model.Sum
	realised   model.Sum
	rows       int
	// others are the profits that the rows have now that the baseline does not cover.
	others struct{ unrealised, realised model.Sum }
}

func (t *baselineTotal) addOther(number func(model.Field) model.Amount, sign int) {
	t.others.unrealised.AddSigned(number(model.UnrealisedPnl), sign)
	t.others.realised.AddSigned(number(model.RealisedPnl), sign)
}

func (t *baselineTotal) replaceOther(before, after *model.Position) {
	t.others.unrealised.Replace(before.Number(model.UnrealisedPnl), after.Number(model.UnrealisedPnl))
	t.others.realised.Replace(before.Number(model.RealisedPnl), after.Number(model.RealisedPnl))
}

func (t *baselineTotal) addRow(row *book.BaselineRow, sign int) {
	t.rows += sign
	t.unrealised.AddSigned(row.Number(model.UnrealisedPnl), sign)
	t.realised.AddSigned(row.Number(model.RealisedPnl), sign)
}

// Changes returns by how much the unrealised and the realised profit have changed since the baseline that was taken. It
// returns false if there is none, if it covers none of the rows, or if a number of them cannot be added. The changes
// are those of the rows that it covers: see Compared. The asset has these decimals.
func (t *Total) Changes(decimals int) (unrealised, realised model.Amount, ok bool) {
	before := &t.baseline
	change := func(f model.Field, others, before *model.Sum) (model.Amount, bool) {
		now := *t.Sum(f)
		now.SubtractSum(*others)
		change, ok := model.Difference(now.Amount(decimals), before.Amount(decimals), decimals)
		return change, ok && now.LeftOut(decimals)+before.LeftOut(decimals) == 0
	}
	unrealised, isKnown := change(model.UnrealisedPnl, &before.others.unrealised, &before.unrealised)
	realised, ok = change(model.RealisedPnl, &before.others.realised, &before.realised)
	if !ok || !isKnown || before.rows == 0 {
		return model.Amount{}, model.Amount{}, false
	}
	return unrealised, realised, true
}

// Compared returns how many of the rows are in Changes.
func (t *Total) Compared() int { return t.baseline.rows }
