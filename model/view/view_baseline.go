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

// baselineTotal is the profit that the rows of a total had at the baseline that was taken. Rows that it does not cover
// are not counted.
type baselineTotal struct {
	unrealised model.Sum
	realised   model.Sum
	rows       int
}

func (t *baselineTotal) addRow(row *book.BaselineRow, sign int) {
	t.rows += sign
	t.unrealised.AddSigned(row.Number(model.UnrealisedPnl), sign)
	t.realised.AddSigned(row.Number(model.RealisedPnl), sign)
}

// Changes returns by how much the unrealised and the realised profit have changed since the baseline that was taken. It
// returns false if there is none, if it does not cover each of the rows, or if a number of them cannot be added. The
// asset has these decimals.
func (t *Total) Changes(decimals int) (unrealised, realised model.Amount, ok bool) {
	before := &t.baseline
	nowUnrealised, nowRealised := t.Sum(model.UnrealisedPnl), t.Sum(model.RealisedPnl)
	left := 0
	for _, sum := range []*model.Sum{nowUnrealised, nowRealised, &before.unrealised, &before.realised} {
		left += sum.LeftOut(decimals)
	}
	if before.rows != t.Rows || left > 0 {
		return model.Amount{}, model.Amount{}, false
	}
	unrealised, isKnown := model.Difference(nowUnrealised.Amount(decimals), before.unrealised.Amount(decimals), decimals)
	realised, ok = model.Difference(nowRealised.Amount(decimals), before.realised.Amount(decimals), decimals)
	return unrealised, realised, ok && isKnown
}

// taken returns the row of an entry in the baseline that was taken, and false if there is none.
func (c *encoder) taken(e entry) (book.BaselineRow, bool) {
	if !c.book.Baselines().HasTaken() {
		return book.BaselineRow{}, false
	}
	return c.book.Baselines().Current().Row(c.key(e))
}

// countBaseline counts what a row had at the baseline in the total of its group, as count does with what it has now.
func (g *rowGroups) countBaseline(e entry, visibility visibility, sign int) {
	if g == nil || visibility == filteredOut {
		return
	}
	if row, ok := g.encoder.taken(e); ok {
		for of := range g.groupsOf(e) {
			of.total(g.encoder.assetOf(e)).baseline.addRow(&row, sign)
		}
	}
}
