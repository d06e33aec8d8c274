package view

import (
	"blotter/model"
	"blotter/model/book"
	"blotter/model/view/sorting"
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

// countBaseline counts what a row had at the baseline in the total of its group, as count does with what it has now.
func (g *rowGroups) countBaseline(e sorting.Entry, visibility visibility, sign int) {
	if g == nil || visibility == filteredOut {
		return
	}
	if row, ok := g.encoder.Taken(e); ok {
		for of := range g.groupsOf(e) {
			of.total(g.encoder.AssetOf(e)).baseline.addRow(&row, sign)
		}
	}
}
