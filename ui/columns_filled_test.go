package ui

import (
	"testing"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
)

// TestEachColumnHasATextInSomeRow, also if no other column is shown: what a cell needs is in its row.
func TestEachColumnHasATextInSomeRow(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("B")
		s.updates(position(desk1, ethMarket, "-12000", "341010", "-200000", "100310", model.StatusDistressed, 0))
		isolated := deskRecords()[1:2]
		isolated[0].MarginTexts = model.MarginTexts{model.MarginMode: "MARGIN_MODE_ISOLATED_MARGIN", model.MarginFactor: "0.25"}
		s.m.store.View().MergeMargins(&model.Page{Rows: isolated})
		for _, column := range view.Columns() {
			filled := false
			for position := range s.m.store.View().Shown {
				cells := s.m.positions.Cells(s.m.context(), &position, []view.Column{column}, s.m.store.ServiceNow())
				filled = filled || cells[0].Text != ""
			}
			if !filled {
				t.Errorf("no row has a text in the column %s", columns.Title(column))
			}
		}
	})
}
