package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"blotter/feed/wire"
	"blotter/model"
)

// rowsOfLine is how many positions or margin records a line has at most.
const rowsOfLine = 256

// appendLine appends an entry as a line. Positions and margin records have the names of the interface, and come last,
// so that they can be read as those of the service are.
func appendLine(line []byte, e *entry) ([]byte, error) {
	head, err := json.Marshal(e)
	if err != nil {
		return line, fmt.Errorf("writing a line: %w", err)
	}
	line = append(line, head...)
	if len(e.positions)+len(e.levels) == 0 {
		return append(line, '\n'), nil
	}
	line = line[:len(line)-1]
	if len(e.positions) > 0 {
		line = append(line, positionsName...)
		for i := range e.positions {
			line = append(appendPosition(line, &e.positions[i]), ',')
		}
	} else {
		line = append(line, edgesName...)
		for i := range e.levels {
			line = append(appendLevels(line, &e.levels[i]), ',')
		}
	}
	return append(line[:len(line)-1], "]}\n"...), nil
}

const (
	positionsName = `,"positions":[`
	edgesName     = `,"edges":[`
)

// appendPosition appends a position as the service writes it: zeros are left out.
func appendPosition(b []byte, p *model.Position) []byte {
	b = append(b, `{"partyId":`...)
	b = appendText(b, p.Party.String())
	b = append(b, `,"marketId":`...)
	b = appendText(b, p.Market.String())
	for f, n := range p.Numbers() {
		if n != (model.Packed{}) {
			b = appendNumber(b, model.Field(f).Name(), p.Number(model.Field(f)))
		}
	}
	if p.Status() != model.StatusUnspecified {
		b = append(b, `,"positionStatus":`...)
		b = appendText(b, p.StatusName())
	}
	return append(b, '}')
}

// appendLevels appends a margin record as the service writes it.
func appendLevels(b []byte, m *model.MarginLevels) []byte {
	b = append(b, `{"node":{"partyId":`...)
	b = appendText(b, m.Party.String())
	b = append(b, `,"marketId":`...)
	b = appendText(b, m.Market.String())
	b = append(b, `,"asset":`...)
	b = appendText(b, m.Asset.String())
	b = appendNumber(b, "maintenanceMargin", m.Maintenance)
	b = appendNumber(b, "searchLevel", m.Search)
	b = appendNumber(b, "initialMargin", m.Initial)
	b = appendNumber(b, "collateralReleaseLevel", m.Release)
	b = appendNumber(b, "timestamp", m.Timestamp)
	return append(b, "}}"...)
}

func appendNumber(b []byte, name string, a model.Amount) []byte {
	b = append(b, `,"`...)
	b = append(b, name...)
	b = append(b, `":`...)
	if a.Packed().IsText() {
		return appendText(b, a.String())
	}
	b = append(b, '"')
	b = a.Append(b)
	return append(b, '"')
}

// appendText appends a text as JSON.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, err := jsontext.AppendQuote(b, text)
			if err != nil { // the text is no UTF-8: that is replaced
				quoted, _ = jsontext.AppendQuote(b, string(bytes.ToValidUTF8([]byte(text), []byte("\uFFFD"))))
			}
			return quoted
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

// lineReader reads lines.
type lineReader struct {
	source  bytes.Reader
	reader  *wire.Reader // of positions
	message wire.Message
}

var errBadLine = errors.New("a line cannot be read")

// read reads a line into an entry. Its positions are valid until the next call.
func (r *lineReader) read(line []byte, e *entry) error {
	*e = entry{}
	if at := bytes.Index(line, []byte(positionsName)); at > 0 {
		if err := decodeHead(line[:at], e); err != nil {
			return err
		}
		return r.readPositions(line[at+len(positionsName):], e)
	}
	if at := bytes.Index(line, []byte(edgesName)); at > 0 {
		page, err := wire.ReadMarginPage(io.MultiReader(bytes.NewReader([]byte(`{"marginLevels":{"edges":[`)), bytes.NewReader(line[at+len(edgesName):]),
			bytes.NewReader([]byte{'}'})), maxBlock)
		if err != nil {
			return fmt.Errorf("%w: %w", errBadLine, err)
		}
		e.levels = page.Rows
		return decodeHead(line[:at], e)
	}
	return decodeHead(line[:max(0, len(line)-1)], e)
}

// decodeHead reads a line without its last bracket.
func decodeHead(head []byte, e *entry) error {
	if err := json.Unmarshal(append(head[:len(head):len(head)], '}'), e); err != nil {
		return fmt.Errorf("%w: %w", errBadLine, err)
	}
	return nil
}

func (r *lineReader) readPositions(rest []byte, e *entry) error {
	const begin = `{"result":{"updates":{"positions":[`
	text := make([]byte, 0, len(begin)+len(rest)+2)
	text = append(append(append(text, begin...), rest...), "}}"...)
	r.source.Reset(text)
	if r.reader == nil {
		r.reader = wire.NewReader(&r.source, wire.Limits{MessageBytes: maxBlock})
	}
	if err := r.reader.Next(&r.message); err != nil {
		r.reader = nil
		return fmt.Errorf("%w: %w", errBadLine, err)
	}
	e.positions = r.message.Updates
	return nil
}

// timeOf returns the time of a line, which is its first member, and false if it has none.
func timeOf(line []byte) (int64, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"at":`))
	if !ok {
		return 0, false
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return 0, false
	}
	at, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	return at, err == nil && at >= 0
}
