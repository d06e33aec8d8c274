package export

import (
	"encoding/csv"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"blotter/model"
)

// TestManyRecordsAreWrittenInOrder, and each once, in all formats for programs.
func TestManyRecordsAreWrittenInOrder(t *testing.T) {
	const count = 5*chunkRecords + 7
	rows := make([]*model.Position, count)
	for i := range rows {
		rows[i] = &model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID(strconv.Itoa(i))}}
		rows[i].SetNumber(model.OpenVolume, model.AmountOf(int64(-i)))
	}
	options := Options{Instruments: model.NewInstruments(nil, nil, nil), Columns: []string{"market", "size", "m%"}, Scaled: true}
	options.MarginRatio = func(*model.Position) (model.MarginRatio, bool) { return model.MarginRatio{}, false }
	for _, format := range []Format{CSV, JSON, NDJSON} {
		var text strings.Builder
		result, err := WritePositions(&text, format, stored(rows), options)
		if err != nil || result.Unscaled != count-1 { // a size of 0 needs no decimals
			t.Errorf("%s: %d numbers are empty, want %d, %v", format, result.Unscaled, count-1, err)
		}
		for i, market := range marketsIn(t, format, text.String()) {
			if market != strconv.Itoa(i) {
				t.Fatalf("%s: record %d is of market %s", format, i, market)
			}
		}
		if n := len(marketsIn(t, format, text.String())); n != count {
			t.Errorf("%s: there are %d records, want %d", format, n, count)
		}
	}
}

// marketsIn returns the markets of the records of a text.
func marketsIn(t *testing.T, format Format, text string) (markets []string) {
	t.Helper()
	switch format {
	case CSV:
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			markets = append(markets, line[0])
		}
		return markets
	case NDJSON:
		text = "[" + strings.ReplaceAll(strings.TrimSpace(text), "\n", ",") + "]"
	}
	var records []map[string]string
	if err := json.Unmarshal([]byte(text), &records); err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		markets = append(markets, record["marketId"])
	}
	return markets
}
