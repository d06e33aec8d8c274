package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

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
	line = append(line, head[:len(head)-1]...)
	switch {
	case len(e.positions) > 0:
		line = append(line, positionsName...)
		for i := range e.positions {
			line = append(appendPosition(line, &e.positions[i]), ',')
		}
		line[len(line)-1] = ']'
	case len(e.levels) > 0:
		line = append(line, edgesName...)
		for i := range e.levels {
			line = append(appendLevels(line, &e.levels[i]), ',')
		}
		line[len(line)-1] = ']'
	}
	return append(line, "}\n"...), nil
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
	for n := range model.MarginNumberCount {
		b = appendNumber(b, n.Name(), m.Number(n))
	}
	for t, text := range m.MarginTexts {
		if text != "" {
			b = append(b, `,"`...)
			b = append(b, model.MarginText(t).Name()...)
			b = appendText(append(b, `":`...), text)
		}
	}
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

// appendText appends a text as JSON. Most texts need no escapes: AppendQuote would take 1.4 times as long for an
// identifier.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			b, _ = jsontext.AppendQuote(b, text) // replaces what is not UTF-8
			return b
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

type lineReader struct {
	source  bytes.Reader
	reader  *wire.Reader // of positions
	message wire.Message
	entry   entry
}

var errBadLine = errors.New("a line cannot be read")

// read reads a line as an entry, which is valid until the next call.
func (r *lineReader) read(line []byte) (*entry, error) {
	r.entry = entry{}
	head, err := line[:max(0, len(line)-1)], error(nil)
	if before, positions, found := bytes.Cut(line, []byte(positionsName)); found {
		head = before
		r.entry.positions, err = r.readPositions(positions)
	} else if before, edges, found := bytes.Cut(line, []byte(edgesName)); found {
		head = before
		r.entry.levels, err = readLevels(edges)
	}
	if err == nil {
		err = json.Unmarshal(append(slices.Clip(head), '}'), &r.entry)
	}
	if err == nil {
		at, _ := timeOf(line)
		err = r.entry.check(at)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBadLine, err)
	}
	return &r.entry, nil
}

// readPositions reads the end of a line, as updates of a service.
func (r *lineReader) readPositions(rest []byte) ([]model.Position, error) {
	const begin = `{"result":{"updates":{"positions":[`
	r.source.Reset(slices.Concat([]byte(begin), rest, []byte("}}")))
	if r.reader == nil {
		r.reader = wire.NewReader(&r.source, wire.Limits{MessageBytes: maxBlock})
	}
	err := r.reader.Next(&r.message)
	if err != nil {
		r.reader = nil
	}
	return r.message.Updates, err
}

// readLevels reads the end of a line, as a page of a service.
func readLevels(rest []byte) ([]model.MarginLevels, error) {
	page, err := wire.ReadMarginPage(io.MultiReader(strings.NewReader(`{"marginLevels":{"edges":[`),
		bytes.NewReader(rest), strings.NewReader("}")), maxBlock)
	return page.Rows, err
}

// timeOf returns the time of a line, which is its first member, and false if it has none.
func timeOf(line []byte) (time.Duration, bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"at":`))
	if !ok {
		return 0, false
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return 0, false
	}
	at, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	return time.Duration(at), err == nil && at >= 0 && time.Duration(at) <= longest
}
