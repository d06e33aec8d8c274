package book

import (
	"slices"
	"time"

	"blotter/model"
)

// Baseline has the size and the profits of positions at a time. Changes are counted from it. The one that a trader took
// never changes, so that any goroutine can read it. Those of the session and of the day change with the book: see
// Baselines.NoteListing.
//
// It has a part for each subscription, because their snapshots do not come at the same time.
type Baseline struct {
	parts []*baselinePart // the oldest first: of those that cover a position, the first one counts
	// joined are positions that the parts do not have, or have with other numbers than those that count: they were
	// listed later. nil if there are none.
	joined *Rows
}

// BaselineRow has the numbers of a position when its baseline was taken.
type BaselineRow struct {
	At      time.Time
	IsNew   bool // there was no such position: its numbers were 0
	numbers [len(baselineFields)]model.Amount
}

// Row returns the numbers of the position with the key, and false if the baseline does not cover it. A nil Baseline
// covers none.
func (b *Baseline) Row(key model.Key) (BaselineRow, bool) {
	if b == nil {
		return BaselineRow{}, false
	}
	if number := b.joined.number(key); number != 0 {
		row := BaselineRow{}
		row.At, _ = b.At()
		for i, f := range baselineFields {
			row.numbers[i] = b.joined.Amount(number, f)
		}
		return row, true
	}
	for _, part := range b.parts {
		if !part.has(key) {
			continue
		}
		numbers := part.find(key)
		switch {
		case part.isTooLarge:
			return BaselineRow{}, false
		case part.isPartial && numbers == nil: // it may have existed
			continue
		}
		row := BaselineRow{At: part.at, IsNew: numbers == nil}
		for i := range row.numbers {
			if !row.IsNew {
				row.numbers[i], numbers = readCompact(numbers)
			}
		}
		return row, true
	}
	return BaselineRow{}, false
}

// Number returns a number of the position at that time: its size, its realised or its unrealised PnL.
func (r *BaselineRow) Number(f model.Field) model.Amount {
	return r.numbers[slices.Index(baselineFields[:], f)]
}

// Change returns by how much a number of the position has changed since then: its size, its realised or its unrealised
// PnL. It returns false for other fields, and if there is no model.Difference of both numbers, in a unit with these
// decimals.
func (r *BaselineRow) Change(p *model.Position, f model.Field, decimals int) (model.Amount, bool) {
	return r.ChangeTo(p.Number(f), f, decimals)
}

// ChangeTo returns by how much a number has changed since then, as Change does.
func (r *BaselineRow) ChangeTo(now model.Amount, f model.Field, decimals int) (model.Amount, bool) {
	i := slices.Index(baselineFields[:], f)
	if i < 0 {
		return model.Amount{}, false
	}
	return model.Difference(now, r.numbers[i], decimals)
}

// PnLChange returns by how much the PnL of the position, and its realised part, have changed since then, and false if
// that is not known. The asset has these decimals.
func (r *BaselineRow) PnLChange(p *model.Position, decimals int) (pnl, realised model.Sum, ok bool) {
	for _, field := range [...]model.Field{model.UnrealisedPnl, model.RealisedPnl} {
		now, was := p.Number(field), r.Number(field)
		if !now.IsAddable() || !was.IsAddable() {
			return pnl, realised, false
		}
		pnl.Add(now)
		pnl.Subtract(was)
		if field == model.RealisedPnl {
			realised.Add(now)
			realised.Subtract(was)
		}
	}
	return pnl, realised, pnl.LeftOut(decimals)+realised.LeftOut(decimals) == 0
}

// IsOnlyPrice reports whether a change of the PnL of the position since then is of its price alone: it existed, and its
// size and its realised PnL are the same. It also does so of one that was closed without any profit and opened again.
func (r *BaselineRow) IsOnlyPrice(p *model.Position) bool {
	size, isSize := r.Change(p, model.OpenVolume, model.Unscaled)
	realised, isRealised := r.Change(p, model.RealisedPnl, model.Unscaled)
	return !r.IsNew && isSize && size.IsZero() && isRealised && realised.IsZero()
}

// BaselinePart is what a baseline has of one subscription. Of the positions, it has the numbers of a BaselineRow.
type BaselinePart struct {
	Of        model.Key // of the subscription
	At        time.Time
	IsPartial bool // positions of the service may be missing
	Positions []model.Position
}

// Parts returns what the baseline has, the oldest part first. Before these there may be one of single positions that
// count in place of those in others. It lacks the parts with more positions than a baseline can have.
func (b *Baseline) Parts() []BaselinePart {
	var parts []BaselinePart
	if at, ok := b.At(); ok && b.joined.Len() > 0 {
		parts = append(parts, BaselinePart{At: at, IsPartial: true, Positions: slices.Collect(b.joined.All)})
	}
	for _, part := range b.parts {
		if !part.isTooLarge {
			parts = append(parts, BaselinePart{part.of, part.at, part.isPartial, slices.Collect(part.positions)})
		}
	}
	return parts
}

