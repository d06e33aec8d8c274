package wording

import (
	"regexp"
	"strings"

	"blotter/model"
)

// formulaStarts are the characters that a spreadsheet reads as the start of a formula, with the full-width forms.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// spreadsheetNumber matches what a spreadsheet reads as a number, although it begins like a formula.
var spreadsheetNumber = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// SpreadsheetCell returns a text for a cell of a spreadsheet, neutralised. A text that a spreadsheet would run as a
// formula gets an apostrophe before it; a negative number stays a number.
func SpreadsheetCell(text string) string {
	safe := model.Neutralise(text)
	if text != "" && strings.ContainsRune(formulaStarts, []rune(text)[0]) && !spreadsheetNumber.MatchString(text) {
		return "'" + safe
	}
	return safe
}
