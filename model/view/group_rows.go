package view

import (
	"cmp"
	"math/bits"
	"slices"

	"blotter/model"
	"blotter/model/view/ordered"
	"blotter/model/view/sorting"
)

// rowGroups are the groups of a view. It keeps the headings in order as the rows change, and the totals of each group.
//
// The index of the view has the rows of each group together, in their order. But own groups, which can have rows in
// common, have an index of their rows each. The groups have an index of their own, in
// which a group takes a line for its heading and one for each row shown. So a line is found in two steps: the group,
// and the row in it. A nil rowGroups has no groups.
type rowGroups struct {
	by         Grouping
	folding    Folding
	encoder    *sorting.Encoder
	ids        *model.Dictionary[model.ID] // of the groups, by their codes
	rowLines   func(sorting.Entry) int     // how many lines a row of an own group takes
	compareIDs func(a, b model.ID) int     // orders them by name
	ordering   groupOrdering
	compare    func(a, b sorting.Entry) int // the order of rows
	all        []*rowGroup                  // by code, nil if there is no such group
	index      ordered.Index[heading]
	scales     notionalScales
}

// newRowGroups returns groups without rows. A row of an own group takes the lines that rowLines returns.
func newRowGroups(groups Groups, order Order, c *sorting.Encoder, rowLines func(sorting.Entry) int) *rowGroups {
	in := c.Instruments
	g := &rowGroups{
		by: groups.By, folding: groups.Folding, encoder: c,
		ordering: order.groupOrdering(c), compare: order.sorter().Comparer(c),
	}
	switch g.by {
	case GroupByParty:
		g.ids, g.compareIDs = &c.Parties, in.CompareParties
	case GroupByMarket:
		g.ids, g.compareIDs = &c.Markets, in.CompareMarkets
	case GroupByAsset:
		g.ids, g.compareIDs = &c.Assets, in.CompareAssets
	case GroupByOwn:
		g.ids, g.compareIDs, g.rowLines = new(model.Dictionary[model.ID]), model.CompareGroups, rowLines
		for _, group := range in.Groups() {
			g.ids.Code(group.ID())
		}
		g.ids.Code(model.ID{}) // the rows in none
	}
	return g
}

// codeOf returns the code of the group of an entry, which is not an own group.
func (g Grouping) codeOf(e sorting.Entry, c *sorting.Encoder) uint32 {
	switch g {
	case GroupByParty:
		return e.Party()
	case GroupByMarket:
		return e.Market()
	}
	return c.AssetCode(e)
}

// withID returns the group of a party, market or asset; nil if there is none, or a nil rowGroups.
func (g *rowGroups) withID(id model.ID) *rowGroup {
	if g == nil {
		return nil
	}
	if code, ok := g.ids.Find(id); ok && int(code) < len(g.all) {
		return g.all[code]
	}
	return nil
}

func (g *rowGroups) compareHeadings(a, b heading) int {
	if order := cmp.Compare(a.rank, b.rank); order != 0 {
		return order
	}
	if a.group == b.group {
		return 0
	}
	if order := g.ordering.compare(&a.group.key, &b.group.key); order != 0 {
		return order
	}
	return g.compareIDs(a.group.ID, b.group.ID)
}

// groupsOf yields the groups of an entry: one, or if they are own groups all that it is in.
func (g *rowGroups) groupsOf(e sorting.Entry) func(yield func(*rowGroup) bool) {
	return func(yield func(*rowGroup) bool) {
		if g.by != GroupByOwn {
			yield(g.withCode(g.by.codeOf(e, g.encoder)))
			return
		}
		set := g.encoder.GroupsOf(e)
		if set == 0 {
			yield(g.withCode(uint32(len(g.ids.Values()) - 1)))
			return
		}
		for ; set != 0; set &= set - 1 {
			if !yield(g.withCode(uint32(bits.TrailingZeros64(uint64(set))))) {
				return
			}
		}
	}
}

// withCode returns the group with a code. It makes the group if there is none.
func (g *rowGroups) withCode(code uint32) *rowGroup {
	for int(code) >= len(g.all) {
		g.all = append(g.all, nil)
	}
	if g.all[code] == nil {
		g.all[code] = &rowGroup{Group: Group{ID: g.ids.Values()[code]}, code: code}
		if g.by == GroupByOwn {
			g.all[code].index(g)
		}
	}
	return g.all[code]
}

func (of *rowGroup) index(g *rowGroups) {
	index := ordered.New(of.entries, g.compare)
	index.Count(g.rowLines)
	of.own, of.entries = &index, nil
}

// count adds one row to the counts of a group if sign is +1, and subtracts it if it is -1. The maintenance margin
// is that of the record which the row has now.
func (g *rowGroups) count(e sorting.Entry, p *model.Position, visibility visibility, sign int) {
	if g == nil || visibility == filteredOut {
		return
	}
	for of := range g.groupsOf(e) {
		g.countIn(of, e, p, visibility, sign)
	}
}

