package export

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

// table is rows of cells in aligned columns.
type table struct {
	right  []bool // which columns are aligned to the right
	widths []int
	rows   [][]string
}

// newTable returns a table with headings. A heading that begins with > aligns its column to the right.
func newTable(headings ...string) *table {
	t := &table{right: make([]bool, len(headings)), widths: make([]int, len(headings))}
	for i := range headings {
		headings[i], t.right[i] = strings.CutPrefix(headings[i], ">")
	}
	t.add(headings...)
	return t
}

// cellWidth is the largest width of a cell: identifiers have 64 digits, and no number of 128 bits is longer. A longer
// text is cut and ends with …. A longer number is replaced, because a part of it would be another number.
const (
	cellWidth = 64
	tooLong   = "####"
)

// add adds a row. Its texts may come from the service.
func (t *table) add(cells ...string) {
	for i, text := range cells {
		cells[i] = ansi.Truncate(model.Neutralise(text), cellWidth, "…")
		if t.right[i] && strings.HasSuffix(cells[i], "…") {
			cells[i] = tooLong
		}
	}
	t.rows = append(t.rows, cells)
}

// markRaw marks a column in which all numbers are raw once, in its heading.
func (t *table) markRaw() {
	for i := range t.right {
		raw, others := 0, 0
		for _, cells := range t.rows[1:] {
			switch text := cells[i]; {
			case strings.HasSuffix(text, rawWord):
				raw++
			case text != "" && text != "0":
				others++
			}
		}
		if !t.right[i] || raw == 0 || others > 0 {
			continue
		}
		t.rows[0][i] += rawWord
		for _, cells := range t.rows[1:] {
			cells[i] = strings.TrimSuffix(cells[i], rawWord)
		}
	}
}

func (t *table) write(w io.Writer) error {
	t.markRaw()
	for _, cells := range t.rows {
		for i, text := range cells {
			t.widths[i] = max(t.widths[i], ansi.StringWidth(text))
		}
	}
	var line strings.Builder
	for _, cells := range t.rows {
		line.Reset()
		for i, text := range cells {
			padding := strings.Repeat(" ", t.widths[i]-ansi.StringWidth(text))
			if t.right[i] {
				line.WriteString(padding + text + "  ")
			} else {
				line.WriteString(text + padding + "  ")
			}
		}
		if _, err := io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// rawWord stands after a number whose decimals are not known, or in the heading of a column of such numbers.
const rawWord = " raw"

// scaled returns an amount for people. Without known decimals it is the integer that the service wrote, with its digits
// grouped, and is marked.
func scaled(a model.Amount, decimals int, plus bool) string {
	switch {
	case a.IsInteger() && decimals != model.Unscaled:
		return a.Scaled(decimals, plus)
	case a.IsZero():
		return "0"
	}
	return a.Scaled(0, plus) + rawWord
}

// timestamp is a time that the service gives in nanoseconds since the Unix epoch; empty where it gives none.
func timestamp(nanoseconds model.Amount, zone *time.Location) string {
	at, ok := nanoseconds.Time()
	switch {
	case ok:
		return at.In(zone).Format("2006-01-02 15:04:05 MST")
	case nanoseconds.IsZero():
		return ""
	}
	return nanoseconds.String()
}
