package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"blotter/model"
)

// messages reads the messages in a body, one line each, up to the error that ends them.
func messages(body io.Reader) (lines []string, err error) {
	r := NewReader(body, testLimits)
	var m Message
	for {
		if err := r.Next(&m); err != nil {
			return lines, err
		}
		lines = append(lines, m.line())
	}
}

func (m *Message) line() string {
	line := fmt.Sprintf("page %t last %t %s updates %t %s", m.IsPage, m.LastPage, rowLines(m.Page), m.IsUpdate, rowLines(m.Updates))
	if m.Error != "" {
		line += " error " + m.Error
	}
	return line
}

func rowLines(rows []model.Position) string {
	var b strings.Builder
	for i := range rows {
		p := &rows[i]
		fmt.Fprintf(&b, "[%s %s", p.Party, p.Market)
		for _, f := range []model.Field{
			model.AverageEntryPrice, model.LossSocialisationAmount, model.OpenVolume, model.RealisedPnl, model.UnrealisedPnl, model.UpdatedAt,
		} {
			fmt.Fprintf(&b, " %s", p.Number(f))
		}
		fmt.Fprintf(&b, " %s]", p.StatusName())
	}
	return b.String()
}

// testLimits are those of the tests that are not about limits.
var testLimits = Limits{MessageBytes: 64 << 20}

const (
	onePosition = `{"marketId":"b","partyId":"a","averageEntryPrice":"1","lossSocialisationAmount":"2","openVolume":"3",` +
		`"realisedPnl":"4","unrealisedPnl":"-5","updatedAt":"6","positionStatus":4,"feesPaid":"7","more":{"openVolume":["x",{}]}}`
	onePositionLine = "[a b 1 2 3 4 -5 6 POSITION_STATUS_DISTRESSED]"
	onePage         = `{"result":{"snapshot":{"positions":[` + onePosition + `],"lastPage":true}}}`
	oneUpdate       = `{"result":{"updates":{"positions":[` + onePosition + `,{}]}}}`
)

var onePageLine, oneUpdateLine = "page true last true " + onePositionLine + " updates false ",
	"page false last false  updates true " + onePositionLine + "[  0 0 0 0 0 0 POSITION_STATUS_UNSPECIFIED]"

// TestFraming reads the same messages framed in many ways, and cut anywhere.
func TestFraming(t *testing.T) {
	indent := func(text string) string {
		for _, mark := range []string{"{", "}", "[", "]", ":", ","} {
			text = strings.ReplaceAll(text, mark, " \r\n\t"+mark+" \r\n")
		}
		return text
	}
	for name, text := range map[string]string{
		"lines":        onePage + "\n" + oneUpdate + "\n",
		"no last line": onePage + "\n" + oneUpdate,
		"concatenated": onePage + oneUpdate,
		"CRLF":         "\r\n" + onePage + "\r\n\r\n" + oneUpdate + "\r\n",
		"indented":     indent(onePage) + indent(oneUpdate),
	} {
		want := []string{onePageLine, oneUpdateLine}
		check := func(how string, body io.Reader) {
			t.Helper()
			if got, err := messages(body); err != io.EOF || !slices.Equal(got, want) {
				t.Errorf("%s, %s: %q, %v", name, how, got, err)
			}
		}
		check("whole", strings.NewReader(text))
		check("byte by byte", iotest.OneByteReader(strings.NewReader(text)))
		check("half by half", iotest.HalfReader(strings.NewReader(text)))
		check("with the end", iotest.DataErrReader(strings.NewReader(text)))
		for at := range text {
			check(fmt.Sprintf("cut at %d", at), io.MultiReader(strings.NewReader(text[:at]), strings.NewReader(text[at:])))
		}
	}
}

// TestTruncated: a stream that is cut short ends with an error after its whole messages.
func TestTruncated(t *testing.T) {
	text := onePage + oneUpdate
	for at := range text {
		want, end := []string(nil), errCut
		if at == 0 {
			end = io.EOF
		}
		if at >= len(onePage) {
			want = []string{onePageLine}
		}
		if at == len(onePage) {
			end = io.EOF
		}
		if got, err := messages(strings.NewReader(text[:at])); !errors.Is(err, end) || !slices.Equal(got, want) {
			t.Errorf("cut after %d bytes: %q, %v", at, got, err)
		}
		broken := io.MultiReader(strings.NewReader(text[:at]), iotest.ErrReader(io.ErrUnexpectedEOF))
		if got, err := messages(broken); !errors.Is(err, errCut) || !slices.Equal(got, want) {
			t.Errorf("broken after %d bytes: %q, %v", at, got, err)
		}
	}
}

// TestNumbersAreKeptExactly reads each number where a text is usual and where a number is.
func TestNumbersAreKeptExactly(t *testing.T) {
	for _, number := range []string{
		"0", "-0", "7", "-7", "9223372036854775807", "-9223372036854775808", "1234567890123456789012345678901234567890",
		"-99999999999999999999999999999999999999", "1.50", "-0.0", "1e3", "1E+3", "0.1", "123456789012345678901234567890.5",
	} {
		for _, wire := range []string{number, `"` + number + `"`} {
			got, err := messages(strings.NewReader(`{"result":{"updates":{"positions":[{"openVolume":` + wire + `}]}}}`))
			want := "page false last false  updates true [  0 0 " + number + " 0 0 0 POSITION_STATUS_UNSPECIFIED]"
			if err != io.EOF || len(got) != 1 || got[0] != want {
				t.Errorf("%s: %q, %v", wire, got, err)
			}
		}
	}
}

