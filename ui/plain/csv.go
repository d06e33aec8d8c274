package plain

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
			texts[j] = cell(text)
		}
		if err := lines.Write(texts); err != nil {
			return err
		}
	}
	lines.Flush()
	return lines.Error()
}

// formulaStarts are what a spreadsheet takes for the beginning of a formula, the wide forms included.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// number is what a spreadsheet reads as a number although it begins like a formula.
var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// cell is the text as a spreadsheet may have it: neutralised, and where it would be run as a formula, with an
// apostrophe before it. A negative number stays one.
func cell(text string) string {
	safe := model.Neutralise(text)
	if text != "" && strings.ContainsRune(formulaStarts, []rune(text)[0]) && !number.MatchString(text) {
		return "'" + safe
	}
	return safe
}
