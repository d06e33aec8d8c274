package columns

import (
	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/table"
)

// change formats the change of a number for a table; its sign is that of the change. The cell of a number that has not
// changed is empty, unless the position is new: 0.00 in each row would hide those that have.
func (r *Row) change(field model.Field) (number format.Number, sign int) {
	if !r.HasBaseline {
		return format.Number{}, 0
	}
	change, ok := r.Baseline.Change(r.Position, field)
	if !ok || change.IsZero() && !r.Baseline.IsNew {
		return format.Number{}, 0
	}
	return r.Format.NumberIn(change, field, r.Market, true), change.Sign()
}

func sizeChangeCell(c *table.Cell, r *Row) {
	number, _ := r.change(model.OpenVolume)
	*c = number.Cell()
}

func unrealisedChangeCell(c *table.Cell, r *Row) {
	number, sign := r.change(model.UnrealisedPnl)
	if number.Text != "" && r.Baseline.IsNew {
		number.Text = "new " + number.Text
	}
	*c = number.Cell()
	c.Style = r.Styles.Profit(sign)
}

func realisedChangeCell(c *table.Cell, r *Row) {
	number, _ := r.change(model.RealisedPnl)
	*c = number.Cell()
	c.Style = r.Styles.Dim
}
