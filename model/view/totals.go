package view

import "blotter/model"

// Total is the profit of the positions in scope whose markets settle in one asset. The zero ID means the markets whose
// asset is not known. Their numbers do not have one unit, so no sum of them is shown.
type Total struct {
	Asset      model.ID
	Unrealised model.Sum
	Realised   model.Sum
	Rows       int
	baseline   baselineTotal
}

// totals are totals by the code of their asset. The Asset of each is not set.
type totals []Total

// add adds the profits of a position if sign is +1, and subtracts them if it is -1.
func (t *totals) add(asset uint32, unrealised, realised model.Amount, sign int) {
	for int(asset) >= len(*t) {
		*t = append(*t, Total{})
	}
	(*t)[asset].add(unrealised, realised, sign)
}

func (t *Total) add(unrealised, realised model.Amount, sign int) {
	t.Rows += sign
	t.Unrealised.AddSigned(unrealised, sign)
	t.Realised.AddSigned(realised, sign)
}

// addAll adds many rows as add does.
func (t *totals) addAll(entries []entry, c *encoder) {
	for _, e := range entries {
		t.add(c.assetCodes[e.market()], c.amount(e, model.UnrealisedPnl), c.amount(e, model.RealisedPnl), +1)
	}
}
