package detail

import (
	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
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
	return append(facts, p.profitFacts()...)
}

func (p *Position) exactChange(change model.Amount, field model.Field) string {
	return format.Exact(change, p.Format.Instruments().Decimals(field, p.Market), true)
}

// profitFacts is the change of the realised and unrealised PnL together since the baseline, and why it changed. Only
// the two ends are known, so it is split only if neither the size nor the realised PnL differs: then all of it comes
// from the price, unless the position was closed without any profit and opened again meanwhile.
func (p *Position) profitFacts() []draw.Fact {
	unrealised, hasUnrealised := p.Baseline.Change(p.Position, model.UnrealisedPnl)
	realised, hasRealised := p.Baseline.Change(p.Position, model.RealisedPnl)
	if !hasUnrealised || !hasRealised || p.IsWhatIf {
		return nil
	}
	var both model.Sum
	both.Add(unrealised)
	both.Add(realised)
	if both.LeftOut() > 0 || unrealised.IsZero() && realised.IsZero() {
		return nil
	}
	value := p.exactChange(both.Amount(), model.UnrealisedPnl)
	if reason := p.whyNotSplit(realised); reason != "" {
		value += ", not split: " + reason
	} else {
		value += " = ≈ price " + value
	}
	return []draw.Fact{{Name: "PnL change", Value: value}}
}

// whyNotSplit returns why it is not known what the PnL has changed by, or "" if it is the price alone.
func (p *Position) whyNotSplit(realised model.Amount) string {
	size, hasSize := p.Baseline.Change(p.Position, model.OpenVolume)
	switch {
	case p.Baseline.IsNew:
		return "the position is new"
	case !hasSize:
		return "the change of its size is not known"
	case !size.IsZero():
		return "size changed"
	case !realised.IsZero():
		return "rPnL changed, size did not"
	}
	return ""
}
