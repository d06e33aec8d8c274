package positions

import (
	"fmt"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/wording"
)

// nextGrouping groups the rows by the next grouping.
func (p *Pane) nextGrouping(*pane.Context) []pane.Effect {
	return []pane.Effect{pane.Group{By: p.store.Settings().Group.Next()}}
}

// Heading returns the heading of a group.
func (p *Pane) Heading(c *pane.Context, g *view.Group) *columns.Heading {
	return &columns.Heading{Group: g, By: p.store.View().Groups.By, Format: p.store.Format(), Styles: c.Styles, Now: p.store.ServiceNow()}
}

// IsStaleGroup reports whether a row of a group may be out of date: if its rows come from several streams, whether any
// of them is stale.
func (p *Pane) IsStaleGroup(g *view.Group, stale store.Stale) bool {
	if stale.All() || !stale.Any() {
		return stale.All()
	}
	v := p.store.View()
	for row := range v.RowsOf(g.ID) {
		source, _ := v.Book().Source(row.Key)
		isOwn := v.Groups.By == view.GroupByParty && !source.Party.IsZero() || v.Groups.By == view.GroupByMarket && !source.Market.IsZero()
		return !isOwn || stale.Has(source)
	}
	return false
}

// groupAt returns the group whose heading is at a line, and false if there is none.
func (p *Pane) groupAt(line int) (*view.Group, bool) {
	key, ok := p.store.View().LineKey(line)
	if !ok || !key.IsHeading {
		return nil, false
	}
	return p.store.View().Group(key.Group)
}

// groupOfCursor returns the group that the line under the cursor belongs to.
func (p *Pane) groupOfCursor() (model.ID, bool) {
	key, ok := p.Rows.Cursor()
	switch {
	case !ok:
		return model.ID{}, false
	case key.IsHeading:
		return key.Group, true
	}
	return p.store.View().GroupOf(key.Position)
}

// toggleFold folds the group under the cursor, or unfolds it. The cursor moves from a row that is folded to the
// heading.
func (p *Pane) toggleFold(*pane.Context) []pane.Effect {
	if id, ok := p.groupOfCursor(); ok {
		p.Rows.Stay() // else the cursor would be on another line when it is unfolded
		p.refold(p.store.Folding().Toggled(id))
	}
	return nil
}

// toggleFoldAll folds all groups. If all are folded, it unfolds them.
func (p *Pane) toggleFoldAll(*pane.Context) []pane.Effect {
	folding := view.FoldAll()
	if v := p.store.View(); v.Lines() == v.GroupCount() {
		folding = view.Folding{}
	}
	p.refold(folding)
	return nil
}

// refold folds these groups. That costs as much as there are groups, so it is done at once.
func (p *Pane) refold(folding view.Folding) {
	p.store.Fold(folding)
	p.widths.Forget()
}

// followGroup moves the cursor from the heading of a group to its first row, if the rows are grouped by something
// else than before.
func (p *Pane) followGroup(before *view.View) {
	key, ok := p.Rows.Cursor()
	if v := p.store.View(); ok && key.IsHeading && !p.Rows.StaysFirst() && v.Groups.By != before.Groups.By {
		for row := range before.RowsOf(key.Group) {
			line, _ := v.Line(view.LineKey{Position: row.Key})
			p.Rows.MoveTo(line)
			return
		}
	}
}

func (p *Pane) whyNoGroups(c *pane.Context) string {
	switch {
	case p.store.View().Groups.By == view.Ungrouped:
		return c.Keys.Fill("no groups; {group} makes them")
	case p.store.View().Lines() == 0:
		return "no group is selected"
	}
	return ""
}

// selectedParty returns the party of the line under the cursor, and false if it has none.
func (p *Pane) selectedParty() (model.ID, bool) {
	if g, ok := p.SelectedGroup(); ok {
		return g.ID, p.store.View().Groups.By == view.GroupByParty
	}
	if selected := p.Selected(); selected != nil {
		return selected.Party, true
	}
	return model.ID{}, false
}

// selectedMarket returns the market of the line under the cursor, and false if it has none.
func (p *Pane) selectedMarket() (model.ID, bool) {
	if g, ok := p.SelectedGroup(); ok {
		return g.ID, p.store.View().Groups.By == view.GroupByMarket
	}
	if selected := p.Selected(); selected != nil {
		return selected.Market, true
	}
	return model.ID{}, false
}

func (p *Pane) whyNoParty(*pane.Context) string {
	party, ok := p.selectedParty()
	switch {
	case !ok:
		return p.whyNoRow()
	case party.IsZero():
		return "the service names no party here"
	}
	return ""
}

func (p *Pane) whyNoMarket(*pane.Context) string {
	market, ok := p.selectedMarket()
	switch {
	case !ok:
		return p.whyNoRow()
	case market.IsZero():
		return "the service names no market here"
	}
	return ""
}

// groupCounts returns how many positions are shown, in how many groups.
func (p *Pane) groupCounts() string {
	view := p.store.View()
	text := wording.Counted(view.Len(), "position")
	if view.Len() != view.Rows() {
		text = format.Grouped(view.Len()) + " of " + wording.Counted(view.Rows(), "position")
	}
	text += " in " + wording.Counted(view.GroupCount(), "group")
	if view.ClosedHidden() > 0 {
		text += fmt.Sprintf(", %s closed hidden", format.Grouped(view.ClosedHidden()))
	}
	if lines := view.Lines(); lines > p.Rows.Height() {
		text = fmt.Sprintf("lines %s–%s of %s: ", format.Grouped(p.Rows.Top()+1), format.Grouped(min(p.Rows.Top()+p.Rows.Height(), lines)), format.Grouped(lines)) + text
	}
	return text
}
