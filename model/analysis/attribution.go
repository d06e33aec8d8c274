package analysis

import (
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Change is by how much the realised and unrealised PnL of a position together have changed, in parts, in the decimals
// of the asset. Price and Trading are estimates if something was traded, because they follow from estimated mark
// prices; their sum is exact. Both may be wrong by the same Bound: see bound. That of several positions is the sum of
// theirs.
type Change struct {
	Price     model.Sum // of the size that was held
	Trading   model.Sum // of a trade at another price than the mark price
	Loss      model.Sum // of loss socialisation: negative if the position has paid
	Other     model.Sum // of realised PnL that changed while size and entry price did not: funding, fees and the like
	Unsplit   model.Sum // of what cannot be split
	IsUnsplit bool      // Unsplit is a part of it, even if it is 0
	LeftOut   int       // positions that are not in it, because their change is not known
	Bound     model.PackedSum
}

// Total returns the whole change, which is exact.
func (c *Change) Total() model.Sum {
	total := c.Price
	for _, part := range []*model.Sum{&c.Trading, &c.Loss, &c.Other, &c.Unsplit} {
		total.AddSum(*part)
	}
	return total
}

// Add adds another change of the same asset.
func (c *Change) Add(other *Change) {
	c.Price.AddSum(other.Price)
	c.Trading.AddSum(other.Trading)
	c.Loss.AddSum(other.Loss)
	c.Other.AddSum(other.Other)
	c.Unsplit.AddSum(other.Unsplit)
	c.IsUnsplit = c.IsUnsplit || other.IsUnsplit
	c.LeftOut += other.LeftOut
	c.Bound.Add(other.Bound)
}

// Known returns the change as it is shown in a place that shows exact amounts with places decimal places. Price and
// Trading are not split if their bound is more than a hundredth of the change and of each of them, and more than one
// unit of the last digit there. The asset has these decimals.
func (c Change) Known(decimals, places int) Change {
	bound := c.Bound.Sum()
	if bound.IsZero() {
		return c
	}
	total := c.Total()
	for _, sum := range []*model.Sum{&total, &c.Price, &c.Trading} {
		if (model.Estimate{Amount: sum.Amount(decimals), Bound: bound.Amount(decimals)}).IsKnown(decimals, places) {
			return c
		}
	}
	c.Unsplit.AddSum(c.Price)
	c.Unsplit.AddSum(c.Trading)
	c.Price, c.Trading, c.Bound, c.IsUnsplit = model.Sum{}, model.Sum{}, model.PackedSum{}, true
	return c
}

// profits are the numbers that a PnL consists of.
var profits = [...]model.Field{model.UnrealisedPnl, model.RealisedPnl}

// between returns the parts of the change from one state of a position to the next. before is the zero position if
// there was none. It returns false if a number cannot be added.
//
// The price has changed the size that was held before, by the difference of both mark prices. A position that was
// closed has no mark price any more, so its change is not split. If size and entry price are the same, nothing was
// traded: the change of unrealised PnL is of the price. If the price of the trade would be one that cannot be,
// something else is in the change: see isPossible.
func (t *trade) between(before, after *model.Position, in *model.Instruments) (c Change, by bound, ok bool) {
	var rest model.Sum // of trading and the price
	for _, field := range profits {
		if !before.Number(field).IsAddable() || !after.Number(field).IsAddable() {
			return Change{}, bound{}, false
		}
		rest.Add(after.Number(field))
		rest.Subtract(before.Number(field))
	}
	was, is := before.Number(model.LossSocialisationAmount), after.Number(model.LossSocialisationAmount)
	if !was.IsAddable() || !is.IsAddable() {
		return Change{}, bound{}, false
	}
	c.Loss.Add(was)
	c.Loss.Subtract(is)
	rest.SubtractSum(c.Loss)
	market := in.Market(after.Market)
	decimals := in.DecimalsIn(model.UnrealisedPnl, market)
	if rest.LeftOut(decimals) != 0 || c.Loss.LeftOut(decimals) != 0 {
		return Change{}, bound{}, false
	}
	if isSame(before, after, model.OpenVolume) && isSame(before, after, model.AverageEntryPrice) {
		c.Price.Add(after.Number(model.UnrealisedPnl))
		c.Price.Subtract(before.Number(model.UnrealisedPnl))
		rest.SubtractSum(c.Price)
		c.Other = rest
		return c, by, true
	}
	isTrade := t.set(before, after, market, in)
	if isTrade {
		by, isTrade = t.bound(before, after)
	}
	isNew := before.Number(model.OpenVolume).IsZero()
	if market.IsNotLinear || !isNew && (!isTrade || t.is.size.Sign() == 0) {
		c.Unsplit, c.IsUnsplit = rest, !rest.IsZero()
	} else {
		if !isNew {
			c.Price.Add(t.ofPrice())
			rest.SubtractSum(c.Price)
		}
		if isTrade && !t.isPossible(rest.Amount(decimals)) {
			c.Other = rest
		} else {
			c.Trading = rest
		}
	}
	return c, by, c.Price.LeftOut(decimals) == 0
}

// isSame reports whether a number has the same value in both states of a position.
func isSame(before, after *model.Position, f model.Field) bool {
	return before.Number(f).Compare(after.Number(f)) == 0
}

// Log has what the trades of positions have changed since it began, of the first maxRows of them.
type Log struct {
	rows    map[model.Key]*entry
	isPart  bool        // it is appended to others
	removed []model.Key // the positions that were removed; only if it is a part
	trade   trade       // the last one
}

// entry is what is known of one position.
type entry struct {
	since       time.Time // of the first change that is not of the price alone
	changes     Change    // the sum of those changes
	bound       bound
	isBroken    bool    // there were changes that cannot be added, or that were not noted
	first, last holding // before the first and after the last change
}

// holding has the numbers that a change of the price leaves as they are. If two holdings that should be equal differ, a
// change in between was not noted: because the log was full, the position was not watched, or two pages of a snapshot
// without a last page had it.
type holding struct{ size, realised model.Amount }

func holdingOf(p *model.Position) holding {
	return holding{p.Number(model.OpenVolume), p.Number(model.RealisedPnl)}
}

// maxRows is how many positions a log has. They take 20 MB.
const maxRows = 50_000

// NewLog returns an empty log.
func NewLog() *Log { return &Log{rows: make(map[model.Key]*entry)} }

// NewPart returns an empty log, for what snapshots show, that is appended to others.
func NewPart() *Log { return &Log{rows: make(map[model.Key]*entry), isPart: true} }

// Note records a change of a position at a time. Most changes are of the price alone, and need nothing: of them all of
// the PnL is of the price. before is nil for a new position, and after for a removed one.
func (l *Log) Note(before, after *model.Position, in *model.Instruments, at time.Time) {
	if before != nil && after != nil && IsPriceAlone(before, after) {
		return
	}
	key := book.ChangedKey(before, after)
	if after == nil {
		delete(l.rows, key)
		if l.isPart {
			l.removed = append(l.removed, key)
		}
		return
	}
	if before == nil {
		before = &model.Position{Key: key}
	}
	change, by, ok := l.trade.between(before, after, in)
	noted := entry{since: at, changes: change, bound: by, isBroken: !ok, first: holdingOf(before), last: holdingOf(after)}
	if e := l.rows[key]; e != nil {
		e.append(&noted)
	} else {
		l.addPosition(key, noted)
	}
}

// append adds what was noted later.
func (e *entry) append(later *entry) {
	e.changes.Add(&later.changes)
	e.bound.append(&later.bound)
	e.isBroken = e.isBroken || later.isBroken || e.last != later.first
	e.last = later.last
}

// addPosition adds a position if there is room for it.
func (l *Log) addPosition(key model.Key, e entry) {
	if len(l.rows) < maxRows {
		l.rows[key] = &e
	}
}

// IsPriceAlone reports whether two states of a position differ in nothing that a trade changes. It takes little time.
func IsPriceAlone(before, after *model.Position) bool {
	was, is := before.Numbers(), after.Numbers()
	for _, field := range [...]model.Field{model.OpenVolume, model.AverageEntryPrice, model.RealisedPnl, model.LossSocialisationAmount} {
		if was[field] != is[field] || was[field].IsText() && before.Number(field) != after.Number(field) {
			return false
		}
	}
	return true
}

// HasOther reports whether the realised PnL of a position has changed while size and entry price did not: the service
// counts funding, fees or the like in it.
func (l *Log) HasOther(key model.Key) bool {
	e := l.rows[key]
	return e != nil && !e.changes.Other.IsZero()
}

// Append adds what a part has noted.
func (l *Log) Append(part *Log) {
	for _, key := range part.removed {
		delete(l.rows, key)
	}
	for key, e := range part.rows {
		if mine := l.rows[key]; mine != nil {
			mine.append(e)
		} else {
			l.addPosition(key, *e)
		}
	}
}

// KeepOnly forgets the positions that are not kept.
func (l *Log) KeepOnly(isKept func(model.Key) bool) {
	maps.DeleteFunc(l.rows, func(key model.Key, _ *entry) bool { return !isKept(key) })
}

// Relearn takes instruments in place of those that the changes were noted with. In a market that had other decimals,
// what was estimated is wrong.
func (l *Log) Relearn(before, after *model.Instruments) {
	markets := make(map[model.ID]bool) // whether the decimals differ
	for key, e := range l.rows {
		differ, ok := markets[key.Market]
		if !ok {
			differ = decimalsDiffer(before, after, key.Market)
			markets[key.Market] = differ
		}
		e.isBroken = e.isBroken || differ
	}
}

// decimalsDiffer reports whether a market had other decimals.
func decimalsDiffer(before, after *model.Instruments, market model.ID) bool {
	return slices.ContainsFunc([]model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl}, func(field model.Field) bool {
		was := before.Decimals(field, market)
		return was != model.Unscaled && was != after.Decimals(field, market)
	})
}

