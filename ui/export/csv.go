package export

import (
	"encoding/csv"
	"io"

	"blotter/model"
)

func (r records) writeCSV(w io.Writer) error {
	lines := csv.NewWriter(w)
	if err := lines.Write(r.fields); err != nil {
		return err
	}
	for i := range r.count {
		texts := r.texts(i)
		for j, text := range texts {
			texts[j] = model.SpreadsheetCell(text)
		}
		if err := lines.Write(texts); err != nil {
			return err
		}
	}
	lines.Flush()
	return lines.Error()
}
