package export

import (
	"strings"
	"unicode/utf8"

	"blotter/model"
)

// formulaStarts are the characters that a spreadsheet reads as the start of a formula, with the full-width forms.
const formulaStarts = "=+-@\t\r\n＝＋－＠"

// spreadsheetCell returns a text for a cell of a spreadsheet, neutralised. A text that a spreadsheet would run as a
// formula gets an apostrophe before it; a negative number stays a number.
func spreadsheetCell(text string) string {
	safe := model.Neutralise(text)
	first, _ := utf8.DecodeRuneInString(text)
	if text != "" && strings.ContainsRune(formulaStarts, first) && !isSigned(text) {
		return "'" + safe
	}
	return safe
}

// isSigned reports whether a text that is not empty is a sign and a decimal number. A spreadsheet reads it as a number,
// although it begins like a formula.
func isSigned(text string) bool {
	whole, fraction, hasPoint := strings.Cut(text[1:], ".")
	return (text[0] == '+' || text[0] == '-') && areDigits(whole) && (!hasPoint || areDigits(fraction))
}

func areDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
