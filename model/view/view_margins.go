package view

import (
	"blotter/model"
	"blotter/model/book"
	"blotter/model/view/sorting"
)

// A margin record changes the place of a row in an order of margin ratios, and whether the row matches a filter of
// them.

// MergeMargins stores the records of a page that are not older than those of the book, moves the rows whose ratios
// change, also in the other views of the book, and returns how many records were new to the book.
func (v *View) MergeMargins(page *model.Page, others ...*View) (changed int) {
	views := append([]*View{v}, others...)
	begun := make([]ratioChange, 0, 2) // on the stack
	for record := range v.book.Margins().NewOf(page) {
		changed++
		t, number := v.book.Row(record.Key)
		begun = begun[:0]
		for _, of := range views {
			if number != 0 && of.scope.Covers(record.Key) {
				begun = append(begun, of.beginRatio(t, number))
			}
		}
		v.book.PutMargins(t, number, record)
		for i := range begun {
			begun[i].end()
		}
	}
	return changed
}

// Margins returns the margin records of the rows in scope.
func (v *View) Margins() *Margins { return &v.margins }

// ratioChange is a change of the margin ratio of a row in scope.
type ratioChange struct {
	view     *View
	entry    sorting.Entry
	position model.Position
	isUsed   bool // the place of the row, its visibility or its group depends on it
}

// beginRatio takes a row out of the view whose margin ratio is about to change.
func (v *View) beginRatio(t *book.Table, number uint32) ratioChange {
	e := v.encoder.Entry(t, number)
	c := ratioChange{view: v, entry: e, position: v.encoder.Position(e)}
	c.isUsed = e.Open() == 1 && (v.groups != nil || v.Order.sorter().UsesMargins() || v.matcher.margins || v.alerts.hasSums())
	if c.isUsed {
		c.entry.Rank = v.ranks.Of(e, &c.position)
		v.remove(c.entry, &c.position)
	}
	v.margins.covered -= v.encoder.Covered(e)
	return c
}

func (c *ratioChange) end() {
	v := c.view
	v.changes++
	v.encoder.FindMarginRecord(c.entry)
	v.margins.covered += v.encoder.Covered(c.entry)
	if c.isUsed {
		c.entry.Rank = v.ranks.Of(c.entry, &c.position)
		v.insert(c.entry, &c.position)
		v.repositionGroup(c.entry)
	}
	if v.alerts != nil && v.alerts.margins {
		v.alerts.noteChanged(c.entry)
	}
}
