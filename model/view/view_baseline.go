package view

import (
	"blotter/model"
	"blotter/model/book"
)

// ShowsChanges reports whether the view has changes: since the baseline that was taken, or, if the rows are sorted by
// one, since their first snapshot.
func (v *View) ShowsChanges() bool {
	return v.Order.Column.NeedsBaseline() || v.Book().Baselines().HasTaken()
}

// HasGroupsOf reports whether the groups of another view have the same rows, with the same baseline, if both are views
// of the same positions.
func (v *View) HasGroupsOf(other *View) bool {
	return v.Groups.By == other.Groups.By && v.Filter.Text == other.Filter.Text && v.Baseline() == other.Baseline()
}

// BaselineOf returns the values of a position when its baseline was taken, and false if the view has no changes.
func (v *View) BaselineOf(key model.Key) (book.BaselineRow, bool) {
	if !v.ShowsChanges() {
		return book.BaselineRow{}, false
	}
	return v.Book().Baselines().Current().Row(key)
}
