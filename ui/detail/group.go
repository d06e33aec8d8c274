package detail

import (
	"cmp"
	"strings"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/pane"
)

// group is a group of positions under its heading.
type group struct {
	columns.Heading
	IsStale bool             // one of its positions may be out of date
	Survey  *analysis.Survey // has why the PnL has changed; nil if it is not known
}

// summary draws the totals of the group in a box, or below a rule with its title. If they do not fit, the last line
// ends with the note.
func (g *group) summary(note string, size pane.Size, isBox bool) []string {
	width, room := size.Width, size.Height-1
	if isBox {
		width, room = width-boxFrame, room-1
	}
	var body []string
	for i := range g.Totals {
		if len(g.Totals) > room && i == room-1 {
			words := " and " + format.Counted(len(g.Totals)-i, "asset") + " more" + note
			body = append(body, draw.Text(width, g.Styles.Dim, words))
			break
		}
		body = append(body, g.drawTotal(&g.Totals[i], width))
	}
	if g.IsStale {
		body = g.Styles.Dimmed(body, width)
	}
	if isBox {
		return draw.Box(size.Width, size.Height, g.Styles.Strong, g.Styles.Dim, g.Name(), []string{g.Size()}, "", body)
	}
	title := draw.Rule(width, g.Styles.Strong, g.Styles.Dim, g.Name(), g.Size())
	return draw.Fit(append([]string{title}, body...), size.Height)
}

// drawTotal draws the total in one asset. If there is no room for all of it, the line ends with a mark.
func (g *group) drawTotal(total *view.GroupTotal, width int) string {
	const mark = "  …"
	l := draw.NewLine(width).Space(1)
	facts := g.facts(total, g.Format.RoundedAmount, g.Format.Places(total.Asset))
	for i, f := range facts {
		needed := draw.Width("  " + f.Name + " " + f.Value)
		if i < len(facts)-1 {
			needed += draw.Width(mark)
		}
		if i > 0 && needed > l.Left() {
			return l.Put(g.Styles.Dim, mark).String()
		}
		if i > 0 {
			l.Space(2)
		}
		if f.Name != "" {
			l.Put(g.Styles.Dim, f.Name).Space(1)
		}
		l.PutNumber(draw.Plain, f.Value)
	}
	return l.String()
}

// facts are the total in one asset, the asset first. The function write formats an amount of an asset, with at most so
// many decimal places.
func (g *group) facts(total *view.GroupTotal, write func(a model.Amount, asset model.ID, plus bool) string, places int) []draw.Fact {
	rows := format.Counted(total.Rows, "position")
	if total.Asset.IsZero() {
		return []draw.Fact{{Value: rows + " of unknown assets, without a subtotal"}}
	}
	decimals := g.Format.Decimals(total.Asset)
	profit := func(a model.Amount) string {
		if g.Format.Shift() == nil {
			return write(a, total.Asset, true)
		}
		return cmp.Or(g.Profit(a, total).Marked(format.RawWord), "not known")
	}
	facts := []draw.Fact{
		{Value: g.Format.Asset(total.Asset)},
		{Name: "uPnL", Value: profit(total.Sum(model.UnrealisedPnl).Amount(decimals))},
	}
	compared := ""
	if n := total.Compared(); n < total.Rows {
		compared = ", of " + format.Grouped(n) + " of " + format.Grouped(total.Rows)
	}
	ofUnrealised, ofRealised, hasChanges := total.Changes(decimals)
	if hasChanges {
		facts = append(facts, draw.Fact{Name: "ΔuPnL", Value: profit(ofUnrealised) + compared})
	}
	if ratio, ok := g.Ratio(total); ok {
		of := draw.Fact{Name: columns.RatioName, Value: columns.RatioText(ratio)}
		if g.HasOldRecord(total) {
			of.Value += "  old records"
		}
		facts = append(facts, of, draw.Fact{Name: "maintenance",
			Value: columns.MaintenanceText(write(total.Maintenance(decimals), total.Asset, false), ratio)})
	}
	if net, ok := total.NetNotional(decimals); ok {
		facts = append(facts, draw.Fact{Name: "≈ net", Value: cmp.Or(format.Estimate(net, decimals, places, true).Text, "?")})
	}
	for _, words := range columns.WithoutRatio(total) {
		facts = append(facts, draw.Fact{Value: words})
	}
	facts = append(facts, draw.Fact{Name: "rPnL", Value: write(total.Sum(model.RealisedPnl).Amount(decimals), total.Asset, true)})
	if hasChanges {
		facts = append(facts, draw.Fact{Name: "ΔrPnL", Value: write(ofRealised, total.Asset, true) + compared})
	}
	facts = append(facts, draw.Fact{Name: "in", Value: rows})
	for _, field := range model.Summed() {
		if field != model.UnrealisedPnl && field != model.RealisedPnl {
			sum := write(total.Sum(field).Amount(decimals), total.Asset, field.HasSign())
			facts = append(facts, draw.Fact{Name: columns.NumberWords(field), Value: sum})
		}
	}
	if left := total.LeftOut(decimals); left > 0 {
		facts = append(facts, draw.Fact{Name: "without", Value: format.Counted(left, "number") + " that cannot be added"})
	}
	return facts
}

// changeFact is why the PnL of the group has changed in an asset, at the time of the survey. It has no value if that is
// not known.
func (g *group) changeFact(asset model.ID) draw.Fact {
	if g.Survey == nil {
		return draw.Fact{}
	}
	of := g.Survey.Asset(asset)
	if of == nil || of.Groups[g.ID] == nil {
		return draw.Fact{}
	}
	decimals := g.Format.Decimals(asset)
	change := of.Groups[g.ID].Known(decimals, format.EveryDigit)
	write := func(a model.Amount) string { return g.Format.ExactAmount(a, asset, true) }
	total := change.Total()
	value := write(total.Amount(decimals)) + " at " + g.Format.ShortClockOn(g.Survey.At, g.Survey.At)
	if parts := format.PnLParts(&change, decimals, format.EveryDigit, write); parts != "" {
		value += " = " + parts
	} else {
		value += ", unexplained"
	}
	value += format.PnLLeftOut(&change)
	if offsets := format.PnLOffsets(&change, decimals); offsets != "" {
		value += "; " + offsets
	}
	return draw.Fact{Name: "PnL change", Value: value}
}

// text is everything about the group.
func (g *group) text(width int) (t text) {
	t.addFacts(width, g.Styles.Dim, draw.Fact{Name: columns.GroupedBy(g.By), Value: g.Name()},
		draw.Fact{Name: "positions", Value: g.Size()}, draw.Fact{Name: "status", Value: strings.Join(g.Statuses(), ", ")})
	decimals := g.Format.Instruments().Decimals(model.OpenVolume, g.ID)
	if net, gross, ok := g.Sizes(decimals); ok {
		t.addFacts(width, g.Styles.Dim, draw.Fact{Name: "net size", Value: format.Exact(net, decimals, true)},
			draw.Fact{Name: "gross size", Value: format.Exact(gross, decimals, false)})
	}
	for i := range g.Totals {
		facts := g.facts(&g.Totals[i], g.Format.ExactAmount, format.EveryDigit)
		t.addLines("", draw.Rule(width, g.Styles.Dim, g.Styles.Dim, facts[0].Value))
		t.addFacts(width, g.Styles.Dim, append(facts[1:], g.changeFact(g.Totals[i].Asset))...)
	}
	if g.IsStale {
		t.lines = g.Styles.Dimmed(t.lines, width)
	}
	return t
}
