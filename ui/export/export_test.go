package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// position returns a position with all numbers set.
func position(party, market string, numbers map[model.Field]string, status string) *model.Position {
	p := &model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}}
	for f, text := range numbers {
		p.SetNumber(f, model.ParseAmount(text))
	}
	if status != "" {
		p.SetStatus([]byte(status))
	}
	return p
}

var (
	long = position("p1", "m1", map[model.Field]string{
		model.AverageEntryPrice: "641205", model.LossSocialisationAmount: "0", model.OpenVolume: "1250",
		model.RealisedPnl: "-12000000000000000000000000000000000000000000", model.UnrealisedPnl: "34688", model.UpdatedAt: "1795240360702446000",
	}, "4")
	bare    = position("p2", "m2", nil, "")
	hostile = position("\x1b]0;x\a\"\\\u202e\u0085\x7f\u2028é😀", "=1+1", map[model.Field]string{
		model.OpenVolume: "007", model.RealisedPnl: "1k3", model.UnrealisedPnl: "-2", model.AverageEntryPrice: "+3,5", model.UpdatedAt: "-x",
	}, "9")
)

var options = Options{
	Instruments: model.NewInstruments(
		[]model.Party{{ID: model.MakeID("p1"), Name: "desk-1"}},
		[]model.Market{{ID: model.MakeID("m1"), Name: "BTC/USDT", Asset: model.MakeID("a1"), PriceDecimals: 1, SizeDecimals: 3}},
		[]model.Asset{{ID: model.MakeID("a1"), Symbol: "USDT", Decimals: 2}},
	),
	Zone: time.UTC,
}

// selectedOptions select some of the columns that are written by default, in the same order.
func selectedOptions(format Format) Options {
	some := options
	if some.Columns = strings.Fields("entry loss market size party status realised unrealised updated"); format == Table {
		some.Columns = strings.Fields("party market size entry unrealised realised loss status updated")
	}
	return some
}

// TestDefaultColumns: those of programs are in the order of the service.
func TestDefaultColumns(t *testing.T) {
	for format, all := range map[Format][]string{Table: positionTableKeys(), CSV: positionKeys()} {
		isWritten := func(key string) bool { return slices.Contains(selectedOptions(format).Columns, key) }
		if got := slices.DeleteFunc(all, func(key string) bool { return !isWritten(key) }); !slices.Equal(got, selectedOptions(format).Columns) {
			t.Errorf("%v: the columns are in the order %q", format, got)
		}
	}
}

