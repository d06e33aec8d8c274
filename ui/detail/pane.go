package detail

import (
	"context"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Pane is the detail of the selected line: lines for a page or for the pane at the right of the tables, or a few lines
// below the positions. It requests the margin levels of a selected position.
type Pane struct {
	Side     *Page // the same at the right of the tables
	levels   levelRequests
	trades   tradeList
	store    *store.Store
	selected func(*pane.Context) pane.Line
}

// NewPane returns the detail of the line of the view of a store that is selected. Requests end when ctx is done.
func NewPane(ctx context.Context, of *store.Store, selected func(*pane.Context) pane.Line) *Pane {
	return &Pane{levels: newLevelRequests(ctx), store: of, selected: selected}
}

// Sync requests the margin levels of the selected position, if the detail is on the screen. Without a party or a
// market, the response would be the records of all.
func (p *Pane) Sync(c *pane.Context, isVisible bool) []pane.Effect {
	selected := p.selected(c).Position
	if selected != nil && isVisible {
		p.trades.update(p.store, selected.Key)
	}
	if selected == nil || !isVisible || !selected.Key.IsComplete() {
		p.levels.choose(model.Key{})
		return nil
	}
	if number, isNew := p.levels.choose(selected.Key); isNew {
		return []pane.Effect{pane.After{Delay: RequestDelay, Do: func() { p.levels.endDelay(number) }}}
	}
	if store.FrozenOf(p.store) != nil {
		return nil
	}
	request := p.levels.due(p.checkedAt(selected), p.store.Now())
	return pane.Asking(request, func(r store.Response) *model.Page { return p.levels.handle(r, p.store.Now()) })
}

// checkedAt returns when the service last sent the margin levels of a position; zero if it has not.
func (p *Pane) checkedAt(of *model.Position) time.Time {
	_, at, _ := p.store.View().Margins().Levels(of)
	if readAt, _ := p.levels.of(of.Key); readAt.After(at) && !readAt.After(p.store.Now()) { // not before a jump back
		at = readAt
	}
	if walk := p.store.Walk(); walk.IsComplete() && walk.CheckedAt().After(at) {
		at = walk.CheckedAt()
	}
	return at
}

// Of returns what is known of a position.
func (p *Pane) Of(c *pane.Context, of *model.Position) *Position {
	v := p.store.View()
	d := &Position{
		Position: of, CheckedAt: p.checkedAt(of), IsWhatIf: c.Recording.IsWhatIf,
		Now: p.store.Now(), ServiceNow: p.store.ServiceNow(), Format: p.store.Format(), Styles: c.Styles, Store: p.store,
	}
	if levels, _, ok := v.Margins().Levels(of); ok {
		d.Levels = &levels
	}
	_, d.Problem = p.levels.of(of.Key)
	d.Ratio, d.HasRatio = store.ShownRatio(p.store, of)
	d.Last, d.HasLast = v.Margins().LastRatio(of)
	d.Baseline, d.HasBaseline = v.BaselineOf(of.Key)
	if p.trades.key == of.Key {
		d.Trades = &p.trades
	}
	return d
}

// Summary draws what belongs to the line on few lines, in a box or below a rule.
func (p *Pane) Summary(c *pane.Context, s pane.Size, isBox bool) []string {
	on, none := p.selected(c), "no row selected"
	switch {
	case on.Heading != nil:
		return groupOf(on).summary(c.Keys.Fill("; {detail} lists all"), s, isBox)
	case on.Position != nil && isBox:
		return p.Of(c, on.Position).Box(s.Width, s.Height)
	case on.Position != nil:
		return p.Of(c, on.Position).Summary(s.Width, s.Height)
	case isBox:
		return draw.Box(s.Width, s.Height, c.Styles.Dim, c.Styles.Dim, none, nil, "", nil)
	}
	return draw.Fit([]string{draw.Rule(s.Width, c.Styles.Dim, c.Styles.Dim, none)}, s.Height)
}

// Height returns how many lines the summary has in a width, with its title. It is 0 if that of a position is as high as
// usual: its levels are on one line.
func (p *Pane) Height(c *pane.Context, width int) int {
	switch on := p.selected(c); {
	case on.Heading != nil:
		return 1 + len(on.Heading.Totals)
	case on.Position != nil:
		levels, _, ok := p.store.View().Margins().Levels(on.Position)
		if !ok {
			return 0
		}
		if lines := len(shortLevels(&levels, width, p.store.Format(), c.Styles)); lines > 1 {
			const title, others = 1, 2
			return title + lines + others
		}
	}
	return 0
}

// Below draws lines below the facts of a position.
type Below func(c *pane.Context, of *model.Position, width int) []string

// Elsewhere returns the texts of a position that are shown elsewhere.
type Elsewhere func(c *pane.Context, of *model.Position) map[string]bool

// text returns the title and the text of a page about the line: its facts, except the texts that are shown elsewhere,
// and the lines below those of a position. The function elsewhere may be nil.
func (p *Pane) text(c *pane.Context, s pane.Size, elsewhere Elsewhere, below []Below) (title string, made text) {
	on := p.selected(c)
	switch {
	case on.Heading != nil:
		group := groupOf(on)
		v := p.store.View()
		if latest, of := p.store.Surveys().Latest(); latest != nil && !c.Recording.IsWhatIf && v.ShowsChanges() && of.HasGroupsOf(v) {
			group.Survey = latest
		}
		return group.Name(), group.text(s.Width)
	case on.Position == nil:
		return "detail", text{lines: []string{"", draw.Centred(s.Width, draw.Plain, "No position is selected.")}}
	}
	var shown map[string]bool
	if elsewhere != nil {
		shown = elsewhere(c, on.Position)
	}
	position := p.Of(c, on.Position)
	made = position.text(s.Width, shown, on.Ended, on.IsStale, elsewhere != nil && s.Height >= chartFrom)
	for _, each := range below {
		made.addLines("")
		made.addLines(each(c, on.Position, s.Width)...)
	}
	made.append(position.sentText(s.Width, on.IsStale))
	return position.Format.Title(on.Position.Key), made
}

func groupOf(on pane.Line) *group { return &group{Heading: *on.Heading, IsStale: on.IsStale} }
