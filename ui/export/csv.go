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
	lines.Flush()
	if err := lines.Error(); err != nil {
		return err
	}
	return r.writeCSVRows(w)
}

// writeCSVRows writes the rows without the names of the fields.
func (r *records[R]) writeCSVRows(w io.Writer) error {
	return r.writeChunks(w, func(c *chunk[R], from, to int) {
		lines := csv.NewWriter(&c.text)
		for i := from; i < to; i++ {
			texts := c.texts(c.at(i))
			for j, text := range texts {
				texts[j] = wording.SpreadsheetCell(text)
			}
			_ = lines.Write(texts) // a buffer takes everything
		}
		lines.Flush()
	})
}
