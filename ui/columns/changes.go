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

// sizeChangeCell and the functions like it return a dim cell where nothing has changed.
func sizeChangeCell(r *Row) table.Cell {
	number, sign := r.change(model.OpenVolume)
	if sign == 0 {
		return number.Cell().Styled(r.Styles.Dim)
	}
	return number.Cell()
}

func unrealisedChangeCell(r *Row) table.Cell {
	number, sign := r.change(model.UnrealisedPnl)
	if number.Text != "" && r.Baseline.IsNew {
		number.Text = "new " + number.Text
	}
	if sign == 0 {
		return number.Cell().Styled(r.Styles.Dim)
	}
	return number.Cell().Styled(r.Styles.Profit(sign))
}

func realisedChangeCell(r *Row) table.Cell {
	number, _ := r.change(model.RealisedPnl)
	return number.Cell().Styled(r.Styles.Dim)
}
