// Package plain writes positions and margin levels for a pipe: as a table for eyes, or as CSV, JSON and lines of
// JSON for programs.
//
// For programs every number is to the digit what the service wrote, and the fields are those of the service's
// interface, in its order. JSON loses nothing. CSV is often opened by a spreadsheet, so texts are made safe there;
// a table ends on a terminal, so they are made safe there too.
package plain

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
	Table Format = "table"  // names and scaled numbers, aligned
	CSV   Format = "csv"    // a header of field names, then a record a line
	JSON  Format = "json"   // one array
	Lines Format = "ndjson" // one JSON object a line
)

// Formats are the names of all of them.
func Formats() []string { return []string{string(Table), string(CSV), string(JSON), string(Lines)} }

// ParseFormat finds the format that a person names.
func ParseFormat(text string) (Format, error) {
	if !slices.Contains(Formats(), text) {
		return "", fmt.Errorf("must be one of %s, not %q", strings.Join(Formats(), ", "), text)
	}
	return Format(text), nil
}

// Look is what a table goes by. The other formats need none.
type Look struct {
	Instruments *model.Instruments
	Zone        *time.Location
}

// records are what is written for programs: the texts of row i stand for the fields.
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
