package positions

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/export"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// marked are the rows that the trader has marked: what is copied or exported then.
type marked map[model.Key]bool

// maxMarked is how many rows can be marked.
const maxMarked = 1000

// maxExported is how many rows and bytes are exported at most: a terminal has to take all of it at once.
const (
	maxExported      = 10_000
	maxExportedBytes = 4 << 20
)

// markActions are the keys that mark rows, and export them.
func markActions() []keys.Action[*Pane] {
	return []keys.Action[*Pane]{
		{Name: "mark_row", Keys: []string{"a"}, Help: "mark or unmark this row", Do: toggleMarked,
			WhyNot: func(p *Pane, _ *pane.Context) string { return p.whyNoRow() }},
		{Name: "unmark_rows", Keys: []string{"u"}, Help: "unmark all rows", Do: unmark, WhyNot: whyNoneMarked},
		{Name: "make_group", Keys: []string{"O"}, Help: "group of the marked rows", Hint: "make a group", Priority: 5, OnlyLive: true,
			Do: makeGroup, WhyNot: whyNoneMarked, HintIf: hasMarked},
		{Name: "export_rows", Help: "copy rows as CSV", Do: exportRows, WhyNot: whyNoRows},
		{Name: "save_rows", Keys: []string{"D"}, Help: "rows as CSV: save or copy", Hint: "export", Priority: 8, Do: saveRows, WhyNot: whyNoRows},
	}
}

func toggleMarked(p *Pane, c *pane.Context) []pane.Effect {
	key := p.Selected().Key
	switch {
	case p.marked[key]:
		delete(p.marked, key)
	case len(p.marked) == maxMarked:
		return pane.Saying(format.Grouped(maxMarked) + " rows can be marked.")
	case p.marked == nil:
		p.marked = marked{key: true}
	default:
		p.marked[key] = true
	}
	if len(p.marked) == 0 {
		return pane.Saying("No row is marked.")
	}
	return pane.Saying(format.Counted(len(p.marked), "row") + c.Keys.Fill(" marked: {copy_row} copies, {save_rows} exports, {make_group} makes a group, {unmark_rows} unmarks all."))
}

func unmark(p *Pane, _ *pane.Context) []pane.Effect {
	p.marked = nil
	return pane.Saying("No row is marked.")
}

// makeGroup asks for the name of a group of the marked rows.
func makeGroup(p *Pane, _ *pane.Context) []pane.Effect {
	return []pane.Effect{pane.Open{Dialog: pane.GroupDialog{Positions: slices.SortedFunc(maps.Keys(p.marked), model.Key.Compare)}}}
}

func hasMarked(p *Pane, _ *pane.Context) bool { return len(p.marked) > 0 }

func whyNoneMarked(p *Pane, _ *pane.Context) string {
	return keys.ReasonIf(len(p.marked) == 0, "no row is marked")
}

// rows returns the marked rows of the table, in its order, and words about those that it does not show.
func (m marked) rows(p *Pane) (keys []model.Key, hidden string) {
	type row struct {
		key   model.Key
		place int
	}
	v, shown := p.store.View(), make([]row, 0, len(m))
	for key := range m {
		if place, isShown := v.Place(key); isShown {
			shown = append(shown, row{key, place})
		}
	}
	slices.SortFunc(shown, func(a, b row) int {
		return cmp.Or(a.place-b.place, a.key.Compare(b.key)) // those of a folded group have the same place
	})
	for i := range shown {
		keys = append(keys, shown[i].key)
	}
	if n := len(m) - len(keys); n > 0 {
		hidden = ", " + format.Grouped(n) + " not shown"
	}
	return keys, hidden
}

// csvRows are rows of the table, as they are when their key is pressed, and how they are written as CSV. Commands copy
// and write them: there can be 10,000.
type csvRows struct {
	what     string // how many rows of which kind, and what is missing
	view     *view.View
	isMarked bool        // only the marked rows are copied
	marked   []model.Key // in the order of the table
	options  export.Options
	// copies returns copies of the rows. The first call makes them: see Store.Copy.
	copies func() []model.Position
}