// Of returns by how much the PnL of a position has changed since its baseline, and false if a number cannot be
// added. The asset has these decimals. A nil Log has noted nothing.
func (l *Log) Of(p *model.Position, before *book.BaselineRow, decimals int) (c Change, ok bool) {
	var total model.Sum
	for _, field := range profits {
		if !p.Number(field).IsAddable() || !before.Number(field).IsAddable() {
			return Change{}, false
		}
		total.Add(p.Number(field))
		total.Subtract(before.Number(field))
	}
	if total.LeftOut(decimals) != 0 {
		return Change{}, false
	}
	e := l.entry(p, before)
	switch {
	case e != nil:
		c = e.changes
		c.Price = total
		for _, part := range []*model.Sum{&c.Trading, &c.Loss, &c.Other, &c.Unsplit} {
			c.Price.SubtractSum(*part)
		}
		c.Bound = e.bound.sum(decimals)
	case before.IsOnlyPrice(p):
		c.Price = total
	default:
		c.Unsplit, c.IsUnsplit = total, !total.IsZero()
	}
	return c, true
}

// entry returns what was noted of a position since its baseline; nil if nothing was, or if it is not all.
func (l *Log) entry(p *model.Position, before *book.BaselineRow) *entry {
	if l == nil {
		return nil
	}
	was := holding{before.Number(model.OpenVolume), before.Number(model.RealisedPnl)}
	e := l.rows[p.Key]
	if e == nil || e.isBroken || e.since.Before(before.At) || e.first != was || e.last != holdingOf(p) {
		return nil
	}
	return e
}