func (g *rowGroups) countIn(of *rowGroup, e sorting.Entry, p *model.Position, visibility visibility, sign int) {
	of.countStatus(p.Status(), visibility, sign)
	total := of.total(g.encoder.AssetOf(e))
	if g.by == GroupByMarket && e.Open() == 1 {
		of.sizes.AddSigned(p.Number(model.OpenVolume), sign)
		of.openSizes += sign
	}
	total.count(e, p, g.encoder, g.scales.of(e.Market(), g.encoder), sign)
	if g.encoder.IsOther(e) {
		total.baseline.addOther(p.Number, sign)
	}
}

// replace counts another state of a row, if they only differ as changesOnlySums says.
func (g *rowGroups) replace(e sorting.Entry, before, after *model.Position, visibility visibility) {
	if g == nil || visibility == filteredOut {
		return
	}
	asset, isOther := g.encoder.AssetOf(e), g.encoder.IsOther(e)
	for of := range g.groupsOf(e) {
		total := of.total(asset)
		total.replace(e, before, after)
		if isOther {
			total.baseline.replaceOther(before, after)
		}
	}
}

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

// changeOwn calls change for the index of each own group that an entry is in.
func (g *rowGroups) changeOwn(e sorting.Entry, change func(rows *ordered.Index[sorting.Entry])) {
	if g == nil || g.by != GroupByOwn {
		return
	}
	for of := range g.groupsOf(e) {
		change(of.own)
	}
}

func (g *rowGroups) noteShown(e sorting.Entry) {
	if !g.ordering.byFirst {
		return
	}
	for of := range g.groupsOf(e) {
		if !of.hasFirst || g.compare(e, of.first) < 0 {
			of.first, of.hasFirst = e, true
		}
	}
}

// noteHidden records that a row is not shown any more, or was removed from the index of rows. Its entry must compare as
// it did when the row was shown.
func (g *rowGroups) noteHidden(e sorting.Entry, rows *ordered.Index[sorting.Entry]) {
	for of := range g.groupsOf(e) {
		if !of.hasFirst || g.compare(e, of.first) != 0 {
			continue
		}
		g.takeOut(of) // its place depends on that row
		of.first, of.hasFirst = sorting.Entry{}, false
		if of.Rows > 0 {
			in, n, i := g.start(of, rows)
			of.first, _, of.hasFirst = in.After(n, i, 0)
		}
	}
}

// start returns the index that has the rows of a group, and the place of the first of them, hidden or not. The rows are
// the index of the view.
func (g *rowGroups) start(of *rowGroup, rows *ordered.Index[sorting.Entry]) (in *ordered.Index[sorting.Entry], n, i int) {
	if of.own != nil {
		return of.own, 0, 0
	}
	n, i = rows.Search(func(e sorting.Entry) bool { return g.by.codeOf(e, g.encoder) >= of.code })
	return rows, n, i
}

func (g *rowGroups) takeOut(of *rowGroup) {
	if of.heading.lines > 0 {
		g.index.Remove(of.heading, of.heading.lines)
		of.heading.lines = 0
	}
}

// reposition puts a group in its place in the index of groups after it has changed.
func (g *rowGroups) reposition(of *rowGroup) {
	if g.ordering.byFirst && of.first == of.key.first && of.heading.lines == g.lines(of) {
		return
	}
	h, key := g.headingOf(of)
	if h == of.heading && key == of.key {
		return
	}
	g.takeOut(of)
	of.heading, of.key = h, key
	if h.lines > 0 {
		g.index.Insert(h, h.lines)
	}
}

// headingOf returns the heading of a group as it is now, and its key.
func (g *rowGroups) headingOf(of *rowGroup) (heading, groupKey) {
	h := heading{group: of, lines: g.lines(of)}
	if h.lines == 0 {
		return h, groupKey{}
	}
	var key groupKey
	h.rank, key = g.ordering.keyOf(of)
	return h, key
}

func (g *rowGroups) lines(of *rowGroup) int {
	switch {
	case of.Rows == 0:
		return 0
	case g.folding.IsFolded(of.ID):
		return 1
	}
	return 1 + of.Rows
}

// repositionAll puts all groups in their places.
func (g *rowGroups) repositionAll() {
	if g == nil {
		return
	}
	var headings []heading
	for _, of := range g.all {
		if of == nil {
			continue
		}
		if g.by == GroupByOwn {
			of.index(g)
		}
		if of.heading, of.key = g.headingOf(of); of.heading.lines > 0 {
			headings = append(headings, of.heading)
		}
	}
	slices.SortFunc(headings, g.compareHeadings)
	g.fill(headings)
}

// folded returns the groups with other groups folded, in the same order.
func (g *rowGroups) folded(folding Folding) *rowGroups {
	folded, headings := *g, []heading(nil)
	folded.folding = folding
	for h := range g.index.All {
		h.lines = folded.lines(h.group)
		h.group.heading = h
		headings = append(headings, h)
	}
	folded.fill(headings)
	return &folded
}

// fill makes the index from headings that are in order.
func (g *rowGroups) fill(headings []heading) {
	g.index = ordered.New(headings, g.compareHeadings)
	g.index.Count(linesOf)
}

func linesOf(h heading) int { return h.lines }
