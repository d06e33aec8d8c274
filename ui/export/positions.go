package export

import (
	"io"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/format"
)

// positionKeys returns the columns of positions for programs: the fields of the interface, in its order.
func positionKeys() []string {
	sent := sentColumns()
	slices.SortFunc(sent, func(a, b columns.Printed) int { return strings.Compare(a.Field, b.Field) })
	return printedKeys(sent)
}

func positionTableKeys() []string { return printedKeys(sentColumns()) }

func sentColumns() []columns.Printed {
	return slices.DeleteFunc(columns.AllPrinted(), func(c columns.Printed) bool { return c.IsComputed })
}

func printedKeys(all []columns.Printed) (keys []string) {
	for _, c := range all {
		keys = append(keys, c.Key)
	}
	return keys
}

func positionColumns() (all []column[model.Position]) {
	for _, c := range columns.AllPrinted() {
		all = append(all, positionColumn(c))
	}
	return all
}

// positionColumn returns a column of positions as it is written in each format.
func positionColumn(c columns.Printed) column[model.Position] {
	type position = model.Position
	switch {
	case c.Key == view.PartyColumn.Key():
		return partyColumn(func(p *position) model.ID { return c.ID(p, nil) })
	case c.Key == view.MarketColumn.Key():
		return marketColumn(func(p *position) model.ID { return c.ID(p, nil) })
	case c.ID != nil:
		return assetColumn(c.Field, c.ID)
	case c.Number.Of != nil && c.Number.Unit.IsTime():
		return timeColumn(c.Key, c.Field, c.Heading, func(p *position) model.Amount { at, _ := c.Number.Of(p, nil); return at.Amount })
	case c.Number.Of != nil:
		return numberColumn(c)
	case c.Percent != nil:
		return percentColumn(c)
	case c.Amount != nil:
		return levelColumn(c)
	case c.Figure != nil:
		text := textColumn(c.Key, c.Field, c.Heading, c.Keep, func(p *position, o *Options) string {
			return c.Figure(p, o.levelsOf(p), o.Instruments)
		})
		text.number = true
		return text
	}
	text := textColumn(c.Key, c.Field, c.Heading, c.Keep, func(p *position, _ *Options) string { name, _ := c.Text(p); return name })
	text.shown = func(p *position, _ *Options) string { _, words := c.Text(p); return words }
	return text
}

// numberColumn is a column of a number that the service sends, or of an estimate. In units of the last decimal, digits
// of an estimate that are not known are zeros.
func numberColumn(c columns.Printed) column[model.Position] {
	decimals := func(p *model.Position, in *model.Instruments) int { return in.Decimals(c.Number.Unit, p.Market) }
	number := func(p *model.Position, o *Options) (model.Amount, bool) {
		e, ok := c.Number.Of(p, o.Instruments)
		return e.Known(decimals(p, o.Instruments)), ok && e.IsKnown(decimals(p, o.Instruments), format.EveryDigit)
	}
	of := amountColumn(c.Key, c.Field, c.Heading, c.Keep, c.Number.HasSign, amounts[model.Position]{number, decimals})
	if c.IsComputed {
		of.scaled = func(p *model.Position, o *Options) (string, bool) {
			if e, ok := c.Number.Of(p, o.Instruments); ok {
				return estimated(e, decimals(p, o.Instruments)), true
			}
			return "", true
		}
		of.shown = func(p *model.Position, o *Options) string {
			e, _ := c.Number.Of(p, o.Instruments)
			return format.Estimate(e, decimals(p, o.Instruments), format.EveryDigit, c.Number.HasSign).Text
		}
	}
	return of
}

// percentColumn is a column that is worked out from the margin ratio, empty if a position has none, or one that has
// ended.
func percentColumn(c columns.Printed) column[model.Position] {
	shown := func(p *model.Position, o *Options) string { return percentOf(&c, p, o.Instruments, o.MarginRatio) }
	text := textColumn(c.Key, c.Field, c.Heading, c.Keep, func(p *model.Position, o *Options) string {
		return strings.ReplaceAll(strings.Trim(shown(p, o), "+%"), ",", "")
	})
	text.number, text.shown = true, shown
	return text
}

// levelColumn is a column of an amount of the margin record, empty if a position has none, or if its asset is not
// known.
func levelColumn(c columns.Printed) column[model.Position] {
	of := func(p *model.Position, o *Options) (model.Amount, bool) {
		levels := o.levelsOf(p)
		if levels == nil || o.Instruments.Market(p.Market).Asset.IsZero() {
			return model.Amount{}, false
		}
		return c.Amount(levels), true
	}
	decimals := func(p *model.Position, in *model.Instruments) int { return in.Decimals(model.UnrealisedPnl, p.Market) }
	return amountColumn(c.Key, c.Field, c.Heading, c.Keep, false, amounts[model.Position]{of, decimals})
}

// percentOf returns what a column has that is worked out from the margin ratio; empty if there is none, or one that has
// ended. The function ratioOf is as Options.MarginRatio.
func percentOf(
	c *columns.Printed, p *model.Position, in *model.Instruments, ratioOf func(*model.Position) (model.MarginRatio, bool),
) string {
	if ratioOf == nil {
		return ""
	}
	ratio, ok := ratioOf(p)
	if !ok || ratio.HasEnded() {
		return ""
	}
	return c.Percent(ratio, p, in)
}

// PositionKeys returns the keys of all columns of positions.
func PositionKeys() []string { return keysOf(positionColumns()) }

// positionRecords are positions with the columns of the options.
func positionRecords(rows []book.Row, format Format, o *Options) *records[model.Position] {
	return positionsAt(len(rows), format, o, func(i int, p *model.Position) *model.Position {
		rows[i].Get(p)
		return p
	})
}

// positionsAt are count positions with the columns of the options; at returns each.
func positionsAt(count int, format Format, o *Options, at func(i int, into *model.Position) *model.Position) *records[model.Position] {
	shown := columnsOf(positionColumns(), format, o, positionTableKeys(), positionKeys())
	return &records[model.Position]{columns: shown, count: count, at: at, options: o}
}

// WritePositions writes positions in the order given. Options.Columns are PositionKeys, or none.
func WritePositions(w io.Writer, format Format, rows []book.Row, options Options) (Result, error) {
	return positionRecords(rows, format, &options).write(w, format)
}

// WriteCopies does what WritePositions does with copies of positions.
func WriteCopies(w io.Writer, format Format, copies []model.Position, options Options) (Result, error) {
	at := func(i int, _ *model.Position) *model.Position { return &copies[i] }
	return positionsAt(len(copies), format, &options, at).write(w, format)
}

// PositionLines makes lines of NDJSON of positions that change.
type PositionLines struct {
	positions, keys *records[model.Position]
	leads, keyLeads []string
}

// NewPositionLines returns a PositionLines. Options.Columns are PositionKeys, or none.
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
