package columns

import (
	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/table"
)

// change formats the change of a number for a table; its sign is that of the change.
func (r *Row) change(field model.Field) (number format.Number, sign int) {
	if !r.HasBaseline {
		return format.Number{}, 0
	}
	change, ok := r.Baseline.Change(r.Position, field)
	if !ok {
		return format.Number{}, 0
	}
	return r.Format.NumberIn(change, field, r.Market, true), change.Sign()
}

// sizeChangeCell and the functions like it set a dim cell if nothing has changed.
func sizeChangeCell(c *table.Cell, r *Row) {
	number, sign := r.change(model.OpenVolume)
	*c = number.Cell()
	if sign == 0 {
		c.Style = r.Styles.Dim
	}
}

func unrealisedChangeCell(c *table.Cell, r *Row) {
	number, sign := r.change(model.UnrealisedPnl)
	if number.Text != "" && r.Baseline.IsNew {
		number.Text = "new " + number.Text
	}
	*c = number.Cell()
	c.Style = r.Styles.Profit(sign)
	if sign == 0 {
		c.Style = r.Styles.Dim
	}
}

func realisedChangeCell(c *table.Cell, r *Row) {
	number, _ := r.change(model.RealisedPnl)
	*c = number.Cell()
	c.Style = r.Styles.Dim
}
