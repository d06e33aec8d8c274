package columns

import (
	"cmp"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/theme"
)

func marketOf(p *model.Position, _ *model.Instruments) model.ID { return p.Market }

func partyOf(p *model.Position, _ *model.Instruments) model.ID { return p.Party }

// assetOf returns the asset that the market settles in; zero if it is not known.
func assetOf(p *model.Position, in *model.Instruments) model.ID { return in.Market(p.Market).Asset }

func marketCell(c *draw.Cell, r *Row) { c.Text = r.Format.Market(r.Market) }

func partyCell(c *draw.Cell, r *Row) { c.Text = r.Format.Party(r.Party) }

func assetCell(c *draw.Cell, r *Row) {
	if asset := assetOf(r.Position, r.Format.Instruments()); !asset.IsZero() {
		c.Text, c.Style = r.Format.Asset(asset), r.Styles.Quiet
	}
}

// numberStyle returns the style of a number with a sign.
type numberStyle func(s *theme.Styles, sign int) draw.Style

func noStyle(*theme.Styles, int) draw.Style            { return draw.Plain }
func profitStyle(s *theme.Styles, sign int) draw.Style { return s.Profit(sign) }
func quietStyle(s *theme.Styles, _ int) draw.Style     { return s.Quiet }
func dimStyle(s *theme.Styles, _ int) draw.Style       { return s.Dim }

func numberCell(field model.Field, style numberStyle) setCell {
	return func(c *draw.Cell, r *Row) {
		*c = r.Format.Number(r.Position, field).Styled(style(r.Styles, r.Number(field).Sign()))
		if c.Text == "" && r.Format.Shift() != nil && r.Number(field).IsNumber() { // less than it may be wrong by
			*c = draw.Cell{Text: "?", Words: true, Style: r.Styles.Dim}
		}
	}
}

func estimateCell(n Number) setCell {
	return func(c *draw.Cell, r *Row) { *c = n.Cell(r.Position, r.Format).Styled(r.Styles.Quiet) }
}

// changeCell is the change of a number since the baseline. The cell of one that has not changed is empty, unless the
// position is new: 0.00 in each row would hide those that have.
func changeCell(field model.Field, style numberStyle) setCell {
	return func(c *draw.Cell, r *Row) {
		if !r.HasBaseline {
			return
		}
		change, ok := r.Baseline.Change(r.Position, field, r.Format.Instruments().Decimals(field, r.Market))
		if !ok || change.IsZero() && !r.Baseline.IsNew {
			return
		}
		*c = r.Format.NumberOf(change, r.Position, field, true).Styled(style(r.Styles, change.Sign()))
		if r.Baseline.IsNew && field == model.UnrealisedPnl {
			c.Text = "new " + c.Text
		}
	}
}

// dayCell is the change of the PnL since the day began. The cell of a position that has not changed is empty.
func dayCell(c *draw.Cell, r *Row) {
	before, ok := r.Day.Row(r.Key)
	decimals := r.Format.Instruments().Decimals(model.UnrealisedPnl, r.Market)
	if pnl, _, isKnown := before.PnLChange(r.Position, decimals); ok && isKnown && !pnl.IsZero() {
		change := pnl.Amount(decimals)
		*c = r.Format.NumberIn(change, model.UnrealisedPnl, r.Market, true).Styled(profitStyle(r.Styles, change.Sign()))
	}
}

func ratioPercent(r model.MarginRatio, _ *model.Position, _ *model.Instruments) string {
	return r.String()
}

func marginRatioCell(c *draw.Cell, r *Row) {
	switch {
	case r.Margin.IsNone:
		c.Text, c.Style = "none", r.Styles.Dim
	case r.Margin.IsUnread:
		c.Text, c.Short, c.Style = "not read", "unread", r.Styles.Dim
	case !r.Margin.HasRatio && r.Margin.Ratio.HasEnded():
		c.Text, c.Style = "…", r.Styles.Dim
	case !r.Margin.HasRatio:
	case r.Margin.Ratio.IsEstimate:
		c.Text, c.Style = RatioText(r.Margin.Ratio), r.Styles.EstimatedRatio(r.Margin.Ratio)
	case r.Margin.Ratio.HasEnded():
		c.Text, c.Style = format.Age(r.Margin.Ratio.EndedFor(r.Now))+" "+r.Margin.Ratio.String(), r.Styles.Dim
	case r.Margin.IsOld:
		c.Text, c.Style = "old "+r.Margin.Ratio.String(), r.Styles.Dim
	default:
		c.Text, c.Style = r.Margin.Ratio.String(), r.Styles.Ratio(r.Margin.Ratio)
	}
}

func marginAgeCell(c *draw.Cell, r *Row) { c.Text, c.Style = r.Margin.Recorded, r.Styles.Quiet }

func statusText(p *model.Position) (name, words string) { return p.StatusName(), format.StatusWords(p) }

func statusCell(c *draw.Cell, r *Row) {
	c.Text, c.Style = format.Status(r.Position), r.Styles.Status(r.Status())
	if r.Story != "" {
		c.Text, c.Short, c.Spreads = r.Story, cmp.Or(r.ShortStory, c.Text), true
		return
	}
	if r.Status() == model.StatusOrdersClosed {
		c.Short = "ORD CLOSED" // as wide as the other statuses, so that it is whole on a narrow screen
	}
}

// freshFor is the age up to which a row has none: it is as new as the others.
const freshFor = 5 * time.Second

// ageText returns the age of a time; – if it is no time, or ahead of the clock of the service.
func ageText(sent model.Amount, now time.Time) string {
	at, ok := sent.Time()
	switch age := now.Sub(at); {
	case !ok || -age > model.AheadFor:
		return "–"
	case age < freshFor:
		return ""
	default:
		return format.Age(age)
	}
}

func ageCell(field model.Field) setCell {
	return func(c *draw.Cell, r *Row) {
		if c.Style = r.Styles.Quiet; r.Story == "" {
			c.Text = ageText(r.Number(field), r.Now)
		}
	}
}
