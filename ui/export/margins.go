package export

import (
	"io"

	"blotter/model"
)

// marginFields are the fields of a margin record, in the order of the interface.
var marginFields = []string{
	"asset", "collateralReleaseLevel", "initialMargin", "maintenanceMargin",
	"marketId", "partyId", "searchLevel", "timestamp",
}

func marginTexts(m *model.MarginLevels) []string {
	return []string{
		m.Asset.String(),
		m.Release.String(),
		m.Initial.String(),
		m.Maintenance.String(),
		m.Market.String(),
		m.Party.String(),
		m.Search.String(),
		m.Timestamp.String(),
	}
}

// WriteMargins writes margin records in the order given.
func WriteMargins(w io.Writer, format Format, rows []model.MarginLevels, options TableOptions) error {
	if format == Table {
		return marginTable(rows, options).write(w)
	}
	texts := func(i int) []string { return marginTexts(&rows[i]) }
	return records{marginFields, len(rows), texts}.write(w, format)
}

func marginTable(rows []model.MarginLevels, options TableOptions) *table {
	t := newTable("PARTY", "MARKET", "ASSET", ">MAINTENANCE", ">SEARCH", ">INITIAL", ">RELEASE", "TIME")
	for i := range rows {
		m := &rows[i]
		asset := options.Instruments.Asset(m.Asset)
		t.add(
			options.Instruments.Party(m.Party).Label(),
			options.Instruments.Market(m.Market).Label(),
			asset.Label(),
			scaled(m.Maintenance, asset.Decimals, false),
			scaled(m.Search, asset.Decimals, false),
			scaled(m.Initial, asset.Decimals, false),
			scaled(m.Release, asset.Decimals, false),
			timestamp(m.Timestamp, options.Zone),
		)
	}
	return t
}
