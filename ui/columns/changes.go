package columns

import (
	"blotter/model"
	"blotter/model/view"
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
	*c = number.Cell().Styled(r.Styles.Profit(sign))
}

func realisedChangeCell(c *table.Cell, r *Row) {
	number, _ := r.change(model.RealisedPnl)
	*c = number.Cell().Styled(r.Styles.Dim)
}

func unrealisedChangeHeading(h *Heading, total *view.GroupTotal) table.Cell {
	change, _, ok := total.Changes()
	return h.changeCell(change, ok, total.Asset)
}

func realisedChangeHeading(h *Heading, total *view.GroupTotal) table.Cell {
	_, change, ok := total.Changes()
	return h.changeCell(change, ok, total.Asset).Styled(h.Styles.Dim)
}

// changeCell formats the change of a subtotal, in an empty cell if it is not known or nothing has changed.
func (h *Heading) changeCell(change model.Amount, isKnown bool, asset model.ID) table.Cell {
	if !isKnown || change.IsZero() {
		return table.Cell{}
	}
	return h.amountCell(change, asset)
}
