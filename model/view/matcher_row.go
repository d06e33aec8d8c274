package view

import (
	"blotter/model"
	"blotter/model/filter"
)

// row is a row of a view as a comparison reads it.
type row struct {
	entry   entry
	encoder *encoder
	of      *comparison
	rules   *Alerts // nil for a filter. For rules, a ratio that waits for a margin record is not known
}

// HasText is of groups: the codes of the entry decide all other texts.
func (r row) HasText(filter.TextCondition) filter.Answer {
	return filter.AnswerOf(r.encoder.groupsOf(r.entry)&r.of.groups != 0)
}

func (r row) Number(f model.Field) (model.Amount, filter.Answer) {
	return r.encoder.amount(r.entry, f), filter.Yes
}

func (r row) Maintenance() (model.Amount, filter.Answer) {
	if r.waits() {
		return model.Amount{}, filter.Unknown
	}
	maintenance, ok := r.encoder.maintenanceOf(r.entry)
	return maintenance, filter.AnswerOf(ok)
}

func (r row) Day() (model.Amount, filter.Answer) {
	p := r.encoder.position(r.entry)
	change := r.encoder.changeOfDay(&p, r.Decimals(model.UnrealisedPnl))
	if !change.IsNumber() {
		return change, filter.Unknown
	}
	return change, filter.Yes
}

func (r row) Estimate(ofMark bool) (model.Estimate, filter.Answer) {
	p := r.encoder.position(r.entry)
	return filter.EstimateOf(ofMark, &p, r.encoder.instruments)
}

func (r row) Ratio() (model.MarginRatio, filter.Answer) {
	ratio, ok := r.encoder.marginRatio(r.entry)
	if r.rules != nil && (ok && ratio.HasEnded() || !ok && r.rules.awaits && r.entry.open() == 1) {
		return ratio, filter.Unknown
	}
	return ratio, filter.AnswerOf(ok)
}

// waits reports whether it is not known which margin record the row has.
func (r row) waits() bool {
	if r.rules == nil {
		return false
	}
	_, has := r.Ratio()
	return has == filter.Unknown
}

func (r row) Distance(to model.RatioLimit) (model.Distance, filter.Answer) {
	if r.waits() {
		return model.Distance{}, filter.Unknown
	}
	distance, ok := r.encoder.distanceOf(r.entry, to)
	return distance, filter.AnswerOf(ok)
}

func (r row) Figure(of model.Figure) (model.MarginRatio, filter.Answer) {
	if of.UsesMargins() && r.waits() {
		return model.MarginRatio{}, filter.Unknown
	}
	figure, ok := r.encoder.figureOf(r.entry, of)
	return figure, filter.AnswerOf(ok)
}

func (r row) Decimals(f model.Field) int {
	if market := r.entry.market(); int(market) < len(r.of.decimals) {
		return r.of.decimals[market]
	}
	return r.encoder.instruments.Decimals(f, r.encoder.markets.Values()[r.entry.market()])
}

func (r row) Uncompared() filter.Answer {
	if market := r.entry.market(); int(market) < len(r.of.uncompared) {
		r.of.uncompared[market] = true
	}
	return filter.No
}
