package table

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"blotter/ui/draw"
)

// tableOf returns a table with a column of names and one of numbers.
func tableOf(widths *Widths) Table {
	return Table{
		Columns: []Column{{Title: "NAME", Min: 4, Max: 10, Keep: 2}, {Title: "NUMBER", Number: true, Min: 6, Keep: 1}},
		Chosen:  -1, Widths: widths,
	}
}

func rowsOf(texts ...[2]string) []Row {
	var rows []Row
	for _, text := range texts {
		rows = append(rows, Row{Mark: " ", Cells: []draw.Cell{{Text: text[0]}, {Text: text[1]}}})
	}
	return rows
}

// drawn returns the lines of a table, with dots for spaces.
func drawn(width int, texts ...[2]string) string {
	t := tableOf(nil)
	return strings.ReplaceAll(ansi.Strip(strings.Join(t.Draw(rowsOf(texts...), width), "\n")), " ", "·")
}

func TestColumns(t *testing.T) {
	for name, test := range map[string]struct {
		got, want string
	}{
		"numbers are aligned at the point": {
			drawn(20, [2]string{"a", "-1.25"}, [2]string{"b", "+1,000"}, [2]string{"c", "12r"}, [2]string{"d", "世"}),
			"·NAME·······NUMBER\n·a···········-1.25\n·b·······+1,000\n·c···········12r\n·d·············世",
		},
		"a word in place of a number is aligned right": {
			drawn(20, [2]string{"a", "-1.25"}, [2]string{"b", "none"}, [2]string{"c", "12"}),
			"·NAME····NUMBER\n·a········-1.25\n·b·········none\n·c········12",
		},
		"then numbers are aligned right": {
			drawn(13, [2]string{"a", "-1.25"}, [2]string{"b", "+1,000"}),
			"·NAME··NUMBER\n·a······-1.25\n·b·····+1,000",
		},
		"words are cut": {
			drawn(12, [2]string{"abcdefgh", "+1,000"}),
			"·NAME·NUMBER\n·abc…·+1,000",
		},
		"a number is never cut": {
			drawn(60, [2]string{"a", strings.Repeat("9", 27)}, [2]string{"b", "+1,000.00"}),
			"·NAME·······NUMBER\n·a·······#########\n·b·······+1,000.00",
		},
		"a raw integer has room on a wide screen": {
			drawn(80, [2]string{"a", "-" + strings.Repeat("9", 33)}),
			"·NAME·······" + strings.Repeat("·", 25) + "NUMBER\n·a·······-" + strings.Repeat("9", 33),
		},
		"the column with the lowest Keep is left out": {
			drawn(9, [2]string{"abc", "+1,000"}),
			"·NAME\n·abc·",
		},
	} {
		t.Run(name, func(t *testing.T) {
			trim := func(text string) string {
				lines := strings.Split(text, "\n")
				for i := range lines {
					lines[i] = strings.TrimRight(lines[i], "·")
				}
				return strings.Join(lines, "\n")
			}
			if trim(test.got) != trim(test.want) {
				t.Errorf("got\n%s\nwant\n%s", trim(test.got), trim(test.want))
			}
		})
	}
}

// TestWidths: columns get wider by themselves, and narrower only after Forget.
func TestWidths(t *testing.T) {
	var widths Widths
	heading := func(number string) string {
		table := tableOf(&widths)
		return table.Draw(rowsOf([2]string{"a", number}), 60)[0]
	}
	narrow := heading("+1")
	wide := heading("+1,000,000")
	if wide == narrow {
		t.Fatalf("there is no room for the number: %q", wide)
	}
	if got := heading("+1"); got != wide {
		t.Errorf("the columns have moved: %q", got)
	}
	widths.Forget()
	if got := heading("+1"); got != narrow {
		t.Errorf("the columns stay wide after Forget: %q", got)
	}
}

// TestATextTakesTheRoomOfEmptyCells beside it, before it is cut.
func TestATextTakesTheRoomOfEmptyCells(t *testing.T) {
	table := Table{
		Columns: []Column{{Title: "STATUS", Min: 6, Max: 6, Keep: Always}, {Title: "AGE", Number: true, Min: 4, Keep: Always}, {Title: "X", Number: true, Min: 2, Keep: Always}},
		Chosen:  -1,
	}
	rows := []Row{
		{Mark: " ", Cells: []draw.Cell{{Text: "1 DISTRESSED"}, {}, {Text: "x"}}}, {Mark: " ", Cells: []draw.Cell{{Text: "1 DISTRESSED"}, {Text: "4s"}, {Text: "x"}}},
		{Mark: " ", Cells: []draw.Cell{{Text: "1 DISTRESSED"}, {}, {}}},
	}
	want := []string{" 1 DISTRESS…  x", " 1 DIS…   4s  x", " 1 DISTRESSED"}
	for i, line := range table.Draw(rows, 15)[1:] {
		if got := strings.TrimRight(ansi.Strip(line), " "); got != want[i] {
			t.Errorf("row %d is %q, want %q", i, got, want[i])
		}
	}
}

