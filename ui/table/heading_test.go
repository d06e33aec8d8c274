package table

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"blotter/ui/draw"
)

// columnOf draws a table of names and of one column of numbers, and returns its lines without spaces.
func columnOf(width int, order string, cells ...draw.Cell) []string {
	t := tableOf(nil)
	t.Columns[1].Order, t.Columns[1].Keep = order, Always
	var rows []Row
	for _, c := range cells {
		rows = append(rows, Row{Mark: " ", Cells: []draw.Cell{{Text: "a"}, c}})
	}
	var lines []string
	for _, line := range t.Draw(rows, width) {
		lines = append(lines, strings.Join(strings.Fields(ansi.Strip(line)), " "))
	}
	return lines
}

// TestMarksOfNumbers: one mark in the heading if it is true of the whole column, else a mark at each number.
func TestMarksOfNumbers(t *testing.T) {
	exact, rounded, raw := draw.Cell{Text: "1.25"}, draw.Cell{Text: "1.26", Rounded: true}, draw.Cell{Text: "125", Raw: true}
	for name, c := range map[string]struct {
		cells []draw.Cell
		order string
		width int
		want  string
	}{
		"all digits":            {[]draw.Cell{exact, exact}, "", 40, "NAME NUMBER|a 1.25|a 1.25"},
		"more digits":           {[]draw.Cell{exact, rounded}, "", 40, "NAME NUMBER|a 1.25|a 1.26"},
		"raw":                   {[]draw.Cell{raw, raw}, "", 40, "NAME NUMBER raw|a 125|a 125"},
		"raw, and a zero":       {[]draw.Cell{raw, {Text: "0"}, {}}, "", 40, "NAME NUMBER raw|a 125|a 0|a"},
		"some are raw":          {[]draw.Cell{raw, exact}, "", 40, "NAME NUMBER|a 125r|a 1.25"},
		"some raw, some more":   {[]draw.Cell{raw, rounded}, "▼", 40, "NAME NUMBER ▼|a 125r|a 1.26"},
		"sorted":                {[]draw.Cell{rounded}, "▲", 40, "NAME NUMBER ▲|a 1.26"},
		"the name is cut first": {[]draw.Cell{{Text: "12", Raw: true}}, "▲", 11, "N… raw ▲|12"},
		"no numbers":            {[]draw.Cell{{}}, "", 40, "NAME NUMBER|a"},
	} {
		if got := strings.Join(columnOf(c.width, c.order, c.cells...), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