// rowsForCSV returns the marked rows, or without any the rows of the table, in its order.
func rowsForCSV(p *Pane) *csvRows {
	ratios, levels := make(map[model.Key]model.MarginRatio), make(map[model.Key]*model.MarginLevels)
	r := &csvRows{view: p.store.View(), options: export.Options{
		Instruments: p.store.Instruments(), Names: true, Scaled: true,
		MarginRatio: func(p *model.Position) (model.MarginRatio, bool) {
			ratio, ok := ratios[p.Key]
			return ratio, ok
		},
		Levels: func(p *model.Position) *model.MarginLevels { return levels[p.Key] },
	}}
	r.copies = sync.OnceValue(func() []model.Position {
		copies := r.copy()
		for i := range copies {
			if ratio, ok := r.view.Margins().Ratio(&copies[i]); ok {
				ratios[copies[i].Key] = ratio
			}
			if of := r.view.Margins().Open(&copies[i]); of != nil {
				levels[copies[i].Key] = of
			}
		}
		return copies
	})
	count, kind, missing := min(r.view.Len(), maxExported), "row", ""
	if r.isMarked = len(p.marked) > 0; r.isMarked {
		r.marked, missing = p.marked.rows(p)
		count, kind = len(r.marked), "marked row"
	} else if count < r.view.Len() {
		missing = ", the first of " + format.Grouped(r.view.Len())
	}
	r.what = format.Counted(count, kind) + " as CSV" + missing
	return r
}

func (r *csvRows) copy() (copies []model.Position) {
	for _, key := range r.marked {
		if position, ok := r.view.Book().Find(key); ok {
			copies = append(copies, position)
		}
	}
	for position := range r.view.Shown {
		if r.isMarked || len(copies) == maxExported {
			break
		}
		copies = append(copies, position)
	}
	return copies
}

// write returns the rows as CSV, and what they are.
func (r *csvRows) write() (what string, text []byte, err error) {
	var written bytes.Buffer
	options := r.options
	options.Columns = export.PositionKeys()
	result, err := export.WriteCopies(&written, export.CSV, r.copies(), options)
	what = r.what
	if result.Unscaled > 0 {
		what += ", " + format.Counted(result.Unscaled, "number") + " without known decimals left empty"
	}
	return what, written.Bytes(), err
}

func exportRows(p *Pane, _ *pane.Context) []pane.Effect {
	return []pane.Effect{pane.Change(p.copies(rowsForCSV(p)))}
}

// copies returns what copies rows as CSV.
func (p *Pane) copies(rows *csvRows) func(*store.Store) tea.Cmd {
	return func(of *store.Store) tea.Cmd {
		return of.Copy(func() { rows.copies() }, func() tea.Msg {
			what, text, err := rows.write()
			switch {
			case err != nil:
				return pane.Said("Not copied: " + format.Error(err))
			case len(text) > maxExportedBytes:
				return pane.Said("Not copied: too long for a clipboard; blotter positions -o csv prints all of it.")
			}
			return pane.Effects{pane.Copy{What: what, Text: string(text)}}
		})
	}
}

// saveRows asks where rows are exported to as CSV, as they are now: to a file, or to the clipboard.
func saveRows(p *Pane, c *pane.Context) []pane.Effect {
	rows := rowsForCSV(p)
	to := pane.FileDialog{
		Name: p.store.Format().Local(p.store.Now()).Format("positions-20060102-150405.csv"), What: rows.what,
		Write: rows.write, Copy: p.copies(rows), IsCopied: &p.copiesRows,
	}
	if c.Recording.IsWhatIf {
		to.Write = nil
	}
	return []pane.Effect{pane.Open{Dialog: to}, pane.Send(p.store.Copy(func() { rows.copies() }, nil))}
}

func whyNoRows(p *Pane, _ *pane.Context) string {
	return keys.ReasonIf(p.store.View().Len() == 0, "no position matches")
}

// nameAll opens the dialog for the names of positions, one after the other.
func nameAll(p *Pane, positions []model.Key) []pane.Effect {
	var named []pane.Named
	for _, of := range positions {
		key := model.MarginKey{Key: of, Asset: p.store.Instruments().Market(of.Market).Asset}
		named = append(named, pane.Named{MarginKey: key, Title: p.store.Format().Title(of)})
	}
	return []pane.Effect{pane.Open{Dialog: pane.NamesDialog{Named: named[0], Then: named[1:]}}}
}

// Name opens the dialog for the names of the position under the cursor, or of the marked rows one after the other. On
// the heading of a group it is only for the party, the market or the asset of the group.
func (p *Pane) Name(c *pane.Context) []pane.Effect {
	p.Rows.Stay() // or another row would come in its place
	if len(p.marked) > 0 && !p.opened.is {
		shown, _ := p.marked.rows(p)
		if len(shown) == 0 {
			return pane.Saying("The table shows no marked row.")
		}
		return nameAll(p, shown)
	}
	if g, ok := p.selectedGroup(); ok {
		named := pane.Named{Title: p.cells.heading(c, g).Name(), IsGroup: true}
		switch p.store.View().Groups.By {
		case view.GroupByParty:
			named.Party = g.ID
		case view.GroupByMarket:
			named.Market = g.ID
		case view.GroupByAsset:
			named.Asset = g.ID
		}
		return []pane.Effect{pane.Open{Dialog: pane.NamesDialog{Named: named}}}
	}
	return nameAll(p, []model.Key{p.Selected().Key})
}
