// Package analysis has two pages. The session is about the time since the program began: a chart of the total of an
// asset, the largest changes of PnL since the baseline, and the exposure by market and by party. The page of the
// analysis has tabs: the PnL at other mark prices, the exposure as a table and as a matrix, and the PnL of each day.
package analysis

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// content is what a page shows at a time: what the trader chose, and the data of a store.
type content struct {
	chosen *Pane // nil on the session page
	store  *store.Store
	format *format.Formatter
	styles *theme.Styles
	now    time.Time

	of     *history.Asset  // the totals of the asset that is shown; nil before the first complete snapshot
	survey *analysis.Asset // nil if there is none of the asset
	before *analysis.Asset // in a what if: the survey at the prices that positions have; else nil
	isPast bool            // rewind or a what if is shown
	read   time.Time       // when its positions were read
	heat   *heat           // of the cells that are being made; nil if they have none
	since  time.Time       // since when it has changes of PnL
}

func (p *ofAsset) contentOf(c *pane.Context) *content {
	shown := &content{store: c.Store, format: c.Store.Format(), styles: c.Styles,
		now: c.Store.Now(), of: p.Asset(c), isPast: c.WhyNotLive != ""}
	if latest, of := c.Store.Surveys().Latest(); latest != nil && shown.of != nil {
		shown.survey, shown.read = latest.Asset(shown.of.ID), latest.At
		shown.since, _ = of.Book().Baselines().Current().At()
		if before := c.Store.Surveys().Before(); before != nil {
			shown.before = before.Asset(shown.of.ID)
		}
	}
	return shown
}

// The widths of screen from which a page has two and three columns below the chart.
const (
	twoColumnsFrom   = 60
	threeColumnsFrom = 150
	leastListRows    = 3  // of each list
	minGapHeight     = 10 // from which there is a free line between two lists
	titleFrame       = 4  // how many cells the line around a title has
)

// lines are those of a page without its title. The function of makes them if there are totals, and they are dim while
// rows may be out of date.
func (p *content) lines(width int, of func() []string) []string {
	if p.of == nil {
		return []string{"", draw.Centred(width, draw.Plain, p.noTotals())}
	}
	lines := of()
	if p.store.Stale().Any() {
		return p.styles.Dimmed(lines, width)
	}
	return lines
}

func (p *content) noTotals() string {
	isKnown := func(total *view.Total) bool { return !total.Asset.IsZero() }
	if totals := p.store.View().Totals(); len(totals) > 0 && !slices.ContainsFunc(totals, isKnown) {
		return "No totals: the assets of the positions are not known."
	}
	return "No totals yet: they begin with the first complete snapshot."
}

func (p *content) amount(a model.Amount) string { return p.format.RoundedAmount(a, p.of.ID, true) }

func (p *content) noSurvey() string {
	latest, _ := p.store.Surveys().Latest()
	isOfAsset := func(total *view.Total) bool { return total.Asset == p.of.ID }
	switch {
	case latest == nil:
		return " Reading all positions."
	case slices.ContainsFunc(p.store.View().Totals(), isOfAsset):
		return " Moves and exposure are listed only for the assets with the most positions."
	}
	return " No position is in " + p.format.Asset(p.of.ID) + " now."
}

func (p *content) decimals() int { return p.format.Instruments().Asset(p.of.ID).Decimals }
