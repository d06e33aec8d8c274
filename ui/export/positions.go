package export

import (
	"io"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/columns"
	"blotter/ui/format"
)

// computed are the keys of the columns of positions that the service does not send.
var computed = []string{"asset", "mark", "notional", "m%", model.HalfLost.Key(), model.AllLost.Key()}

// positionKeys returns the columns of positions for programs: the fields of the interface, in its order.
func positionKeys() []string {
	fields := sent(positionColumns())
	slices.SortFunc(fields, func(a, b column[model.Position]) int { return strings.Compare(a.field, b.field) })
	return keysOf(fields)
}

// positionTableKeys returns the columns of a table of positions.
func positionTableKeys() []string { return keysOf(sent(positionColumns())) }

// sent returns the columns that the service sends.
func sent(all []column[model.Position]) []column[model.Position] {
	return slices.DeleteFunc(all, func(c column[model.Position]) bool { return slices.Contains(computed, c.key) })
}

// positionColumns are all columns of positions. Most have the keys of the screen's columns.
func positionColumns() []column[model.Position] {
	type position = model.Position
	decimals := func(of model.Field) func(*position, *model.Instruments) int {
		return func(p *position, in *model.Instruments) int { return in.Decimals(of, p.Market) }
	}
	number := func(of model.Field) column[position] {
		heading, keep := columns.NumberHeading(of)
		if of.IsTime() {
			return timeColumn(of.Key(), of.Name(), heading, func(p *position) model.Amount { return p.Number(of) })
		}
		return amountColumn(of.Key(), of.Name(), heading, keep, of.HasSign(), amounts[position]{
			func(p *position, _ *Options) (model.Amount, bool) { return p.Number(of), true }, decimals(of),
		})
	}
	mark := amountColumn("mark", "estimatedMarkPrice", "≈ MARK", 1, false, amounts[position]{
		func(p *position, o *Options) (model.Amount, bool) {
			mark, _, ok := model.Estimate(p, o.Instruments)
			return mark, ok
		}, decimals(model.AverageEntryPrice),
	})
	notional := amountColumn("notional", "estimatedNotional", "≈ NOTIONAL", 1, true, amounts[position]{
		func(p *position, o *Options) (model.Amount, bool) {
			_, notional, ok := model.Estimate(p, o.Instruments)
			return notional, ok
		}, decimals(model.UnrealisedPnl),
	})
	status := textColumn("status", "positionStatus", "STATUS", 7, func(p *position, _ *Options) string { return p.StatusName() })
	status.shown = func(p *position, _ *Options) string { return format.StatusWords(p) }
	all := []column[position]{
		partyColumn(func(p *position) model.ID { return p.Party }),
		marketColumn(func(p *position) model.ID { return p.Market }),
		assetColumn("assetId", func(p *position, in *model.Instruments) model.ID { return in.Market(p.Market).Asset }),
	}
	for f := range model.FieldCount {
		if f == model.UpdatedAt {
			all = append(all, status)
		}
		all = append(all, number(f))
		switch f {
		case model.AverageEntryPrice:
			all = append(all, mark, notional)
		case model.UnrealisedPnl:
			all = append(all, ratioColumn(), distanceColumn(model.HalfLost), distanceColumn(model.AllLost))
		}
	}
	return all
}

// ratioColumn is the margin ratio in percent, empty if a position has none, or one that has ended.
func ratioColumn() column[model.Position] {
	c := textColumn("m%", "marginRatio", "uPNL/MM", 9, func(p *model.Position, o *Options) string {
		if ratio, ok := ratioOf(p, o); ok {
			return decimal(ratio.Permille(), 1)
		}
		return ""
	})
	c.number = true
	c.shown = func(p *model.Position, o *Options) string {
		if ratio, ok := ratioOf(p, o); ok {
			return ratio.String()
		}
		return ""
	}
	return c
}

// ratioOf returns the margin ratio of a position, and false if it has none, or one that has ended.
func ratioOf(p *model.Position, o *Options) (model.MarginRatio, bool) {
	if o.MarginRatio == nil {
		return model.MarginRatio{}, false
	}
	ratio, ok := o.MarginRatio(p)
	return ratio, ok && !ratio.HasEnded()
}

// distanceFields are the names of the distances to the limits of the margin ratio, in CSV and JSON.
var distanceFields = [model.RatioLimitCount]string{model.HalfLost: "estimatedChangeTo50", model.AllLost: "estimatedChangeTo100"}

// distanceColumn is the distance to a limit of the margin ratio in percent, empty if the ratio is.
func distanceColumn(to model.RatioLimit) column[model.Position] {
	text := func(p *model.Position, o *Options) string {
		ratio, ok := ratioOf(p, o)
		if !ok {
			return ""
		}
		distance, ok := model.DistanceTo(to, ratio, p, o.Instruments)
		if !ok {
			return ""
		}
		return distance.String()
	}
	c := textColumn(to.Key(), distanceFields[to], columns.DistanceName(to), 1, func(p *model.Position, o *Options) string {
		return strings.ReplaceAll(strings.Trim(text(p, o), "+%"), ",", "")
	})
	c.number, c.shown = true, text
	return c
}

// PositionKeys returns the keys of all columns of positions.
func PositionKeys() []string { return keysOf(positionColumns()) }

// positionRecords are positions with the columns of the options.
func positionRecords(rows []book.Row, format Format, o *Options) *records[model.Position] {
	shown := columnsOf(positionColumns(), format, o, positionTableKeys(), positionKeys())
	at := func(i int, p *model.Position) *model.Position {
		rows[i].Get(p)
		return p
	}
	return &records[model.Position]{columns: shown, count: len(rows), at: at, options: o}
}

// WritePositions writes positions in the order given. Options.Columns must be PositionKeys.
func WritePositions(w io.Writer, format Format, rows []book.Row, options Options) (Result, error) {
	return positionRecords(rows, format, &options).write(w, format)
}

// PositionLines makes lines of NDJSON of positions that change.
type PositionLines struct {
	positions, keys *records[model.Position]
	leads, keyLeads []string
}

// NewPositionLines returns a PositionLines. Options.Columns must be PositionKeys.
func NewPositionLines(options Options) *PositionLines {
	keysOnly := options
	keysOnly.Columns = []string{"market", "party"}
	l := &PositionLines{positions: positionRecords(nil, NDJSON, &options), keys: positionRecords(nil, NDJSON, &keysOnly)}
	l.leads, l.keyLeads = l.positions.jsonLeads(), l.keys.jsonLeads()
	return l
}

// Append appends the line of a position.
func (l *PositionLines) Append(line []byte, p *model.Position) []byte {
	return append(l.positions.appendRecord(line, p, l.leads), '\n')
}

// Unscaled returns how many numbers are empty in the lines so far, because their decimals are not known.
func (l *PositionLines) Unscaled() int { return l.positions.result.Unscaled }

// AppendRemoved appends the line of a position that was removed. It has the party and the market, whatever the columns
// are.
func (l *PositionLines) AppendRemoved(line []byte, key model.Key) []byte {
	line = l.keys.appendRecord(line, &model.Position{Key: key}, l.keyLeads)
	return append(line[:len(line)-1], `,"removed":true}`+"\n"...)
}
