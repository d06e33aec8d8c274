package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

// drawn is a table of one column of words and one of numbers.
func drawn(width int, rows ...[2]string) string {
	columns := []column{{title: "NAME", least: 4, most: 10}, {title: "NUMBER", number: true, least: 6, rank: 1}}
	var table []tableRow
	for _, row := range rows {
		table = append(table, tableRow{mark: " ", cells: []cell{{text: row[0]}, {text: row[1]}}})
	}
	slots := measure(columns, spansOf(columns, table), width)
	s := newStyles(true)
	lines := []string{drawHeading(columns, slots, -1, &s, width)}
	for i := range table {
		lines = append(lines, drawRow(columns, slots, &table[i], &s, width))
	}
	return strings.ReplaceAll(ansi.Strip(strings.Join(lines, "\n")), " ", "·")
}

func TestColumns(t *testing.T) {
	for name, test := range map[string]struct {
		got, want string
	}{
		"numbers stand at the point": {
			drawn(20, [2]string{"a", "-1.25"}, [2]string{"b", "+1,000"}, [2]string{"c", "12r"}, [2]string{"d", "世"}),
			"·NAME·······NUMBER\n·a···········-1.25\n·b·······+1,000\n·c···········12r\n·d···········世",
		},
		"then flush right": {
			drawn(13, [2]string{"a", "-1.25"}, [2]string{"b", "+1,000"}),
			"·NAME··NUMBER\n·a······-1.25\n·b·····+1,000",
		},
		"words are cut": {
			drawn(12, [2]string{"abcdefgh", "+1,000"}),
			"·NAME·NUMBER\n·abc…·+1,000",
		},
		"a number never is": {
			drawn(60, [2]string{"a", strings.Repeat("9", 27)}, [2]string{"b", "+1,000.00"}),
			"·NAME·······NUMBER\n·a·······#########\n·b·······+1,000.00",
		},
		"the last rank goes": {
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

func TestColumnsDoNotMoveWithEachNumber(t *testing.T) {
	deskScreen(t, func(s *screen) {
		heading := func() string { return s.lines()[1] }
		narrow := heading()
		s.tell(updatesOf(all, worse("-4492000000")))
		wide := heading()
		if wide == narrow {
			t.Fatalf("there is no room for the number:\n%s", s.text())
		}
		s.tell(updatesOf(all, worse("-44920")))
		if heading() != wide {
			t.Errorf("the columns have moved:\n%s\n%s", wide, heading())
		}
		s.pass(steadyFor)
		if heading() != narrow {
			t.Errorf("the columns have stayed:\n%s\n%s", wide, heading())
		}
		s.tell(updatesOf(all, worse("-4492000000")))
		s.tell(updatesOf(all, worse("-44920")))
		s.press("j")
		if heading() != narrow {
			t.Errorf("the columns have stayed after a key:\n%s\n%s", wide, heading())
		}
	})
}

// numbers is a list whose keys are numbers.
type numbers []int

func (n numbers) Len() int          { return len(n) }
func (n numbers) key(place int) int { return n[place] }
func (n numbers) find(key int) (int, bool) {
	for place := range n {
		if n[place] == key {
			return place, true
		}
	}
	return 0, false
}

func TestTheCursorKeepsItsPlaceOnTheScreen(t *testing.T) {
	list := func(from, to int) (n numbers) {
		for i := from; i < to; i++ {
			n = append(n, i)
		}
		return n
	}
	var w window[int]
	w.settle(list(0, 100), 10)
	w.to(list(0, 100), 50)
	w.page(list(0, 100), 1)
	offset := w.place - w.top
	if w.cursor != 60 {
		t.Fatalf("a screen down from 50 is %d", w.cursor)
	}
	w.settle(list(-20, 100), 10) // 20 rows come in above
	if w.cursor != 60 || w.place-w.top != offset {
		t.Errorf("the cursor is on %d, %d from the top; want 60, %d", w.cursor, w.place-w.top, offset)
	}
	w.settle(list(61, 100), 10) // its row goes
	if w.cursor < 61 || w.place-w.top > 9 {
		t.Errorf("the cursor is on %d", w.cursor)
	}
	w.settle(numbers(nil), 10)
	if w.has {
		t.Error("there is a cursor in an empty list")
	}
	// At the head of a list the head stays in sight.
	w = window[int]{}
	w.settle(list(0, 100), 10)
	w.settle(list(-3, 100), 10)
	if w.cursor != 0 || w.top != 0 {
		t.Errorf("the cursor is on %d, the window at %d", w.cursor, w.top)
	}
	w.settle(list(-30, 100), 10)
	if w.cursor != 0 || w.place < w.top || w.place > w.top+9 {
		t.Errorf("the cursor on %d is out of sight", w.cursor)
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		age(0): "0s", age(59 * time.Second): "59s", age(90 * time.Second): "1m", age(25 * time.Hour): "25h",
		age(72 * time.Hour): "3d", age(-5 * time.Second): "-5s", age(-time.Second): "0s",
		until(3500 * time.Millisecond): "4s", until(510 * time.Second): "9m", until(-time.Second): "0s",
		shortID("a3f9" + strings.Repeat("0", 56) + "81c2"): "a3f9…81c2", shortID("network"): "network",
		counted(1, "row"): "1 row", counted(12_345, "row"): "12,345 rows",
		amount(model.AmountOf(-5), 2, true): "-0.05", amount(model.AmountOf(5), model.Unscaled, true): "+5r",
		amount(model.AmountOf(0), model.Unscaled, true): "0", amount(model.ParseAmount("1.5"), 2, true): "1.5r",
		amount(model.ParseAmount(""), 2, true): `""r`,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
