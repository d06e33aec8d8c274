package detail

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/story"
	"blotter/ui/theme"
)

// Position is a position, and what is known of it.
type Position struct {
	*model.Position
	Levels      *model.MarginLevels // nil if there are none
	CheckedAt   time.Time           // when the service last sent them, or that it has none; zero if it has not
	Problem     string              // why the last request for them failed
	Ratio, Last model.MarginRatio   // Last is the last one of a moment, if Ratio is an estimate
	HasRatio    bool
	HasLast     bool
	Baseline    book.BaselineRow // what it was; only if HasBaseline is true
	HasBaseline bool
	Trades      *tradeList // nil if they are not known
	IsWhatIf    bool       // its unrealised PnL is an estimate, at another mark price

	Now        time.Time
	ServiceNow time.Time // the same by the clock of the service
	Format     *format.Formatter
	Styles     *theme.Styles
	Store      *store.Store
}

func (p *Position) isStale() bool { return p.Store.Stale().HasRow(p.Key) }

// Summary draws the levels, the ratio and the trends on height lines, their title first.
func (p *Position) Summary(width, height int) []string {
	title := draw.Rule(width, p.Styles.Strong, p.Styles.Dim, p.Format.Title(p.Key), p.levelNotes()...)
	body := p.levelSummary(width)
	if title, lines := 1, 2; height >= title+len(body)+lines {
		body = append(body, p.trendLine(width, 0).String(), p.estimates(width))
	} else {
		l := p.trendLine(width, leastEstimates(p))
		body = append(body, l.String()+p.estimates(l.Left()))
	}
	if p.isStale() {
		body = p.Styles.Dimmed(body, width)
	}
	return draw.Fit(append([]string{title}, body...), height)
}

// text is the facts, the ratios, the trends and the margin levels, without the values that are shown elsewhere. Before
// them are how the position was closed out, and ended: words about the row, empty if it is in the table. If there is
// room for a chart of the unrealised PnL, it is in place of the trends.
func (p *Position) text(width int, elsewhere map[string]bool, ended string, isAbsent, hasChart bool) (t text) {
	facts, others := p.Facts()
	ratios := p.ratios()
	isNarrow := width < columns.TwoLinesBelow // a few lines are seen at first
	switch closeOut, isOver := p.closeOut(); {
	case isOver && isNarrow:
		others = append([]draw.Fact{closeOut}, others...)
	case isOver:
		t.addFacts(width, p.Styles.Dim, closeOut)
	default:
		t.addFacts(width, p.Styles.Warning, closeOut)
	}
	t.addFacts(width, p.Styles.Warning, draw.Fact{Name: "row", Value: ended})
	notElsewhere := func(facts []draw.Fact) []draw.Fact {
		return slices.DeleteFunc(facts, func(f draw.Fact) bool { return elsewhere[f.Value] })
	}
	if isNarrow {
		seen := min(len(ratios), 1)
		facts, ratios = profitFirst(facts, ratios[:seen]), ratios[seen:]
	}
	t.addFacts(width, p.Styles.Dim, notElsewhere(facts)...)
	t.addFacts(width, p.Styles.Dim, ratios...)
	if gauge := p.gauge(draw.NewLine(width).Space(1)); gauge.Width() > 1 {
		t.addLines(gauge.String())
	}
	t.addFacts(width, p.Styles.Dim, tradesFact(p))
	if why, ok := whyOf(p); ok {
		t.addFacts(width, p.Styles.Dim, why.line(width)...)
	}
	t.addFacts(width, p.Styles.Dim, notElsewhere(others)...)
	if chart := p.chart(width); hasChart && chart != nil {
		t.addLines(chart...)
	} else {
		t.addFacts(width, p.Styles.Dim, p.trendFacts(width)...)
	}
	t.addLines("", draw.Rule(width, p.Styles.Dim, p.Styles.Dim, p.levelNotes()[0]))
	p.addLevels(&t, width)
	if p.isStale() || isAbsent {
		t.lines = p.Styles.Dimmed(t.lines, width)
	}
	return t
}

// sentText is what identifies the position, and its numbers as the service sent them.
func (p *Position) sentText(width int, isAbsent bool) (t text) {
	t.addLines("", draw.Rule(width, p.Styles.Dim, p.Styles.Dim, "as it was sent"))
	t.addFacts(width, p.Styles.Dim, p.SentFacts()...)
	if p.isStale() || isAbsent {
		t.lines = p.Styles.Dimmed(t.lines, width)
	}
	return t
}

