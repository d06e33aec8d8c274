package export

import (
	"encoding/csv"
	"io"
	"regexp"
	"strings"

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
			texts[j] = csvCell(text)
		}
		if err := lines.Write(texts); err != nil {
			return err
		}
	}
	lines.Flush()
	return lines.Error()
}

// formulaStarts are the characters that a spreadsheet reads as the start of a formula, with the full-width forms.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// number matches what a spreadsheet reads as a number, although it begins like a formula.
var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// csvCell returns the text neutralised. A text that a spreadsheet would run as a formula gets an apostrophe before it;
// a negative number stays a number.
func csvCell(text string) string {
	safe := model.Neutralise(text)
	if text != "" && strings.ContainsRune(formulaStarts, []rune(text)[0]) && !number.MatchString(text) {
		return "'" + safe
	}
	return safe
}