// endless returns a reader of a beginning and then of the same text again and again.
func endless(beginning, rest string) io.Reader {
	return io.MultiReader(strings.NewReader(beginning), &repeated{text: bytes.Repeat([]byte(rest), 4096)})
}

// TestEndless: a message without an end is refused at the limit, and takes no more memory than the limit.
func TestEndless(t *testing.T) {
	const limit = 2 << 20
	readMessage := func(body io.Reader) error {
		return NewReader(body, Limits{MessageBytes: limit}).Next(new(Message))
	}
	readPage := func(body io.Reader) error {
		_, err := ReadMarginPage(body, limit)
		return err
	}
	for _, c := range []struct {
		name, beginning, rest string
		read                  func(io.Reader) error
	}{
		{"text", `{"x":"`, "aaaaaaaaaaaaaaaa", readMessage},
		{"escapes", `{"x":"`, `\u0041\"\\`, readMessage},
		{"name", `{"`, "aaaaaaaaaaaaaaaa", readMessage},
		{"number", `{"x":`, "1111111111111111", readMessage},
		{"spaces", ``, "                ", readMessage},
		{"array", `{"x":[`, "0,0,0,0,0,0,0,0,", readMessage},
		{"positions", `{"result":{"updates":{"positions":[`, "{},{},{},{},{},{},{},{},", readMessage},
		{"identifiers", `{"result":{"updates":{"positions":[{"partyId":"`, "aaaaaaaaaaaaaaaa", readMessage},
		{"error", `{"error":{"details":[`, `{"message":"a"},`, readMessage},
		{"margin records", `{"marginLevels":{"edges":[`, "{},{},{},{},{},{},{},{},", readPage},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		err := c.read(endless(c.beginning, c.rest))
		runtime.ReadMemStats(&after)
		if !errors.Is(err, ErrTooLong) {
			t.Errorf("%s: %v", c.name, err)
		}
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 8*limit {
			t.Errorf("%s: %d bytes were allocated, with a limit of %d", c.name, grown, limit)
		}
	}
}

// TestLongErrorsAreCut: an error with many details becomes a short text.
func TestLongErrorsAreCut(t *testing.T) {
	var b strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&b, `{"message":"m%d"},`, i)
	}
	text := `{"error":{"details":[` + b.String() + `{}]}}`
	d := NewReader(strings.NewReader(text), Limits{MessageBytes: 1 << 30})
	var m Message
	if err := d.Next(&m); err != nil || len(m.Error) > 1000 || !strings.HasPrefix(m.Error, "m0: m1: m2") {
		t.Errorf("%d bytes of error, %v", len(m.Error), err)
	}
}

// TestLimit: a message of just the limit is read and one byte more is refused, however the bytes come. A position
// counts with its size in memory if its text is shorter.
func TestLimit(t *testing.T) {
	rows := `{"result":{"updates":{"positions":[{},{}]}}}`
	for text, size := range map[string]int64{
		`{"x":"` + strings.Repeat("y", 100_000) + `"}`: 100_008,
		`  {"error":{"message":"m"}}`:                  27,
		rows:                                           int64(len(rows)) + 2*int64(unsafe.Sizeof(model.Position{})-2),
	} {
		for _, limit := range []int64{size, size - 1} {
			for how, body := range map[string]io.Reader{
				"whole": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)), "with more": strings.NewReader(text + text),
			} {
				err := NewReader(body, Limits{MessageBytes: limit}).Next(new(Message))
				if (err == nil) != (limit == size) || err != nil && !errors.Is(err, ErrTooLong) {
					t.Errorf("%.30s of %d bytes, %s, limit %d: %v", text, size, how, limit, err)
				}
			}
		}
	}
}

// TestLargeBuffersAreReleased: after a large message the reader and the message keep little memory.
func TestLargeBuffersAreReleased(t *testing.T) {
	positions := strings.Repeat(`{"partyId":"a","unknown":"`+strings.Repeat("x", 1000)+`"},`, 5000)
	for _, member := range []string{"snapshot", "updates"} {
		r := NewReader(strings.NewReader(`{"result":{"`+member+`":{"positions":[`+positions+`{}]}}}`+oneUpdate), testLimits)
		var m Message
		if err := r.Next(&m); err != nil || len(m.Page)+len(m.Updates) != 5001 || append(m.Page, m.Updates...)[4999].Party != model.MakeID("a") {
			t.Fatal(len(m.Page), len(m.Updates), err)
		}
		if err := r.Next(&m); err != nil || m.line() != oneUpdateLine {
			t.Error(m.line(), err)
		}
		if len(r.buffer) > smallMessage || cap(m.Page) > rowsKept || cap(m.Updates) > rowsKept {
			t.Errorf("%s: the reader keeps %d bytes, the message %d and %d rows", member, len(r.buffer), cap(m.Page), cap(m.Updates))
		}
	}
}

// TestTheLimitIsForEachMessage: a stream of many messages may be longer.
func TestTheLimitIsForEachMessage(t *testing.T) {
	text := benchmarkMessage(false)
	d := NewReader(&repeated{text: text}, Limits{MessageBytes: int64(len(text)) + 1<<10})
	for range 100 {
		if err := d.Next(new(Message)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAllocations: nothing is allocated for a message like those before.
func TestAllocations(t *testing.T) {
	for _, reordered := range []bool{false, true} {
		d := NewReader(&repeated{text: benchmarkMessage(reordered)}, testLimits)
		var m Message
		read := func() {
			if err := d.Next(&m); err != nil {
				t.Fatal(err)
			}
		}
		read()
		if got := testing.AllocsPerRun(100, read); got > 1 {
			t.Errorf("%v allocations a message", got)
		}
	}
}
