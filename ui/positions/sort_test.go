package positions

import (
	"testing"

	"blotter/model/view"
	"blotter/ui/pane"
)

// ordered returns the order that effects set, and false if they set none.
func ordered(effects []pane.Effect) (to view.Order, ok bool) {
	for _, e := range effects {
		if set, isSet := e.(pane.Set); isSet {
			var settings view.Settings
			set(&settings)
			to, ok = settings.Order, true
		}
	}
	return to, ok
}

// TestSortingAgainReverses, and sorting by trouble again goes back.
func TestSortingAgainReverses(t *testing.T) {
	var s sorting
	now, _ := ordered(s.by(view.SizeColumn, view.Order{Column: view.PartyColumn, Descending: true}))
	if now != (view.Order{Column: view.SizeColumn}) {
		t.Errorf("the order is %+v", now)
	}
	if now, _ = ordered(s.by(view.SizeColumn, now)); now != (view.Order{Column: view.SizeColumn, Descending: true}) {
		t.Errorf("again it is %+v", now)
	}
	worst, _ := ordered(s.byTrouble(now))
	if worst.Column != view.TroubleColumn {
		t.Errorf("by trouble it is %+v", worst)
	}
	if back, _ := ordered(s.byTrouble(worst)); back != now {
		t.Errorf("it goes back to %+v, not %+v", back, now)
	}
	if _, ok := ordered((&sorting{}).byTrouble(worst)); ok {
		t.Error("there is an order before the first one")
	}
}
