package export

import (
	"encoding/csv"
	"io"

	"blotter/ui/wording"
)

func (r *records[R]) writeCSV(w io.Writer) error {
	lines := csv.NewWriter(w)
	if err := lines.Write(r.fields()); err != nil {
		return err
	}
	return r.writeCSVRows(lines)
}

// writeCSVRows writes the rows without the names of the fields.
func (r *records[R]) writeCSVRows(lines *csv.Writer) error {
	for i := range r.count {
		texts := r.texts(r.at(i))
		for j, text := range texts {
			texts[j] = wording.SpreadsheetCell(text)
		}
		if err := lines.Write(texts); err != nil {
			return err
		}
	}
	lines.Flush()
	return lines.Error()
}
