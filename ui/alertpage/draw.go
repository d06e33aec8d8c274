package alertpage

import (
	"cmp"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// logHead is how many lines are above the log: its title and its heading.
const logHead = 2

// room returns how many rules and lines of the log a page of a height has room for.
func room(height int) int { return max(height-1-logHead, 0) }

// Draw draws the rules and the log.
func (p *Page) Draw(c *pane.Context, s pane.Size) []string {
	l := p.lines()
	drawn := []string{draw.Rule(s.Width, c.Styles.Brand, c.Styles.Dim, "alerts", "esc back")}
	if l.Len() == 0 {
		none := c.Keys.Fill("No alerts are set: {new_alert} makes one")
		words := cmp.Or(draw.FirstThatFits(s.Width, none+", of the filter that is on."), none+".")
		return draw.Fit(append(drawn, "", draw.Centred(s.Width, draw.Plain, words)), s.Height)
	}
	rules, logged := p.rows(c, l, room(s.Height))
	if len(rules) > 0 {
		rulesOf := table.Table{Chosen: -1, Styles: c.Styles.Table(), Columns: []table.Column{
			{Min: 4, Max: 24, Keep: table.Always}, {Min: 6, Max: s.Width, Keep: 3}, {Max: s.Width, Keep: 1, HideEmpty: true}, {Min: 8, Max: 40, Keep: 2},
		}}
		drawn = append(drawn, rulesOf.Draw(rules, s.Width)[1:]...) // they need no heading
	}
	alerts := p.store.Alerts()
	note := ""
	if dropped := alerts.Dropped(); dropped > 0 {
		note = format.Grouped(dropped) + " older dropped"
	}
	since := "since " + p.store.Format().ShortClockOn(alerts.Since(), p.store.Now())
	drawn = append(drawn, draw.Rule(s.Width, c.Styles.Dim, c.Styles.Dim, since, note))
	if len(l.log) == 0 {
		return draw.Fit(append(drawn, draw.Text(s.Width, c.Styles.Dim, " No alert has begun.")), s.Height)
	}
	log := table.Table{Chosen: -1, Styles: c.Styles.Table(), Columns: []table.Column{
		{Title: "TIME", Min: 8, Max: 14, Keep: 7}, {Min: 5, Max: 5, Keep: table.Always}, {Title: "RULE", Min: 5, Max: 20, Keep: 6},
		{Title: "MARKET", Name: true, Min: 8, Max: 24, Keep: table.Always}, {Title: "PARTY", Name: true, Min: 6, Max: 24, Keep: 8},
		{Title: "SIZE", Number: true, Min: 6, Keep: 2}, {Title: "uPNL", Number: true, Min: 6, Keep: 5}, {Title: columns.Title(view.MarginRatioColumn), Number: true, Min: 6, Keep: 4},
	}}
	return draw.Fit(append(drawn, log.Draw(logged, s.Width)...), s.Height)
}

// rows returns the rules and the lines of the log that are on the screen.
func (p *Page) rows(c *pane.Context, l lines, most int) (rules, logged []table.Row) {
	last := min(p.Top()+most, l.Len())
	for place := max(p.Top(), l.rules); place < last; place++ {
		p.store.Format().Label(l.at(place).Position.Key)
	}
	for place := p.Top(); place < last; place++ {
		row := table.Row{Mark: " "}
		if place == p.Place() {
			row.Mark, row.Cursor = "▌", true
		}
		if place < l.rules {
			row.Cells = p.ruleCells(c, place)
			rules = append(rules, row)
		} else {
			row.Cells = p.logCells(c, l.at(place))
			logged = append(logged, row)
		}
	}
	return rules, logged
}

// ruleCells returns the cells of a rule: its name, filter and clear, and for how many positions it is active.
func (p *Page) ruleCells(c *pane.Context, rule int) []table.Cell {
	alerts := p.store.Alerts()
	set, state := &alerts.Rules()[rule], alerts.State(rule)
	clear := ""
	if set.ClearText != "" {
		clear = "clear " + format.OneLine(set.ClearText)
	}
	now, style := format.Grouped(state.Now), draw.Plain
	if state.Now > 0 {
		style = c.Styles.Alarm
	}
	if set.IsOff {
		return []table.Cell{{Text: format.OneLine(set.Name), Style: c.Styles.Dim}, {Text: format.OneLine(set.Condition()), Style: c.Styles.Dim},
			{Text: clear, Style: c.Styles.Dim}, {Text: "off", Style: c.Styles.Warning}}
	}
	if state.IsFull {
		now += " at most"
	}
	return []table.Cell{
		{Text: format.OneLine(set.Name), Style: style}, {Text: format.OneLine(set.Condition())}, {Text: clear, Style: c.Styles.Quiet},
		{Text: now + " now, " + format.Grouped(state.Begun) + " began"},
	}
}

// logCells returns the cells of a beginning or an end, with the position as it was then. Numbers of one that was gone
// are empty.
func (p *Page) logCells(c *pane.Context, e *store.LoggedAlert) []table.Cell {
	f, position := p.store.Format(), &e.Position
	word, style := "end", c.Styles.Quiet
	if e.Begins {
		word, style = "begin", c.Styles.Alarm
	}
	cells := []table.Cell{
		{Text: f.Local(e.At).Format("15:04:05"), Style: c.Styles.Quiet}, {Text: word, Style: style},
		{Text: format.OneLine(e.Name)}, {Text: f.Market(position.Market)}, {Text: f.Party(position.Party)}, {}, {}, {},
	}
	if e.Feed != "" {
		cells[3].Text, cells[4].Text = e.Feed, ""
		return cells
	}
	if position.Number(model.UpdatedAt).IsZero() && !position.IsOpen() {
		return cells
	}
	cells[5] = f.Number(position, model.OpenVolume)
	profit := f.Number(position, model.UnrealisedPnl)
	cells[6] = profit.Styled(c.Styles.Profit(position.Number(model.UnrealisedPnl).Sign()))
	if e.HasRatio && !e.Ratio.HasEnded() {
		cells[7] = table.Cell{Text: e.Ratio.String(), Style: c.Styles.Profit(e.Ratio.Sign())}
	}
	return cells
}
