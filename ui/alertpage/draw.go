package alertpage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// How many lines are above the log, its title and its heading, and above the incidents.
const (
	logHead       = 2
	incidentsHead = 1
)

// storyHeight returns how many lines the story of an incident has below all, with its title; 0 on a low page, or if
// there are no incidents.
func (l lines) storyHeight(s pane.Size) int {
	switch {
	case s.Height < 14 || len(l.incidents) == 0:
		return 0
	case s.Width < 120:
		return 5
	}
	return 3
}

// room returns how many lines a page has room for, without titles, headings and what is drawn below all.
func (p *Page) room(l lines, s pane.Size) int {
	room := s.Height - 1 - logHead - max(l.storyHeight(s), len(p.wholeRule(s)))
	if len(l.incidents) > 0 {
		room -= incidentsHead
	}
	return max(room, 1)
}

// wholeRule returns the name of the rule under the cursor, and all that is known of it, wrapped; nil if there is none.
// Its line may be cut.
func (p *Page) wholeRule(s pane.Size) []string {
	rule, ok := p.rule()
	if !ok {
		return nil
	}
	texts := p.ruleTexts(rule)
	failure := ""
	if failed := p.store.Alerts().State(rule).Failed; failed.Err != nil {
		failure = format.Error(failed.Err)
	}
	known := slices.DeleteFunc(append(texts[:], failure), func(text string) bool { return text == "" })
	whole := draw.WrapWords(strings.Join(known, "; ")+".", max(s.Width-2, 1))
	whole = whole[:min(len(whole), max(s.Height-3, 0))]
	return append([]string{format.OneLine(p.store.Alerts().Rules()[rule].Name)}, whole...)
}

// Draw draws the rules, the incidents and the log.
func (p *Page) Draw(c *pane.Context, s pane.Size) []string {
	l := p.lines()
	drawn := []string{draw.Rule(s.Width, c.Styles.Brand, c.Styles.Dim, "alerts", "esc back")}
	if l.Len() == 0 {
		none := c.Keys.Fill("No alerts are set: {new_alert} makes one")
		words := cmp.Or(draw.FirstThatFits(s.Width, none+", of the filter that is on."), none+".")
		return draw.Fit(append(drawn, "", draw.Centred(s.Width, draw.Plain, words)), s.Height)
	}
	rules, incidents, logged := p.rows(c, l, s)
	if len(rules) > 0 {
		rulesOf := table.Table{Chosen: -1, Styles: c.Styles.Table(), Columns: []table.Column{
			{Min: 4, Max: 24, Keep: table.Always}, {Min: 6, Max: s.Width, Keep: 3},
			{Max: s.Width, Keep: 1, HideEmpty: true}, {Min: len("12 now, 34 began"), Max: 60, Keep: 2},
		}}
		drawn = append(drawn, rulesOf.Draw(rules, s.Width)[1:]...) // they need no heading
	}
	drawn = append(drawn, p.incidentLines(c, l, incidents, s)...)
	alerts := p.store.Alerts()
	note, below := "", p.story(c, l, s)
	if dropped := p.store.Events().DroppedLasting(); dropped > 0 {
		note = format.Grouped(dropped) + " older dropped"
	}
	since := "since " + p.store.Format().ShortClockOn(alerts.Since(), p.store.Now())
	drawn = append(drawn, draw.Rule(s.Width, c.Styles.Dim, c.Styles.Dim, since, note))
	if len(l.pending)+len(l.log) == 0 {
		drawn = append(drawn, draw.Text(s.Width, c.Styles.Dim, " No alert has begun."))
		return append(draw.Fit(drawn, s.Height-len(below)), below...)
	}
	log := table.Table{Chosen: -1, Styles: c.Styles.Table(), Columns: []table.Column{
		{Title: "TIME", Min: 8, Max: 14, Keep: 7}, {Min: 5, Max: 5, Keep: table.Always}, {Title: "RULE", Min: 5, Max: 20, Keep: 6},
		{Title: "MARKET", Name: true, Min: 8, Max: 24, Keep: table.Always}, {Title: "PARTY", Name: true, Min: 6, Max: 24, Keep: 8},
		{Title: "SIZE", Number: true, Min: 6, Keep: 2}, {Title: "uPnL", Number: true, Min: 6, Keep: 5},
		{Title: columns.Title(view.MarginRatioColumn), Number: true, Min: 6, Keep: 4},
	}}
	drawn = append(drawn, log.Draw(logged, s.Width)...)
	return append(draw.Fit(drawn, s.Height-len(below)), below...)
}

