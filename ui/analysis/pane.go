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

// ofAsset is a page about one asset at a time.
type ofAsset struct {
	*pane.Page
	asset *model.ID // that was chosen; both pages have the same
}

// Pages are both pages.
type Pages struct {
	Session *Session
	Tabs    *Pane
}

// Pane is the page with tabs, and what the trader chose in them.
type Pane struct {
	ofAsset
	Tab    Tab
	by     exposureBy
	matrix matrix
}

// New returns both pages, with the first total of the first asset.
func New() Pages {
	asset := new(model.ID)
	s, p := &Session{ofAsset: ofAsset{asset: asset}}, &Pane{ofAsset: ofAsset{asset: asset}}
	s.Page = pane.NewLongPage(func(c *pane.Context, size pane.Size) (string, []string) {
		shown := s.contentOf(c)
		lines := shown.lines(size.Width, func() []string { return shown.sessionLines(s.Series, size.Width, size.Height-1) })
		title := sessionTitle(shown)
		return title + draw.FirstThatFits(size.Width-draw.Width(title)-titleFrame, allWords(c)...), lines
	})
	p.Page = pane.NewLongPage(func(c *pane.Context, size pane.Size) (string, []string) {
		shown := p.contentOf(c)
		shown.chosen = p
		if shown.headings() == 0 { // no cell of a matrix is under the cursor
			p.matrix.parties, p.matrix.markets = nil, nil
		}
		lines := shown.lines(size.Width, func() []string { return shown.tabLines(size.Width) })
		p.Pin(shown.headings())
		title, notes := p.title(shown, size.Width, allWords(c))
		p.Note(notes...)
		return title, lines
	})
	return Pages{s, p}
}

// allWords say that a page is of all positions, if a filter hides some of them.
func allWords(c *pane.Context) []string {
	all := c.Store.View()
	if all.Filtered() == 0 {
		return nil
	}
	words := " · all " + format.Grouped(all.Rows())
	return []string{words + " positions", words}
}

// Open begins with the first line, and with the first cell of the matrix.
func (p *Pane) Open() {
	p.matrix = matrix{number: p.matrix.number, byOwn: p.matrix.byOwn}
	p.First()
}

// Actions are the keys of the page besides those of all pages of text, and AssetActions.
func Actions() []keys.Action[*Pane] {
	turn := func(step int) func(*Pane, *pane.Context) []pane.Effect {
		return func(p *Pane, c *pane.Context) []pane.Effect {
			p.turn(c, step)
			return nil
		}
	}
	tab := func(step Tab) func(*Pane, *pane.Context) []pane.Effect {
		return func(p *Pane, _ *pane.Context) []pane.Effect { return p.ShowTab((p.Tab + step + tabs) % tabs) }
	}
	return []keys.Action[*Pane]{
		{Name: "next_pane", Keys: []string{"tab"}, Help: "next tab", Hint: "next tab", Priority: 1, Do: tab(+1)},
		{Name: "previous_pane", Keys: []string{"shift+tab"}, Help: "tab before", Do: tab(-1)},
		{Name: "next_series", Keys: []string{"right"}, Help: "next cell or exposure", Hint: "next",
			Priority: 2, Do: turn(+1), WhyNot: (*Pane).whyNoTurn, HintIf: (*Pane).turns},
		{Name: "previous_series", Keys: []string{"left"}, Help: "the one before", Do: turn(-1), WhyNot: (*Pane).whyNoTurn},
		{Name: "next_number", Keys: []string{"u"}, Help: "matrix: next number", Hint: "number",
			Priority: 3, Do: (*Pane).nextNumber, WhyNot: (*Pane).whyNoMatrix, HintIf: (*Pane).isMatrix},
		{Name: "filter_cell", Keys: []string{"enter"}, Help: "matrix: filter by cell", Hint: "filter",
			Priority: 2, Do: (*Pane).filterCell, WhyNot: (*Pane).whyNoCell, HintIf: (*Pane).isMatrix},
		{Name: "group", Keys: []string{"b"}, Help: "matrix: own groups, or parties", Do: (*Pane).toggleOwn, WhyNot: (*Pane).whyNoOwn},
	}
}

// AssetActions are the keys of both pages that choose the asset.
func AssetActions() []keys.Action[assetPage] {
	return []keys.Action[assetPage]{{Name: "next_asset", Keys: []string{"a"}, Help: "next asset", Hint: "asset", Priority: 4,
		Do: assetPage.nextAsset, WhyNot: assetPage.whyNoAsset}}
}

// assetPage is one of both pages.
type assetPage interface {
	nextAsset(*pane.Context) []pane.Effect
	whyNoAsset(*pane.Context) string
}

// turn shows the exposure by something else, or the next cell of the matrix; the one before with -1.
func (p *Pane) turn(c *pane.Context, step int) {
	switch p.Tab {
	case Exposure:
		p.by = p.by.next(step, len(c.Store.Instruments().Groups()) > 0)
		p.First()
	case Matrix:
		row, column := p.matrix.place()
		p.matrix.moveTo(row, column+step)
	}
}

// List returns the lines, or the rows of the matrix.
func (p *Pane) List() pane.List {
	if p.Tab == Matrix {
		return cells{p}
	}
	return p.Page.List()
}

// Click moves the cursor of the matrix to the cell that was clicked.
func (p *Pane) Click(_ *pane.Context, _ pane.Size, at image.Point) []pane.Effect {
	const headings = 2
	row := p.Top() + at.Y - headings
	if p.Tab == Matrix && at.Y >= headings && row < len(p.matrix.parties) {
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

func (p *Pane) isMatrix(*pane.Context) bool { return p.Tab == Matrix }

// turns reports whether there is another cell, or another exposure.
func (p *Pane) turns(*pane.Context) bool { return p.Tab == Exposure || p.Tab == Matrix }

func (p *Pane) whyNoMatrix(*pane.Context) string {
	return keys.ReasonIf(p.Tab != Matrix || len(p.matrix.parties) == 0, "only in the matrix")
}

func (p *Pane) whyNoCell(c *pane.Context) string {
	isTotal := p.matrix.filter(c.Store.Instruments()) == ""
	return cmp.Or(p.whyNoMatrix(c), keys.ReasonIf(isTotal, "this cell is the total of all positions"))
}

func (p *ofAsset) place(assets []*history.Asset) int {
	return max(slices.IndexFunc(assets, func(each *history.Asset) bool { return each.ID == *p.asset }), 0)
}

// Asset returns the totals of the asset that is shown; nil before the first complete snapshot.
func (p *ofAsset) Asset(c *pane.Context) *history.Asset {
	if assets := c.Store.Moves().Assets(); len(assets) > 0 {
		return assets[p.place(assets)]
	}
	return nil
}

// nextAsset shows the next asset, after the last one the first.
func (p *ofAsset) nextAsset(c *pane.Context) []pane.Effect {
	assets := c.Store.Moves().Assets()
	*p.asset = assets[(p.place(assets)+1)%len(assets)].ID
	return nil
}

func (p *ofAsset) whyNoAsset(c *pane.Context) string {
	return keys.ReasonIf(len(c.Store.Moves().Assets()) < 2, "there is no other asset")
}

func (p *Pane) whyNoTurn(c *pane.Context) string {
	return keys.ReasonIf(!p.turns(c), "not on this tab")
}
