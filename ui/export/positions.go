package export

import (
	"io"

	"blotter/model"
)

// positionFields are the fields of a position, in the order of the interface.
var positionFields = []string{
	"averageEntryPrice", "lossSocialisationAmount", "marketId", "openVolume", "partyId",
	"positionStatus", "realisedPnl", "unrealisedPnl", "updatedAt",
}

// keyFields are the fields that name a position.
var keyFields = []string{"marketId", "partyId"}

func positionTexts(p *model.Position) []string {
	return []string{
		p.Number(model.AverageEntryPrice).String(),
		p.Number(model.LossSocialisationAmount).String(),
		p.Market.String(),
		p.Number(model.OpenVolume).String(),
		p.Party.String(),
		p.StatusName(),
		p.Number(model.RealisedPnl).String(),
		p.Number(model.UnrealisedPnl).String(),
		p.Number(model.UpdatedAt).String(),
	}
}

// WritePositions writes positions in the order given.
func WritePositions(w io.Writer, format Format, rows []*model.Position, options TableOptions) error {
	if format == Table {
		return positionTable(rows, options).write(w)
	}
	texts := func(i int) []string { return positionTexts(rows[i]) }
	return records{positionFields, len(rows), texts}.write(w, format)
}

// AppendPosition appends the position as a line of NDJSON.
func AppendPosition(line []byte, p *model.Position) []byte {
	return append(appendObject(line, positionFields, positionTexts(p)), '\n')
}

// AppendRemoved appends a line of NDJSON for a position that is gone.
func AppendRemoved(line []byte, key model.Key) []byte {
	line = appendObject(line, keyFields, []string{key.Market.String(), key.Party.String()})
	return append(line[:len(line)-1], `,"removed":true}`+"\n"...)
}

func positionTable(rows []*model.Position, options TableOptions) *table {
	t := newTable("PARTY", "MARKET", ">SIZE", ">ENTRY", ">UNREALISED", ">REALISED", ">LOSS SOCIALISED", "STATUS", "UPDATED")
	for _, p := range rows {
		number := func(f model.Field, plus bool) string {
			return scaled(p.Number(f), options.Instruments.Decimals(f, p.Market), plus)
		}
		t.add(
			options.Instruments.Party(p.Party).Label(),
			options.Instruments.Market(p.Market).Label(),
			number(model.OpenVolume, true),
			number(model.AverageEntryPrice, false),
			number(model.UnrealisedPnl, true),
			number(model.RealisedPnl, true),
			number(model.LossSocialisationAmount, false),
			p.StatusWords(),
			timestamp(p.Number(model.UpdatedAt), options.Zone),
		)
	}
	return t
}