// rows returns the rules, the incidents and the lines of the log that are on the screen.
func (p *Page) rows(c *pane.Context, l lines, s pane.Size) (rules, incidents, logged []table.Row) {
	last := min(p.Top()+p.room(l, s), l.Len())
	for place := max(p.Top(), l.rules); place < last; place++ {
		p.store.Format().Label(l.positionKey(place))
	}
	for place := p.Top(); place < last; place++ {
		row := table.Row{Mark: " "}
		if place == p.Place() {
			row.Mark, row.Cursor = "▌", true
		}
		switch {
		case place < l.rules:
			row.Cells = p.ruleCells(c, place)
			rules = append(rules, row)
		case place < l.begun():
			row.Cells = p.incidentCells(c, l.incident(place), s.Width)
			incidents = append(incidents, row)
		case place < l.logged():
			row.Cells = p.pendingCells(c, &l.pending[place-l.begun()])
			logged = append(logged, row)
		default:
			row.Cells = p.logCells(c, l.at(place))
			logged = append(logged, row)
		}
	}
	return rules, incidents, logged
}

// ruleCells returns the cells of a rule: its name, filter and details, and for how many positions it is active.
func (p *Page) ruleCells(c *pane.Context, rule int) []draw.Cell {
	set, styles := &p.store.Alerts().Rules()[rule], [4]draw.Style{2: c.Styles.Quiet}
	switch {
	case set.IsOff:
		styles = [4]draw.Style{c.Styles.Dim, c.Styles.Dim, c.Styles.Dim, c.Styles.Warning}
	case p.whyNoSums(set) != "":
		styles[3] = c.Styles.Warning
	case p.store.Alerts().State(rule).Now > 0:
		styles[0] = c.Styles.Alarm
	}
	if p.store.Alerts().State(rule).Failed.Err != nil {
		styles[3] = c.Styles.Warning
	}
	cells := []draw.Cell{{Text: format.OneLine(set.Name), Style: styles[0]}}
	for i, text := range p.ruleTexts(rule) {
		cells = append(cells, draw.Cell{Text: text, Style: styles[i+1]})
	}
	return cells
}

// ruleTexts returns the condition and the details of a rule, and for how many positions it is active.
func (p *Page) ruleTexts(rule int) [3]string {
	alerts := p.store.Alerts()
	set, state := &alerts.Rules()[rule], alerts.State(rule)
	condition, now := format.OneLine(set.Condition()), format.Grouped(state.Now)
	switch why := p.whyNoSums(set); {
	case set.IsOff:
		return [3]string{condition, p.ruleDetails(rule), "off"}
	case why != "":
		return [3]string{condition, "", why}
	}
	switch {
	case state.IsFull && set.OfDesk: // the trader may see fewer
		now += " of " + format.Grouped(view.MaxAlerts)
	case state.IsFull:
		now += " at most"
	}
	now += " now, "
	if state.Pending > 0 {
		now += format.Grouped(state.Pending) + " soon, "
	}
	now += format.Grouped(state.Begun) + " began"
	if failed := state.Failed; failed.Err != nil {
		now = "program fails, " + format.Grouped(failed.Waiting) + " not delivered; " + now
	}
	if state.RunBy != "" {
		now = state.RunBy + " runs its program; " + now
	}
	if state.NotSent > 0 {
		since := p.store.Format().ClockOn(state.NotSentSince, p.store.Now())
		now = format.Grouped(state.NotSent) + " not sent since " + since + "; " + now
	}
	if at := p.store.ScreenNow(); set.IsQuiet(at) {
		now = "quiet until " + p.store.Format().ShortClockOn(set.QuietUntil, at) + "; " + now
	}
	return [3]string{condition, p.ruleDetails(rule), now}
}

// whyNoSums returns why a rule about a group compares nothing; empty if it compares something.
func (p *Page) whyNoSums(rule *alerts.Rule) string {
	return rule.WhyNoSums(p.store.View().Instruments())
}