func write(t *testing.T, format Format, rows ...*model.Position) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := WritePositions(&b, format, stored(rows), selectedOptions(format)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// stored returns positions as they are in a book.
func stored(positions []*model.Position) (rows []book.Row) {
	for _, p := range positions {
		table := book.NewRows()
		table.Put(p)
		rows = append(rows, table.Row(1))
	}
	return rows
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

const (
	longJSON = `{"averageEntryPrice":"641205","lossSocialisationAmount":"0","marketId":"m1","openVolume":"1250","partyId":"p1",` +
		`"positionStatus":"POSITION_STATUS_DISTRESSED","realisedPnl":"-12000000000000000000000000000000000000000000","unrealisedPnl":"34688","updatedAt":"1795240360702446000"}`
	bareJSON = `{"averageEntryPrice":"0","lossSocialisationAmount":"0","marketId":"m2","openVolume":"0","partyId":"p2",` +
		`"positionStatus":"POSITION_STATUS_UNSPECIFIED","realisedPnl":"0","unrealisedPnl":"0","updatedAt":"0"}`
	hostileJSON = `{"averageEntryPrice":"+3,5","lossSocialisationAmount":"0","marketId":"=1+1","openVolume":"007",` +
		`"partyId":"\u001b]0;x\u0007\"\\\u202e\u0085\u007f\u2028é😀","positionStatus":"9","realisedPnl":"1k3","unrealisedPnl":"-2","updatedAt":"-x"}`
)

func TestJSON(t *testing.T) {
	same(t, write(t, JSON), "[]\n")
	same(t, write(t, JSON, long), "[\n"+longJSON+"\n]\n")
	same(t, write(t, JSON, long, bare, hostile), "[\n"+longJSON+",\n"+bareJSON+",\n"+hostileJSON+"\n]\n")
	same(t, write(t, NDJSON), "")
	same(t, write(t, NDJSON, long, bare), longJSON+"\n"+bareJSON+"\n")
}

func TestJSONHasWholeTexts(t *testing.T) {
	var decoded []map[string]string
	if err := json.Unmarshal([]byte(write(t, JSON, hostile)), &decoded); err != nil {
		t.Fatal(err)
	}
	if got := decoded[0]["partyId"]; got != hostile.Party.String() {
		t.Errorf("%q became %q", hostile.Party, got)
	}
}

func TestEveryControlIsEscaped(t *testing.T) {
	for r := rune(0); r < 0x2100; r++ {
		text := string(appendString(nil, []byte(string(r))))
		var decoded string
		if err := json.Unmarshal([]byte(text), &decoded); err != nil || decoded != string(r) {
			t.Errorf("%U became %q: %v", r, decoded, err)
		}
		isControl := r < 0x20 || 0x7f <= r && r < 0xa0 || r == 0x61c || r == 0x200e || r == 0x200f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
		if isControl && !strings.HasPrefix(text, `"\u`) {
			t.Errorf("%U is not escaped", r)
		}
	}
}

func TestIdentifiersThatAreEmpty(t *testing.T) {
	nameless := position("", "", map[model.Field]string{model.OpenVolume: "7"}, "")
	same(t, write(t, Table, nameless), strings.TrimLeft(`
PARTY   MARKET  SIZE raw  ENTRY  UNREALISED  REALISED  LOSS SOCIALISED  STATUS  UPDATED
(none)  (none)        +7      0           0         0                0
`, "\n"))
	same(t, write(t, CSV, nameless), strings.Join(fieldsOf(positionColumns(), selectedOptions(CSV).Columns), ",")+"\n0,0,,7,,POSITION_STATUS_UNSPECIFIED,0,0,0\n")
	same(t, write(t, NDJSON, nameless), `{"averageEntryPrice":"0","lossSocialisationAmount":"0","marketId":"","openVolume":"7","partyId":"",`+
		`"positionStatus":"POSITION_STATUS_UNSPECIFIED","realisedPnl":"0","unrealisedPnl":"0","updatedAt":"0"}`+"\n")
}

func TestFollowingLines(t *testing.T) {
	lines := NewPositionLines(selectedOptions(NDJSON))
	same(t, string(lines.Append(nil, long)), longJSON+"\n")
	same(t, string(lines.AppendRemoved(nil, hostile.Key)), `{"marketId":"=1+1","partyId":"\u001b]0;x\u0007\"\\\u202e\u0085\u007f\u2028é😀","removed":true}`+"\n")
}

func TestCSV(t *testing.T) {
	same(t, write(t, CSV), "averageEntryPrice,lossSocialisationAmount,marketId,openVolume,partyId,positionStatus,realisedPnl,unrealisedPnl,updatedAt\n")
	text := write(t, CSV, long, hostile)
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	same(t, strings.Join(records[1], "|"), "641205|0|m1|1250|p1|POSITION_STATUS_DISTRESSED|-12000000000000000000000000000000000000000000|34688|1795240360702446000")
	same(t, strings.Join(records[2], "|"), `'+3,5|0|'=1+1|007|␛]0;x␇"\<U+202E><U+0085>␡<U+2028>é😀|9|1k3|-2|'-x`)
}

// TestAnEmptyOnlyCellOfCSV is in quotes, because readers skip empty lines.
func TestAnEmptyOnlyCellOfCSV(t *testing.T) {
	var b bytes.Buffer
	only := Options{Instruments: model.NewInstruments(nil, nil, nil), Columns: []string{"party"}}
	if _, err := WritePositions(&b, CSV, stored([]*model.Position{position("", "m1", nil, ""), position("p", "m1", nil, "")}), only); err != nil {
		t.Fatal(err)
	}
	same(t, b.String(), "partyId\n\"\"\np\n")
}

func TestTable(t *testing.T) {
	same(t, write(t, Table, long, bare, hostile), strings.TrimLeft(`
PARTY                                 MARKET      SIZE     ENTRY  UNREALISED                                                     REALISED  LOSS SOCIALISED  STATUS      UPDATED
desk-1                                BTC/USDT  +1.250  64,120.5     +346.88  -120,000,000,000,000,000,000,000,000,000,000,000,000,000.00             0.00  DISTRESSED  2026-11-21 05:52:40 UTC
p2                                    m2             0         0           0                                                            0                0
␛]0;x␇"\<U+202E><U+0085>␡<U+2028>é😀  =1+1      +7 raw  +3,5 raw      -2 raw                                                      1k3 raw                0  9           -x
`, "\n"))
}

// TestTablesHaveNoControlCharacters, whatever the service sends in place of a status or a number.
func TestTablesHaveNoControlCharacters(t *testing.T) {
	p := position("p1", "m1", map[model.Field]string{model.OpenVolume: "\x1b[2J5", model.UnrealisedPnl: "\u202e1", model.UpdatedAt: "\a"}, "\x1b]0;x\a")
	text := write(t, Table, p)
	for _, r := range text {
		if r != '\n' && unicode.IsControl(r) || r == 0x202e {
			t.Fatalf("the table has %U: %q", r, text)
		}
	}
	if want := "␛]0;x␇"; !strings.Contains(text, want) {
		t.Errorf("the table does not have the status %q: %q", want, text)
	}
}

// TestScaledNumbersThatAreNoIntegers are empty and counted, also if the decimals are known.
func TestScaledNumbersThatAreNoIntegers(t *testing.T) {
	scaled := options
	scaled.Scaled, scaled.Columns = true, []string{"size", "unrealised", "updated"}
	p := position("p1", "m1", map[model.Field]string{model.OpenVolume: "1k3", model.UnrealisedPnl: "150", model.UpdatedAt: "soon"}, "")
	var b bytes.Buffer
	result, err := WritePositions(&b, NDJSON, stored([]*model.Position{p}), scaled)
	if err != nil {
		t.Fatal(err)
	}
	same(t, b.String(), `{"openVolume":"","unrealisedPnl":"1.50","updatedAt":"soon"}`+"\n")
	if result.Unscaled != 1 {
		t.Errorf("%d numbers are counted as empty, want 1", result.Unscaled)
	}
}

// TestNamesInTables are in their own letters, as on the screen. Identifiers, which are of the service, are not.
func TestNamesInTables(t *testing.T) {
	named := options
	named.Instruments = model.NewInstruments([]model.Party{{ID: model.MakeID("p1"), Name: "مكتب\x1b"}}, []model.Market{{ID: model.MakeID("m1"), Name: "e\u0301cole"}}, nil)
	other := position("مكتب", "m1", nil, "")
	var positions, events bytes.Buffer
	if _, err := WritePositions(&positions, Table, stored([]*model.Position{long, other}), named); err != nil {
		t.Fatal(err)
	}
	first, _ := event.New(nil, long, book.ChangedByUpdate, time.Unix(1, 0))
	second, _ := event.New(nil, position("مكتب", "m1", map[model.Field]string{model.OpenVolume: "1"}, ""), book.ChangedByUpdate, time.Unix(2, 0))
	if err := NewEventWriter(&events, Table, named).Write([]event.Event{first, second}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{positions.String(), events.String()} {
		for _, want := range []string{"ǀمكتب␛ǀ ", " e\u0301cole ", "<U+0645><U+0643><U+062A><U+0628> "} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
	}
}

// TestAnIdentifierThatIsTheNameOfAnother is marked where names are written, as on the screen.
func TestAnIdentifierThatIsTheNameOfAnother(t *testing.T) {
	named := options
	named.Names, named.Columns = true, []string{"party", "market"}
	other := position("desk-1", "BTC/USDT", nil, "")
	for format, want := range map[Format]string{
		Table:  "PARTY      MARKET\ndesk-1     BTC/USDT\nid desk-1  id BTC/USDT\n",
		CSV:    "party,market\ndesk-1,BTC/USDT\nid desk-1,id BTC/USDT\n",
		NDJSON: `{"party":"desk-1","market":"BTC/USDT"}` + "\n" + `{"party":"id desk-1","market":"id BTC/USDT"}` + "\n",
	} {
		var b bytes.Buffer
		if _, err := WritePositions(&b, format, stored([]*model.Position{long, other}), named); err != nil {
			t.Fatal(err)
		}
		same(t, b.String(), want)
	}
}

func TestLongNumbersAreNotCut(t *testing.T) {
	row := func(digits int) *model.Position {
		number := strings.Repeat("9", digits)
		return position("p1", "m1", map[model.Field]string{model.OpenVolume: number, model.RealisedPnl: number}, "")
	}
	if text := write(t, Table, row(47)); !strings.Contains(text, ",999.999 ") || !strings.Contains(text, ",999.99 ") {
		t.Errorf("got\n%s", text)
	}
	if text := write(t, Table, row(90)); strings.Contains(text, "9") || !strings.Contains(text, "####") {
		t.Errorf("got\n%s", text)
	}
}

func TestLongCellsAreCut(t *testing.T) {
	identifier := strings.Repeat("0123456789abcdef", 4)
	text := write(t, Table, position(identifier, strings.Repeat("m", 10000), nil, ""))
	if !strings.Contains(text, identifier+"  "+strings.Repeat("m", 63)+"…  ") {
		t.Errorf("got\n%s", text)
	}
}

func TestMargins(t *testing.T) {
	rows := []model.MarginLevels{{
		MarginKey:   model.MarginKey{Key: model.Key{Party: model.MakeID("p1"), Market: model.MakeID("m1")}, Asset: model.MakeID("a1")},
		Maintenance: model.ParseAmount("120000"), Search: model.ParseAmount("132000"), Initial: model.ParseAmount("144000"),
		Release: model.ParseAmount("168000"), Timestamp: model.ParseAmount("1795240360702446000"),
		MarginTexts: model.MarginTexts{model.MarginMode: "MARGIN_MODE_ISOLATED_MARGIN", model.MarginFactor: "0.25", model.OrderMargin: "12345"},
	}, {MarginTexts: model.MarginTexts{model.MarginMode: "ESC\x1b"}}, {}}
	for format, want := range map[Format]string{
		NDJSON: `{"asset":"a1","collateralReleaseLevel":"168000","initialMargin":"144000","maintenanceMargin":"120000","marginFactor":"0.25","marginMode":"MARGIN_MODE_ISOLATED_MARGIN","marketId":"m1","orderMargin":"12345","partyId":"p1","searchLevel":"132000","timestamp":"1795240360702446000"}` + "\n" +
			`{"asset":"","collateralReleaseLevel":"0","initialMargin":"0","maintenanceMargin":"0","marginMode":"ESC\u001b","marketId":"","partyId":"","searchLevel":"0","timestamp":"0"}` + "\n" +
			`{"asset":"","collateralReleaseLevel":"0","initialMargin":"0","maintenanceMargin":"0","marketId":"","partyId":"","searchLevel":"0","timestamp":"0"}` + "\n",
		CSV: "asset,collateralReleaseLevel,initialMargin,maintenanceMargin,marginFactor,marginMode,marketId,orderMargin,partyId,searchLevel,timestamp\n" +
			"a1,168000,144000,120000,0.25,MARGIN_MODE_ISOLATED_MARGIN,m1,12345,p1,132000,1795240360702446000\n,0,0,0,,ESC␛,,,,0,0\n,0,0,0,,,,,,0,0\n",
		Table: "PARTY   MARKET    ASSET   MAINTENANCE    SEARCH   INITIAL   RELEASE  RECORDED                 MODE      FACTOR  ORDER MARGIN\n" +
			"desk-1  BTC/USDT  USDT       1,200.00  1,320.00  1,440.00  1,680.00  2026-11-21 05:52:40 UTC  isolated  0.25          123.45\n" +
			"(none)  (none)    (none)            0         0         0         0                           ESC␛\n" +
			"(none)  (none)    (none)            0         0         0         0\n",
	} {
		var b bytes.Buffer
		some := options
		if format != Table {
			some.Columns = strings.Fields("asset release initial maintenance factor mode market orders party search recorded")
		}
		if _, err := WriteMargins(&b, format, rows, some); err != nil {
			t.Fatal(err)
		}
		same(t, b.String(), want)
	}
	var b bytes.Buffer
	chosen := options
	chosen.Columns = []string{"mode", "factor"}
	if _, err := WriteMargins(&b, NDJSON, rows, chosen); err != nil {
		t.Fatal(err)
	}
	same(t, b.String(), `{"marginMode":"MARGIN_MODE_ISOLATED_MARGIN","marginFactor":"0.25"}`+"\n"+`{"marginMode":"ESC\u001b"}`+"\n"+
		`{"marginMode":"","marginFactor":""}`+"\n") // the schema wants a field
	b.Reset()
	if _, err := WriteMargins(&b, Table, rows[2:], options); err != nil || strings.Contains(b.String(), "MODE") {
		t.Errorf("a table without other modes than the usual one is\n%s", b.String())
	}
	b.Reset()
	if _, err := WriteMargins(&b, JSON, nil, options); err != nil || b.String() != "[]\n" {
		t.Errorf("%q %v", b.String(), err)
	}
}

// TestTableFitsTheTerminal: names are cut, but not to the same text. Then columns are left out, and the result names
// them.
func TestTableFitsTheTerminal(t *testing.T) {
	begin := strings.Repeat("a", 30)
	rows := []*model.Position{
		position(begin+"1"+begin, "m1", map[model.Field]string{model.OpenVolume: "1250", model.UnrealisedPnl: "-7"}, "4"),
		position(begin+"2"+begin, "m1", map[model.Field]string{model.OpenVolume: "-1", model.UnrealisedPnl: "123456789"}, ""),
	}
	for width, want := range map[int]string{500: "", 110: "", 70: "LOSS SOCIALISED UPDATED REALISED", 40: "LOSS SOCIALISED UPDATED REALISED ENTRY STATUS SIZE"} {
		narrow := selectedOptions(Table)
		narrow.Width = width
		var b bytes.Buffer
		result, err := WritePositions(&b, Table, stored(rows), narrow)
		if err != nil || strings.Join(result.LeftOut, " ") != want {
			t.Errorf("in %d cells the columns %q are left out, want %q", width, result.LeftOut, want)
		}
		lines := strings.Split(strings.TrimSpace(b.String()), "\n")
		for _, line := range lines {
			if len([]rune(line)) > width {
				t.Errorf("a line is wider than %d cells:\n%s", width, b.String())
			}
		}
		first, _, _ := strings.Cut(lines[1], " ")
		second, _, _ := strings.Cut(lines[2], " ")
		if first == second || !strings.Contains(b.String(), "+1,234,567.89") {
			t.Errorf("in %d cells the table is\n%s", width, b.String())
		}
	}
}

// TestCellsOfCSV are those that encoding/csv writes of the texts for a spreadsheet, also if they are plain.
func TestCellsOfCSV(t *testing.T) {
	texts := []string{"", "-", "-1", "+1.50", "-1.2.3", "-1.", "--1", "-1a", `\.`, "a,b", `a"b`, " a", "a b", "a\nb", "=1", "@", "a=1", "a-b/c:d_e.f", "é", "＝1", "2026-01-02T03:04:05Z"}
	for c := range rune(0x180) {
		texts = append(texts, string(c), "a"+string(c), "-1"+string(c))
	}
	for _, text := range texts {
		var want bytes.Buffer
		lines := csv.NewWriter(&want)
		if err := lines.Write([]string{spreadsheetCell(text)}); err != nil {
			t.Fatal(err)
		}
		lines.Flush()
		if got := string(appendCSV(nil, []byte(text))) + "\n"; got != want.String() {
			t.Errorf("%q became %q, want %q", text, got, want.String())
		}
	}
}

// TestAFormatThatIsNotKnownIsAnError, not silently another format.
func TestAFormatThatIsNotKnownIsAnError(t *testing.T) {
	for _, format := range []Format{"", "xml"} {
		if _, err := WritePositions(io.Discard, format, nil, Options{}); err == nil {
			t.Errorf("format %q is written", format)
		}
	}
}
