package replay

import (
	"context"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
)

// shifted is a time of the past at other mark prices.
type shifted struct {
	Past
	Shift       *analysis.PriceShift
	Instruments *model.Instruments

	first *book.Delta // that was read already; nil if none was
}

// before reads the positions of subscriptions, and returns a baseline of them at the prices that they have.
func (p *shifted) before(ctx context.Context, of []model.Subscription) (*book.Baseline, error) {
	p.Watch(of)
	delta, err := p.Past.Next(ctx)
	if err != nil {
		return nil, err
	}
	p.first = &delta
	return book.BaselineOf(delta.Snapshots, p.Now()), nil
}

// Next waits for the next Delta, and changes its positions. Positions whose decimals are not known stay as they are.
func (p *shifted) Next(ctx context.Context) (delta book.Delta, err error) {
	if first := p.first; first != nil {
		delta, p.first = *first, nil
	} else if delta, err = p.Past.Next(ctx); err != nil {
		return delta, err
	}
	for i := range delta.Snapshots {
		rows := delta.Snapshots[i].Rows.Clone() // with what is known of their sizes
		for position := range delta.Snapshots[i].Rows.All {
			p.Shift.Apply(&position, p.Instruments)
			rows.Put(&position)
		}
		delta.Snapshots[i].Rows = rows
	}
	for _, updates := range delta.Updates {
		p.apply(updates.Positions)
	}
	for _, audit := range delta.Audits {
		p.apply(audit.Positions)
	}
	return delta, nil
}

func (p *shifted) apply(positions []model.Position) {
	for i := range positions {
		p.Shift.Apply(&positions[i], p.Instruments)
	}
}