// closeOut is how the position was closed out, without a value if it was not. isOver reports whether it was opened
// again after that.
func (p *Position) closeOut() (how draw.Fact, isOver bool) {
	of, ok := store.StoryOf(p.Store, p.Key)
	if !ok || !story.IsCloseOut(of) {
		return draw.Fact{}, false
	}
	at, exact := of.EndedAt, of.IsExact
	if of.Outcome == event.IsUnderWay {
		last := of.Steps[len(of.Steps)-1]
		at, exact = last.At, last.IsExact
	}
	words := p.Format.ClockOn(at, p.Now)
	if !exact {
		words = "by " + words
	}
	words += ", " + format.Ago(p.ServiceNow.Sub(at)) + ", " + store.StoryWriter(p.Store).Numbers(of)
	name := story.OutcomeName(of)
	if isOver = p.IsOpen() && of.Outcome != event.IsUnderWay; isOver {
		name = strings.ToLower(name)
		if of.Outcome != event.PartlyClosedOut {
			words += "; opened again"
		}
	}
	return draw.Fact{Name: name, Value: words}, isOver
}

// realisedMeaning is which realised PnL is shown: some versions of the service leave funding out of it.
const realisedMeaning = "as the service counts it"

const factCells = 20

// Facts are what a trader reads of the position: first its status if it has one, its size, its prices and why its PnL
// has changed, then the other numbers.
func (p *Position) Facts() (facts, others []draw.Fact) {
	f := p.Format
	if p.Status() != model.StatusUnspecified {
		facts = append(facts, p.statusFact())
	}
	for field := range model.FieldCount {
		fact := draw.Fact{Name: columns.NumberWords(field), Value: f.ExactNumber(p.Position, field)}
		switch {
		case field.IsTime():
			others = append(others, p.timeFact(field))
			continue
		case field == model.OpenVolume:
			fact.Note = sideOf(p.Position)
		case field == model.RealisedPnl:
			fact.Note = realisedMeaning
		case field == model.UnrealisedPnl && p.IsWhatIf:
			fact.Name = "≈ " + fact.Name
		}
		if field > model.UnrealisedPnl {
			others = append(others, fact)
			continue
		}
		facts = append(facts, fact)
		switch field {
		case model.AverageEntryPrice:
			for _, c := range columns.Estimates() {
				facts = append(facts, draw.Fact{Name: c.Words, Value: c.Number.Exact(p.Position, f)})
			}
		case model.UnrealisedPnl:
			facts = append(facts, p.changeFacts()...)
			if why, ok := whyOf(p); ok {
				facts = append(facts, why.facts()...)
			}
			if store.OlderOf(p.Store).IsReading(p.Key) {
				facts = append(facts, draw.Fact{Name: "PnL before", Value: "reading what is recorded"})
			}
		}
	}
	return facts, others
}

// sideOf returns the side of a position in a word; empty if its size is no number.
func sideOf(p *model.Position) string {
	size := p.Number(model.OpenVolume)
	if !size.IsNumber() {
		return ""
	}
	return [...]string{"short", "flat", "long"}[1+size.Sign()]
}

// profitFirst returns facts with the unrealised PnL and the facts of ratio before the size.
func profitFirst(facts, ratio []draw.Fact) []draw.Fact {
	placeOf := func(field model.Field) int {
		return slices.IndexFunc(facts, func(f draw.Fact) bool { return strings.HasSuffix(f.Name, columns.NumberWords(field)) })
	}
	size, profit := placeOf(model.OpenVolume), placeOf(model.UnrealisedPnl)
	if size < 0 || profit < size {
		return append(facts, ratio...)
	}
	first := append([]draw.Fact{facts[profit]}, ratio...)
	return slices.Insert(slices.Delete(facts, profit, profit+1), size, first...)
}

func (p *Position) statusFact() draw.Fact {
	return draw.Fact{Name: "status", Value: format.Text(p.StatusName()), Note: format.StatusMeaning(p.Status())}
}