// TestColumnsThatStay: columns with Always are left out last, and empty ones with HideEmpty take no room.
func TestColumnsThatStay(t *testing.T) {
	table := Table{
		Columns: []Column{
			{Title: "A", Min: 4, Max: 4, Keep: 1}, {Title: "B", Min: 4, Max: 4, Keep: Always},
			{Title: "C", Min: 4, Max: 4, Keep: 2}, {Title: "D", Min: 4, Max: 4, Keep: 3, HideEmpty: true},
		},
		Chosen: -1,
	}
	row := func(d string) []Row {
		return []Row{{Mark: " ", Cells: []draw.Cell{{Text: "a"}, {Text: "b"}, {Text: "c"}, {Text: d}}}}
	}
	for _, c := range []struct {
		width int
		d     string
		want  string
	}{{40, "", "A B C"}, {40, "d", "A B C D"}, {16, "d", "B C D"}, {11, "d", "B D"}, {11, "", "B C"}, {6, "d", "B"}, {3, "d", "B"}} {
		got := strings.Join(strings.Fields(table.Draw(row(c.d), c.width)[0]), " ")
		if got != c.want {
			t.Errorf("%d wide, with %q in D: the columns are %q, want %q", c.width, c.d, got, c.want)
		}
	}
}

// TestNumbersOfColumnsThatStay: if even the columns that stay do not fit, # replaces their wide numbers.
func TestNumbersOfColumnsThatStay(t *testing.T) {
	table := tableOf(nil)
	table.Columns[0].Keep, table.Columns[1].Keep = Always, Always
	for width, want := range map[int]string{16: " abcd +1,000,000", 15: " abcd    ######", 12: " abcd ######"} {
		if got := ansi.Strip(table.Draw(rowsOf([2]string{"abcd", "+1,000,000"}), width)[1]); got != want {
			t.Errorf("in %d cells the row is %q, want %q", width, got, want)
		}
	}
}

// TestStyles: a cell on the row under the cursor has its own style and that of the row. A stale row has one style.
func TestStyles(t *testing.T) {
	table := tableOf(nil)
	table.Styles = Styles{Heading: "<h>", Chosen: "<c>", Cursor: "<cursor>", Stale: "<stale>", StaleCursor: "<stale cursor>"}
	table.Chosen = 1
	rows := rowsOf([2]string{"a", "1"}, [2]string{"b", "2"}, [2]string{"c", "3"}, [2]string{"d", "4"})
	for i := range rows {
		rows[i].Cells[1].Style = "<cell>"
		rows[i].Cursor, rows[i].Stale = i == 1 || i == 3, i >= 2
	}
	const width = 16
	lines := table.Draw(rows, width)
	for i, want := range []string{
		" <h>NAME     <c>NUMBER", " a            <cell>1", "<cursor> b            <cursor><cell>2<cursor> ", "<stale> c            3", "<stale cursor> d            4 ",
	} {
		if got := strings.ReplaceAll(lines[i], draw.Reset, ""); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
	for _, i := range []int{2, 4} {
		bare := regexp.MustCompile("<[a-z ]+>").ReplaceAllString(strings.ReplaceAll(lines[i], draw.Reset, ""), "")
		if draw.Width(bare) != width {
			t.Errorf("the cursor's style covers %d cells: %q", draw.Width(bare), lines[i])
		}
	}
}

// TestColumnAt: a cell belongs to the column whose heading or text is there, and the space before it too.
func TestColumnAt(t *testing.T) {
	table := tableOf(nil)
	heading := ansi.Strip(table.Draw(rowsOf([2]string{"alpha", "1.50"}), 40)[0])
	for text, want := range map[string]int{"NAME": 0, "NUMBER": 1} {
		at := strings.Index(heading, text)
		for _, cell := range []int{at, at + len(text) - 1} {
			if column, ok := table.ColumnAt(cell); !ok || column != want {
				t.Errorf("cell %d of %q belongs to %d, %t", cell, heading, column, ok)
			}
		}
	}
	for _, cell := range []int{-1, len(strings.TrimRight(heading, " ")), 39} {
		if column, ok := table.ColumnAt(cell); ok {
			t.Errorf("cell %d of %q belongs to %d", cell, heading, column)
		}
	}
}
