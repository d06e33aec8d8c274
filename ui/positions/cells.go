package positions

import (
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// cells makes the cells of positions and of the headings of groups, and knows which of them have just changed.
type cells struct {
	store     *store.Store
	marks     columns.Marks
	withMarks bool // changed cells are marked
	current   columns.Row
	isWide    bool        // a row has its story in all words
	drawn     []draw.Cell // of all rows of the frame
}

// longStoryFrom is the width of a screen from which a row has its story in all words.
const longStoryFrom = 120

func (m *cells) heading(c *pane.Context, g *view.Group) *columns.Heading {
	return &columns.Heading{Group: g, By: m.store.View().Groups.By, Format: m.store.Format(), Styles: c.Styles, Now: m.store.ServiceNow()}
}

// isStale reports whether a row of a group may be out of date: if its rows come from several streams, whether any of
// them is stale.
func (m *cells) isStale(g *view.Group, stale store.Stale) bool {
	if stale.All() || !stale.Any() {
		return stale.All()
	}
	v := m.store.View()
	for row := range v.RowsOf(g.ID) {
		source, _ := v.Book().Source(row.Key)
		isOwn := v.Groups.By == view.GroupByParty && !source.Party.IsZero() || v.Groups.By == view.GroupByMarket && !source.Market.IsZero()
		return !isOwn || stale.Has(source)
	}
	return false
}

// row returns a position with what its cells need, until it is called again: a frame needs one row after the other.
func (m *cells) row(c *pane.Context, position *model.Position, now time.Time, isStale bool) *columns.Row {
	row := &m.current
	*row = columns.Row{
		Position: position, Format: m.store.Format(), Styles: c.Styles, Now: now, Margin: m.margin(position, now),
		Marks: m.marks.Of(position.Key), ScreenNow: m.store.ScreenNow(), IsStale: isStale,
		Day: m.store.View().Book().Baselines().Day(),
	}
	row.Baseline, row.HasBaseline = m.store.View().BaselineOf(position.Key)
	if story, isKept := store.KeptStory(m.store, position); isKept {
		if row.Story, row.ShortStory = store.StoryWriter(m.store).Status(story, position); !m.isWide {
			row.Story, row.ShortStory = row.ShortStory, ""
		}
	}
	return row
}

// of formats a position, one cell for each column. The cells are used again in the next frame.
func (m *cells) of(c *pane.Context, position *model.Position, shown []view.Column, now time.Time, isStale bool) []draw.Cell {
	first := len(m.drawn)
	m.drawn = m.row(c, position, now, isStale).AppendCells(m.drawn, shown, m.store.View().Groups.By)
	return m.drawn[first:]
}

// margin returns the margin ratio of a position at a time by the service's clock.
func (m *cells) margin(position *model.Position, now time.Time) columns.Margin {
	var shown columns.Margin
	levels, _, ok := m.store.View().Margins().Levels(position)
	if !ok {
		if position.IsOpen() && m.store.View().Margins().Covered() > 0 {
			shown.IsNone = m.store.Walk().HasRead(position, m.store.View().Margins(), m.store.Now(), m.store.ServiceNow())
			shown.IsUnread = !shown.IsNone
		}
		return shown
	}
	shown.Ratio, shown.HasRatio = store.ShownRatio(m.store, position)
	shown.Levels, shown.HasLevels = levels, position.IsOpen()
	shown.Recorded, shown.IsOld = format.AgeOf(levels.Timestamp, now), columns.IsOld(&levels, now)
	return shown
}

// follow marks the cells that have changed since the last frame, in the given number of lines from the one at top on.
func (m *cells) follow(top, lines int) {
	if m.withMarks && !m.store.Flow().HasMore() {
		m.marks.Follow(m.store.View(), top, lines, m.store.Format(), m.store.ScreenNow())
	}
}

// secondLine draws the second line of a row or a heading, on a screen on which each takes two.
func (m *cells) secondLine(c *pane.Context, line int, row *table.Row, width int) string {
	if position, ok := m.store.View().At(line); ok {
		return m.row(c, &position, m.store.ServiceNow(), row.Stale).SecondLine(row, width)
	}
	if g, ok := headingAt(m.store.View(), line); ok {
		return m.heading(c, g).SecondLine(row, width)
	}
	return ""
}
