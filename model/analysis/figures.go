package analysis

import (
	"blotter/model"
	"blotter/model/view"
)

// Figures are the sums of the positions in one asset that a view shows, and the worst of them.
type Figures struct {
	Rows     int
	Profit   model.Sum // unrealised
	Exposure Exposure  // of the open ones, without an identifier and sizes
	LeftOut  int       // open positions without an estimate of their notional
	// Maintenance is the sum of the margins of the open positions that have a margin record, of which there are
	// Recorded. Unrecorded ones have none.
	Maintenance          model.Sum
	Recorded, Unrecorded int
	Worst                *Worst // nil if no position is open
}

// Worst is the position with the lowest margin ratio or, if none has one, with the lowest unrealised PnL.
type Worst struct {
	model.Key
	Profit   model.Amount
	Ratio    model.MarginRatio
	HasRatio bool
}

// figures makes the Figures of an asset with these decimals.
type figures struct {
	found     Figures // so far, without exposure
	exposures map[model.ID]*exposure
	decimals  int
}

// add adds a position that a view shows, whose notional has this scale.
func (f *figures) add(p *model.Position, v *view.View, scale int) {
	f.found.Rows++
	f.found.Profit.Add(p.Number(model.UnrealisedPnl))
	if !p.IsOpen() {
		return
	}
	if !p.HasAddableNotional() || scale == model.Unscaled {
		f.found.LeftOut++
	}
	if p.HasAddableNotional() {
		addExposure(f.exposures, p.Market, p, scale)
	}
	if levels, _, ok := v.Margins().Levels(p); ok {
		f.found.Recorded++
		f.found.Maintenance.Add(levels.Maintenance)
	} else {
		f.found.Unrecorded++
	}
	of := Worst{Key: p.Key, Profit: p.Number(model.UnrealisedPnl)}
	of.Ratio, of.HasRatio = v.Margins().Ratio(p)
	if of.Profit.IsNumber() && (f.found.Worst == nil || of.isWorse(f.found.Worst, f.decimals)) {
		f.found.Worst = &of
	}
}

// isWorse reports whether a position comes before another one: one with a margin ratio before one without.
func (w *Worst) isWorse(other *Worst, decimals int) bool {
	switch {
	case w.HasRatio && other.HasRatio:
		return w.Ratio.Compare(other.Ratio) < 0
	case w.HasRatio != other.HasRatio:
		return w.HasRatio
	}
	return model.CompareScaled(w.Profit, decimals, other.Profit, decimals) < 0
}

func (f *figures) figures() Figures {
	unscaled := func(model.ID) int { return model.Unscaled }
	f.found.Exposure = sumOf(exposures(f.exposures, f.decimals, unscaled), f.decimals)
	return f.found
}
