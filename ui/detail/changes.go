package detail

import (
	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/wording"
)

// changeFacts are the changes since the baseline.
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
		if change, ok := before.Change(p.Position, field); ok {
			facts = append(facts, draw.Fact{Name: format.FieldWords(field) + " change", Value: p.exactChange(change, field) + since})
		}
	}
	return append(facts, p.profitFact())
}

func (p *Position) exactChange(change model.Amount, field model.Field) string {
	return format.Exact(change, p.Format.Instruments().Decimals(field, p.Market), true)
}

// profitFact is the change of the realised and unrealised PnL together since the baseline, and by what it has changed.
// It has no value if that is not known.
func (p *Position) profitFact() draw.Fact {
	change, ok := p.Store.Baseline().Trades().Of(p.Position, &p.Baseline)
	if !ok || p.IsWhatIf {
		return draw.Fact{}
	}
	write := func(a model.Amount) string { return p.exactChange(a, model.UnrealisedPnl) }
	parts := wording.PnLParts(&change, write)
	total := change.Total()
	value := write(total.Amount())
	switch {
	case total == model.Sum{} && change.Trading == total && change.Loss == total:
		return draw.Fact{}
	case parts == "":
		value += ", not split: " + p.whyNotSplit()
	default:
		value += " = " + parts
	}
	return draw.Fact{Name: "PnL change", Value: value}
}

// whyNotSplit returns why it is not known what the PnL has changed by.
func (p *Position) whyNotSplit() string {
	size, hasSize := p.Baseline.Change(p.Position, model.OpenVolume)
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