// SentFacts are what identifies the position, and its numbers as the service sent them, by their names in its
// interface.
func (p *Position) SentFacts() []draw.Fact {
	in := p.Format.Instruments()
	market, party := in.Market(p.Market), in.Party(p.Party)
	facts := []draw.Fact{{Name: "market", Value: format.Text(market.Name)}, {Name: "party", Value: format.Text(party.Name)}}
	if !market.Asset.IsZero() {
		facts = append(facts, draw.Fact{Name: "asset", Value: p.Format.Asset(market.Asset)})
	}
	if p.Status() == model.StatusUnspecified {
		facts = append(facts, p.statusFact())
	}
	for field := range model.FieldCount {
		if sent := p.Number(field); !sent.IsZero() && (field != model.UnrealisedPnl || !p.IsWhatIf) {
			facts = append(facts, draw.Fact{Name: field.Name(), Value: format.Text(sent.String())})
		}
	}
	return append(facts, draw.Fact{Name: "market id", Value: format.Text(p.Market.Label())},
		draw.Fact{Name: "party id", Value: format.Text(p.Party.Label())})
}

// timeFact returns a fact with a time, and how long ago that was. A time that is not understood is as it was sent.
func (p *Position) timeFact(field model.Field) draw.Fact {
	sent, value := p.Number(field), "without a time"
	if at, ok := sent.Time(); ok {
		value = p.Format.Timestamp(at) + ", " + format.Ago(p.ServiceNow.Sub(at))
	} else if sent.IsOddTime() {
		value = format.Text(sent.String()) + format.RawWord
	}
	return draw.Fact{Name: columns.NumberWords(field), Value: value}
}

// newFact returns a fact with an amount, and the number that the service sent if it looks different.
func newFact(name, value string, a model.Amount) draw.Fact {
	f := draw.Fact{Name: name, Value: value}
	raw := format.Text(a.String())
	digits := strings.ReplaceAll(strings.TrimLeft(strings.TrimSuffix(value, format.RawWord), "+"), ",", "")
	if !a.IsZero() && a.IsNumber() && digits != strings.ReplaceAll(raw, ",", "") {
		f.Note = "sent as " + raw
	}
	return f
}

func (p *Position) changeFacts() []draw.Fact {
	if !p.HasBaseline {
		return nil
	}
	before := &p.Baseline
	since := " since " + p.Format.ClockOn(before.At, p.Now)
	if before.IsNew {
		since += ", when it did not exist"
	}
	var facts []draw.Fact
	for _, field := range []model.Field{model.OpenVolume, model.UnrealisedPnl, model.RealisedPnl} {
		if change, ok := before.Change(p.Position, field, p.decimals(field)); ok {
			facts = append(facts, draw.Fact{Name: columns.NumberWords(field) + " change", Value: p.exactChange(change, field) + since})
		}
	}
	return append(facts, p.profitFact())
}

func (p *Position) exactChange(change model.Amount, field model.Field) string {
	return p.Format.ExactNumberOf(change, p.Position, field, true)
}

// decimals returns the decimals of a number of the position; model.Unscaled if they are not known.
func (p *Position) decimals(field model.Field) int {
	return p.Format.Instruments().Decimals(field, p.Market)
}

// profitFact is the change of the realised and unrealised PnL together since the baseline, with its parts. It has no
// value if the change is not known or all of it is 0.
func (p *Position) profitFact() draw.Fact {
	decimals := p.decimals(model.UnrealisedPnl)
	change, ok := p.Store.Baseline().Trades().Of(p.Position, &p.Baseline, decimals)
	if !ok || p.IsWhatIf {
		return draw.Fact{}
	}
	write := func(a model.Amount) string { return p.exactChange(a, model.UnrealisedPnl) }
	change = change.Known(decimals, format.EveryDigit)
	parts := format.PnLParts(&change, decimals, format.EveryDigit, write)
	total := change.Total()
	value := write(total.Amount(decimals))
	switch {
	case total.IsZero() && change.Trading.IsZero() && change.Loss.IsZero() && change.Other.IsZero():
		return draw.Fact{}
	case parts == "":
		value += ", unexplained: " + p.whyNotSplit()
	default:
		value += " = " + parts
	}
	if offsets := format.PnLOffsets(&change, decimals); offsets != "" {
		value += "; " + offsets
	}
	return draw.Fact{Name: "PnL change", Value: value}
}

// whyNotSplit returns why the change of the PnL is not split into its parts.
func (p *Position) whyNotSplit() string {
	size, hasSize := p.Baseline.Change(p.Position, model.OpenVolume, p.decimals(model.OpenVolume))
	switch {
	case p.Baseline.IsNew:
		return "the position is new"
	case !hasSize:
		return "the change of its size is not known"
	case !size.IsZero():
		return "size changed"
	}
	return "rPnL changed, size did not"
}
