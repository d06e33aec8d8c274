package alertpage

import (
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/story"
	"blotter/ui/table"
)

// maxNamedLosses is how many rows with a part of a loss are named.
const maxNamedLosses = 8

// wordsFrom is the width of a page from which the words of an incident are longer.
const wordsFrom = 60

// incidentLines draws the incidents that are on the screen, with their title.
func (p *Page) incidentLines(c *pane.Context, l lines, rows []table.Row, s pane.Size) []string {
	all := len(store.Stories(p.store))
	if all == 0 {
		return nil
	}
	title := "incidents"
	if more := all - len(l.incidents); more > 0 {
		title = c.Keys.Fill("newest of " + format.Grouped(all) + " incidents, {all_incidents} all")
	}
	drawn := []string{draw.Rule(s.Width, c.Styles.Dim, c.Styles.Dim, title, "since before the trouble", "PnL")}
	if len(rows) == 0 {
		return drawn
	}
	of := table.Table{Chosen: -1, Styles: c.Styles.Table(), Columns: []table.Column{
		{Name: true, Min: 8, Max: 24, Keep: table.Always}, {Name: true, Min: 6, Max: 24, Keep: 2},
		{Min: 13, Max: s.Width, Keep: table.Always}, {Number: true, Min: 6, Keep: 3},
	}}
	return append(drawn, of.Draw(rows, s.Width)[1:]...) // they need no heading
}

// incidentCells returns the cells of an incident: its position, what has happened, and how its PnL has changed since
// before the trouble.
func (p *Page) incidentCells(c *pane.Context, of *event.Story, width int) []draw.Cell {
	f, writer := p.store.Format(), store.StoryWriter(p.store)
	words := draw.Cell{Text: writer.Words(of, width < wordsFrom), Style: c.Styles.Story(of.Outcome)}
	if words.Short = writer.Words(of, true); width < wordsFrom {
		words.Short = story.LastStatus(of)
	}
	cells := []draw.Cell{{Text: f.Market(of.Key.Market)}, {Text: f.Party(of.Key.Party)}, words, {}}
	if total, _ := writer.Change(of); total.IsNumber() && of.Before.Of == event.BeforeTrouble {
		cells[3] = f.Amount(total, f.Instruments().Market(of.Key.Market).Asset, true).Styled(c.Styles.Profit(total.Sign()))
	}
	return cells
}

// story draws the rule under the cursor, the incident there, or the newest incident, with all that is known of it. On a
// low page it draws only a rule.
func (p *Page) story(c *pane.Context, l lines, s pane.Size) []string {
	height := l.storyHeight(s)
	if whole := p.wholeRule(s); len(whole) > 0 {
		return drawStory(c, whole[0], whole[1:], pane.Size{Width: s.Width, Height: max(height, len(whole))})
	}
	if height == 0 {
		return nil
	}
	of := p.incident()
	if of == nil {
		of = l.incidents[len(l.incidents)-1]
	}
	f, writer := p.store.Format(), store.StoryWriter(p.store)
	words := writer.Words(of, false) + "; " + writer.Numbers(of)
	losses := store.Losses(p.store, of)
	var wrapped []string
	for names := maxNamedLosses; names >= 0; names-- {
		all := words
		if shared := writer.SharedLoss(losses, names); shared != "" {
			all += "; " + shared
		}
		if wrapped = draw.WrapWords(all+".", max(s.Width-2, 1)); len(wrapped) < height {
			break
		}
	}
	return drawStory(c, f.Position(of.Key), wrapped, pane.Size{Width: s.Width, Height: height})
}

// drawStory draws a title, and lines below it.
func drawStory(c *pane.Context, title string, wrapped []string, s pane.Size) []string {
	drawn := []string{draw.Rule(s.Width, c.Styles.Dim, c.Styles.Dim, title)}
	for _, line := range wrapped {
		drawn = append(drawn, draw.Text(s.Width, draw.Plain, " "+line))
	}
	return draw.Fit(drawn, s.Height)
}
