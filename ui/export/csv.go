package export

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"
)

func (r *records[R]) writeCSV(w io.Writer) error {
	if _, err := io.WriteString(w, strings.Join(r.fields(), ",")+"\n"); err != nil { // they need no quotes
		return err
	}
	return r.writeCSVRows(w)
}

// writeCSVRows writes the rows without the names of the fields.
func (r *records[R]) writeCSVRows(w io.Writer) error {
	leads := slices.Repeat([]string{","}, len(r.columns))
	leads[0] = ""
	return r.writeChunks(w, func(c *chunk[R], i int) {
		begin := len(c.text)
		if c.text = c.appendCells(c.text, c.record(i), leads, appendCSV, writeEmpty); len(c.text) == begin {
			c.text = append(c.text, `""`...) // readers skip empty lines
		}
		c.text = append(c.text, '\n')
	})
}

// appendCSV appends a cell of CSV. Nearly all texts are plain; encoding/csv writes the others.
func appendCSV(b, text []byte) []byte {
	if isPlainCell(text) {
		return append(b, text...)
	}
	var cell bytes.Buffer
	line := csv.NewWriter(&cell)
	_ = line.Write([]string{spreadsheetCell(string(text))}) // a buffer takes everything
	line.Flush()
	return append(b, bytes.TrimSuffix(cell.Bytes(), []byte("\n"))...)
}

// isPlainCell reports whether a text is written as it is: a number with a sign, or letters, digits and a few signs of
// ASCII.
func isPlainCell(text []byte) bool {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		return isSigned(string(text))
	}
	for _, c := range text {
		isDigit, isLetter := '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z'
		if !isDigit && !isLetter && c != '_' && c != '.' && c != ':' && c != '-' && c != '/' {
			return false
		}
	}
	return true
}