// NewBaseline returns a baseline of parts, the oldest first.
func NewBaseline(parts []BaselinePart) *Baseline {
	b := new(Baseline)
	for i := range parts {
		of, rows := &parts[i], NewRows()
		for j := range of.Positions {
			rows.Put(&of.Positions[j])
		}
		table := &Table{Subscription: model.Subscription{Key: of.Of}, rows: rows, partial: of.IsPartial}
		b.parts = append(b.parts, newBaselinePart(table, of.At))
	}
	return b
}

// BaselineOf returns a baseline of the rows of snapshots as they are at a time.
func BaselineOf(snapshots []Snapshot, at time.Time) *Baseline {
	b := new(Baseline)
	for i := range snapshots {
		of := &snapshots[i]
		table := &Table{Subscription: of.Subscription, rows: of.Rows, partial: of.IsPartial, followed: of.Followed}
		b.parts = append(b.parts, newBaselinePart(table, at))
	}
	return b
}

// Len returns how many positions the baseline has. A nil Baseline has none.
func (b *Baseline) Len() (n int) {
	if b == nil {
		return 0
	}
	for _, part := range b.parts {
		n += part.rows
	}
	return n + b.joined.Len()
}

// At returns when the first part of the baseline was taken, and false if there is none.
func (b *Baseline) At() (time.Time, bool) {
	if b == nil || len(b.parts) == 0 {
		return time.Time{}, false
	}
	return b.parts[0].at, true
}

// UpTo returns what the baseline has of a time or before: a past is compared with nothing that came later. Of a nil
// Baseline it is nil.
func (b *Baseline) UpTo(at time.Time) *Baseline {
	if b == nil {
		return nil
	}
	isLater := func(part *baselinePart) bool { return part.at.After(at) }
	return &Baseline{slices.DeleteFunc(slices.Clone(b.parts), isLater), b.clone().joined}
}

// without returns the baseline without its parts of a time. Of a nil Baseline it is nil.
func (b *Baseline) without(at time.Time) *Baseline {
	if b == nil {
		return nil
	}
	isOf := func(part *baselinePart) bool { return part.at.Equal(at) }
	return &Baseline{slices.DeleteFunc(slices.Clone(b.parts), isOf), b.clone().joined}
}

// positions yields each position, with its numbers in the baseline.
func (b *Baseline) positions(yield func(model.Position) bool) {
	for p := range b.joined.All {
		if !yield(p) {
			return
		}
	}
	for i, part := range b.parts {
		for p := range part.positions {
			isEarlier := func(before *baselinePart) bool {
				return before.has(p.Key) && (!before.isPartial || before.find(p.Key) != nil)
			}
			if !b.joined.Has(p.Key) && !slices.ContainsFunc(b.parts[:i], isEarlier) && !yield(p) {
				return
			}
		}
	}
}

// covers reports whether the baseline has the positions of a table: all of them, unless the table may lack some
// itself. A nil Baseline covers none.
func (b *Baseline) covers(t *Table) bool {
	return b != nil && slices.ContainsFunc(b.parts, func(part *baselinePart) bool {
		return part.covers(t.Key) && (t.partial || !part.isPartial)
	})
}

// extended returns the baseline with a part for each table with usable rows that it does not cover; b itself if it
// covers all of them. Parts that were made are used, and those that it makes are added to them.
func (b *Baseline) extended(all *tables, made map[*Table]*baselinePart, isUsable func(model.Subscription) bool, at time.Time) *Baseline {
	extended := b
	for t := range all.all {
		if !b.covers(t) && isUsable(t.Subscription) {
			if extended == b {
				extended = &Baseline{slices.Clone(b.parts), b.joined}
			}
			if made[t] == nil {
				made[t] = newBaselinePart(t, at)
			}
			extended.parts = append(extended.parts, made[t])
		}
	}
	return extended
}

// only returns the baseline with those positions whose keys are kept.
func (b *Baseline) only(isKept func(model.Key) bool) *Baseline {
	parts := b.Parts()
	for i := range parts {
		parts[i].Positions = slices.DeleteFunc(parts[i].Positions, func(p model.Position) bool { return !isKept(p.Key) })
	}
	return NewBaseline(parts)
}

// clone returns a baseline whose joined positions are its own.
func (b *Baseline) clone() *Baseline {
	if b == nil || b.joined == nil {
		return b
	}
	return &Baseline{b.parts, b.joined.Clone()}
}
