package positions

import (
	"blotter/ui/columns"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// notices are what the table says once.
type notices struct {
	saidUnits bool // how rows with numbers of several units are sorted
	saidNames bool // how to give names; also if that is not needed
}

// next returns what is to be said now; empty if that is nothing.
func (n *notices) next(c *pane.Context, of *store.Store) string {
	if words := n.names(c, of); words != "" {
		return words // in place of the words about units
	}
	return n.units(of)
}

// names says how names are given, if no party and no market has one.
func (n *notices) names(c *pane.Context, of *store.Store) string {
	if n.saidNames || c.Notice != "" || of.View().Rows() == 0 {
		return ""
	}
	n.saidNames = true
	if in := of.Instruments(); len(in.Parties())+len(in.Markets()) > 0 {
		return ""
	}
	n.saidUnits = true
	return c.Keys.Fill("Nothing has a name: {name} names a row; blotter config init lists all in a file.")
}

// units says how rows with numbers of several units are sorted.
func (n *notices) units(of *store.Store) string {
	by := of.View().Order.Column
	if words := columns.PerUnit(by); words != "" && !n.saidUnits && of.View().HasSeveralUnits(by) {
		n.saidUnits = true
		return words
	}
	return ""
}