// ruleDetails returns the details of a rule: first, if it is about a group, what it compares as it is now.
func (p *Page) ruleDetails(rule int) string {
	set := &p.store.Alerts().Rules()[rule]
	details := set.Details()
	if sums, ok := p.store.Alerts().Sums(rule); ok {
		return strings.TrimSuffix("now "+strings.Join(alerts.SumWords(&set.AlertRule, sums, p.store.Format()), ", ")+"; "+details, "; ")
	}
	return details
}

// pendingCells returns the cells of a position, or a group, for which a rule is about to begin, as it is now: for how
// long it has matched, in the place of a time.
func (p *Page) pendingCells(c *pane.Context, pending *store.PendingAlert) []draw.Cell {
	matched := format.Duration(pending.For.Truncate(time.Second)) + " of " + format.Duration(pending.Of)
	cells := p.cellsOf(pending.Name, &pending.Position, c)
	if sums, ok := p.store.Alerts().Sums(pending.Rule); ok && pending.IsGroup {
		p.setGroupCells(cells, alerts.GroupOf(sums), c)
		if sums.HasRatio {
			cells[7] = ratioCell(sums.Ratio, c)
		}
	}
	cells[0], cells[1] = draw.Cell{Text: matched, Style: c.Styles.Quiet}, draw.Cell{Text: "soon", Style: c.Styles.Warning}
	if ratio, ok := p.store.View().Margins().Ratio(&pending.Position); ok && !ratio.HasEnded() {
		cells[7] = ratioCell(ratio, c)
	}
	return cells
}

// logCells returns the cells of a beginning or an end, with the position as it was then. Numbers of one that was gone
// are empty.
func (p *Page) logCells(c *pane.Context, e *store.LoggedAlert) []draw.Cell {
	word, style := "end", c.Styles.Quiet
	if e.Alert.Begins {
		word, style = "begin", c.Styles.Alarm
	}
	if e.Alert.IsAgain {
		word = "again"
	}
	cells := p.cellsOf(e.Alert.Rule, e.After(), c)
	cells[0] = draw.Cell{Text: p.store.Format().Local(e.SeenAt()).Format("15:04:05"), Style: c.Styles.Quiet}
	cells[1] = draw.Cell{Text: word, Style: style}
	switch {
	case e.Alert.Group != nil:
		p.setGroupCells(cells, e.Alert.Group, c)
	case !e.HasPosition():
		cells[3].Text, cells[4].Text = e.Alert.About, ""
	}
	if e.Alert.HasRatio && !e.Alert.Ratio.HasEnded() {
		cells[7] = ratioCell(e.Alert.Ratio, c)
	}
	return cells
}

// setGroupCells sets the cells of a group in place of those of a position: its name, its asset, how many positions it
// has, and its sums.
func (p *Page) setGroupCells(cells []draw.Cell, of *event.AlertedGroup, c *pane.Context) {
	f := p.store.Format()
	cells[3].Text, cells[4].Text = format.OneLine(of.Name), "group in "+f.Asset(of.Asset)
	cells[5] = draw.Cell{Text: format.Grouped(of.Rows) + " pos", Words: true, Style: c.Styles.Quiet}
	if of.HasProfit {
		cells[6] = f.Amount(of.Profit, of.Asset, true).Styled(c.Styles.Profit(of.Profit.Sign()))
	}
}

// cellsOf returns the cells of a rule and a position without the time, the word and the margin ratio. Numbers of a
// position that is gone are empty.
func (p *Page) cellsOf(rule string, position *model.Position, c *pane.Context) []draw.Cell {
	f := p.store.Format()
	cells := []draw.Cell{{}, {}, {Text: format.OneLine(rule)}, {Text: f.Market(position.Market)},
		{Text: f.Party(position.Party)}, {}, {}, {}}
	if position.Number(model.UpdatedAt).IsZero() && !position.IsOpen() {
		return cells
	}
	cells[5] = f.Number(position, model.OpenVolume)
	profit := f.Number(position, model.UnrealisedPnl)
	cells[6] = profit.Styled(c.Styles.Profit(position.Number(model.UnrealisedPnl).Sign()))
	return cells
}

func ratioCell(ratio model.MarginRatio, c *pane.Context) draw.Cell {
	return draw.Cell{Text: ratio.String(), Style: c.Styles.Profit(ratio.Sign())}
}
