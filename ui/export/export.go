// Package export writes positions and margin levels for a pipe: as a table for people, or as CSV, JSON and NDJSON for
// programs.
//
// For programs every number is to the digit what the service wrote, and the fields are those of the service's
// interface, in its order. JSON loses nothing. CSV is often opened by a spreadsheet and a table ends on a terminal, so
// texts are neutralised in both.
package export

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"blotter/model"
)

// Format is how records are written.
type Format string

// The formats.
const (
	Table  Format = "table"  // names and scaled numbers, in columns
	CSV    Format = "csv"    // a line of field names, then one line for each record
	JSON   Format = "json"   // one array
	NDJSON Format = "ndjson" // one line with a JSON object for each record
)

// Formats returns the names of all formats.
func Formats() []string { return []string{string(Table), string(CSV), string(JSON), string(NDJSON)} }

// ParseFormat returns the format of that name. The error lists all names.
func ParseFormat(text string) (Format, error) {
	if !slices.Contains(Formats(), text) {
		return "", fmt.Errorf("must be one of %s, not %q", strings.Join(Formats(), ", "), text)
	}
	return Format(text), nil
}

// TableOptions are the names, the decimals and the time zone of a table. The other formats need none.
type TableOptions struct {
	Instruments *model.Instruments
	Zone        *time.Location
}

// records are rows for programs. The texts of a row are in the order of the fields.
type records struct {
	fields []string
	count  int
	texts  func(i int) []string
}

func (r records) write(w io.Writer, format Format) error {
	switch format {
	case CSV:
		return r.writeCSV(w)
	case JSON:
		return r.writeJSON(w)
	}
	return r.writeLines(w)
}
