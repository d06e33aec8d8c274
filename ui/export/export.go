// Package export writes positions, margin levels and their totals for a pipe: as a table for people, or as CSV, JSON
// and NDJSON for programs.
//
// For programs every number has exactly the digits that the service wrote, and the fields are those of the service's
// interface, in its order, unless Options name others. In JSON all texts are complete. CSV is often opened by a
// spreadsheet and a table is shown on a terminal, so texts are neutralised in both. Names in a table are as on the
// screen.
//
// It also writes what is copied to the terminal's clipboard, for a spreadsheet or a chat: one line for each position,
// group or event, with a tab between two fields, whole identifiers and every digit. These texts are neutralised too,
// because a clipboard may be pasted into a shell.
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

// Options set what is written of each record, and how.
type Options struct {
	Instruments *model.Instruments
	Zone        *time.Location // of the times in tables
	Columns     []string       // the keys of the columns, in order; the default of the format if there are none
	Names       bool           // names in place of identifiers, in CSV and JSON; a table always has names
	Scaled      bool           // decimal points and times in RFC 3339, in CSV and JSON; tables have decimal points
	Width       int            // the width of the terminal that a table is written to; 0: no limit

	// MarginRatio returns the margin ratio of a position, and false if it has none. Nil if ratios were not read.
	MarginRatio func(*model.Position) (model.MarginRatio, bool)
	// Levels returns the margin record of an open position, and nil if there is none. Nil if records were not read.
	Levels func(*model.Position) *model.MarginLevels
}

// levelsOf returns the margin record of an open position; nil if there is none, or if records were not read.
func (o *Options) levelsOf(p *model.Position) *model.MarginLevels {
	if o.Levels == nil {
		return nil
	}
	return o.Levels(p)
}

// Result is what was not written.
type Result struct {
	Unscaled int      // numbers that are empty because their decimals are not known, with Options.Scaled
	LeftOut  []string // the headings of the columns for which the terminal is too narrow
}

// records are the records and columns that are written.
type records[R any] struct {
	columns []column[R]
	count   int
	at      func(i int, into *R) *R // may use into for what it returns
	options *Options
	result  Result
	current R                     // for what at returns
	buffer  []byte                // for the text of a cell
	written []map[model.ID]string // by column: cells of identifiers that were written already
}

// columnsOf returns the columns of the options, whose keys were checked. Without any they are those by default: of a
// table, or for programs.
func columnsOf[R any](all []column[R], format Format, o *Options, inTable, forPrograms []string) []column[R] {
	keys := o.Columns
	switch {
	case len(keys) > 0:
	case format == Table:
		keys = inTable
	default:
		keys = forPrograms
	}
	return selected(all, keys)
}

// selected returns the columns with these keys.
func selected[R any](all []column[R], keys []string) []column[R] {
	var columns []column[R]
	for _, key := range keys {
		i := slices.IndexFunc(all, func(c column[R]) bool { return c.key == key })
		columns = append(columns, all[i])
	}
	return columns
}

func keysOf[R any](all []column[R]) []string {
	var keys []string
	for _, c := range all {
		keys = append(keys, c.key)
	}
	return keys
}

// record returns record i, until the next call.
func (r *records[R]) record(i int) *R { return r.at(i, &r.current) }

func (r *records[R]) write(w io.Writer, format Format) (Result, error) {
	var err error
	switch format {
	case Table:
		err = r.writeTable(w)
	case CSV:
		err = r.writeCSV(w)
	case JSON:
		err = r.writeJSON(w)
	case NDJSON:
		err = r.writeLines(w)
	default:
		err = fmt.Errorf("format %q is unknown", format)
	}
	return r.result, err
}

func (r *records[R]) fields() []string {
	fields := make([]string, len(r.columns))
	for i := range r.columns {
		fields[i] = r.columns[i].fieldName(r.options)
	}
	return fields
}
