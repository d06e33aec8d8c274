package analysis

import (
	"cmp"
	"image"
	"slices"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// Pane is the page with what the trader chose on it.
type Pane struct {
	*pane.Page
	asset   model.ID // whose totals, moves and exposures are shown
	Section Section
	Series  history.Series // which of its totals
	by      exposureBy
	matrix  matrix
}

// New returns the page with the first total of the first asset.
func New() *Pane {
	p := new(Pane)
	p.Page = pane.NewLongPage(func(c *pane.Context, s pane.Size) (string, []string) {
		shown := p.contentOf(c)
		lines := shown.lines(s.Width, s.Height-1)
		p.Pin(shown.headings())
		title := shown.title(s.Width)
		if all := c.Store.View(); all.Filtered() > 0 {
			words := " · all " + format.Grouped(all.Rows())
			title += draw.FirstThatFits(s.Width-draw.Width(title)-titleFrame, words+" positions", words)
		}
		return title, lines
	})
	return p
}

// Open shows the session from its first line on.
func (p *Pane) Open() {
	p.Section = SessionSection
	p.matrix = matrix{number: p.matrix.number, byOwn: p.matrix.byOwn}
	p.First()
}

// ShowSection shows the section with a name. The page must be open.
func (p *Pane) ShowSection(section string) {
	p.Section = Section(max(slices.Index(sectionNames[:], section), 0))
}

// Actions are the keys of the page besides those of all pages of text.
func Actions() []keys.Action[*Pane] {
	turn := func(step int) func(*Pane, *pane.Context) []pane.Effect {
		return func(p *Pane, c *pane.Context) []pane.Effect {
			p.turn(c, step)
			return nil
		}
	}
	return []keys.Action[*Pane]{
		{Name: "next_series", Keys: []string{"right"}, Help: "next total or cell", Hint: "next",
			Priority: 2, Do: turn(+1), WhyNot: (*Pane).whyNoTurn, HintIf: (*Pane).turns},
		{Name: "previous_series", Keys: []string{"left"}, Help: "previous one", Do: turn(-1), WhyNot: (*Pane).whyNoTurn},
		{Name: "next_number", Keys: []string{"u"}, Help: "matrix: next number", Hint: "number",
			Priority: 3, Do: (*Pane).nextNumber, WhyNot: (*Pane).whyNoMatrix, HintIf: (*Pane).isMatrix},
		{Name: "filter_cell", Keys: []string{"enter"}, Help: "matrix: filter by cell", Hint: "filter",
			Priority: 2, Do: (*Pane).filterCell, WhyNot: (*Pane).whyNoCell, HintIf: (*Pane).isMatrix},
		{Name: "group", Keys: []string{"b"}, Help: "matrix: own groups, or parties", Do: (*Pane).toggleOwn, WhyNot: (*Pane).whyNoOwn},
		{Name: "next_asset", Keys: []string{"a"}, Help: "next asset", Hint: "asset", Priority: 4,
			Do: (*Pane).nextAsset, WhyNot: (*Pane).whyNoAsset},
		{Name: "next_pane", Keys: []string{"tab"}, Help: "exposure, what if, days", Hint: "exposure, days",
			Priority: 1, Do: (*Pane).nextSection, WhyNot: (*Pane).whyNoTotal},
	}
}

// turn shows the next total, the exposure of the others, or the next cell of the matrix; the previous one with -1.
func (p *Pane) turn(c *pane.Context, step int) {
	switch p.Section {
	case SessionSection:
		p.Series = p.Series.Step(step)
		p.First()
	case ExposureSection:
		p.by = p.by.next(step, len(c.Store.Instruments().Groups()) > 0)
		p.First()
	case MatrixSection:
		row, column := p.matrix.place()
		p.matrix.moveTo(row, column+step)
	}
}

// List returns the lines, or the rows of the matrix.
func (p *Pane) List() pane.List {
	if p.Section == MatrixSection {
		return cells{p}
	}
	return p.Page.List()
}

// Click moves the cursor of the matrix to the cell that was clicked.
func (p *Pane) Click(_ *pane.Context, _ pane.Size, at image.Point) []pane.Effect {
	const headings = 2
	row := p.Top() + at.Y - headings
	if p.Section == MatrixSection && at.Y >= headings && row < len(p.matrix.parties) {
		if column, ok := p.matrix.columnAt(at.X); ok {
			p.matrix.moveTo(row, column)
		}
	}
	return nil
}

func (p *Pane) nextNumber(*pane.Context) []pane.Effect {
	p.matrix.number = (p.matrix.number + 1) % matrixNumbers
	return nil
}

// toggleOwn makes the rows of the matrix own groups, or parties again.
func (p *Pane) toggleOwn(*pane.Context) []pane.Effect {
	p.matrix = matrix{number: p.matrix.number, byOwn: !p.matrix.byOwn}
	return nil
}

func (p *Pane) whyNoOwn(c *pane.Context) string {
	return cmp.Or(p.whyNoMatrix(c), keys.ReasonIf(len(c.Store.Instruments().Groups()) == 0, "there are no own groups"))
}

// filterCell shows the positions of the cell under the cursor.
func (p *Pane) filterCell(c *pane.Context) []pane.Effect {
	return []pane.Effect{pane.ClosePage{}, pane.Filter(p.matrix.filter(c.Store.Instruments()))}
}

func (p *Pane) isMatrix(*pane.Context) bool { return p.Section == MatrixSection }

// turns reports whether there is another total, or another cell.
func (p *Pane) turns(*pane.Context) bool { return p.Section != GridSection && p.Section != DaysSection }

func (p *Pane) whyNoMatrix(*pane.Context) string {
	return keys.ReasonIf(p.Section != MatrixSection || len(p.matrix.parties) == 0, "only in the matrix")
}

func (p *Pane) whyNoCell(c *pane.Context) string {
	isTotal := p.matrix.filter(c.Store.Instruments()) == ""
	return cmp.Or(p.whyNoMatrix(c), keys.ReasonIf(isTotal, "this cell is the total of all positions"))
}

// nextSection shows the exposure, the matrix, the grid, the days, then the session again.
func (p *Pane) nextSection(*pane.Context) []pane.Effect {
	p.Section = (p.Section + 1) % sections
	p.First()
	return nil
}

// place returns the place of the asset that is shown.
func (p *Pane) place(assets []*history.Asset) int {
	return max(slices.IndexFunc(assets, func(each *history.Asset) bool { return each.ID == p.asset }), 0)
}

// Asset returns the totals of the asset that is shown; nil before the first complete snapshot.
func (p *Pane) Asset(c *pane.Context) *history.Asset {
	if assets := c.Store.Moves().Assets(); len(assets) > 0 {
		return assets[p.place(assets)]
	}
	return nil
}

// nextAsset shows the next asset, after the last one the first.
func (p *Pane) nextAsset(c *pane.Context) []pane.Effect {
	assets := c.Store.Moves().Assets()
	p.asset = assets[(p.place(assets)+1)%len(assets)].ID
	return nil
}

func (p *Pane) whyNoTotal(c *pane.Context) string {
	return keys.ReasonIf(len(c.Store.Moves().Assets()) == 0, "there are no totals yet")
}

func (p *Pane) whyNoTurn(c *pane.Context) string {
	return cmp.Or(p.whyNoTotal(c), keys.ReasonIf(!p.turns(c), "there is one total"))
}

func (p *Pane) whyNoAsset(c *pane.Context) string {
	return keys.ReasonIf(len(c.Store.Moves().Assets()) < 2, "there is no other asset")
}
