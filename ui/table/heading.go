package table

import "blotter/ui/draw"

// heading is the text over a column: its title, and after it the marks of its numbers and of the order of rows.
type heading struct {
	title, marks           string
	titleWidth, marksWidth int
}

// rawMark is the mark in the heading of a column in which the decimals of no number are known. If those of some numbers
// are known, each of the others has a mark: see draw.RawMark.
const rawMark = " raw"

// markNumbers makes the headings, and marks raw numbers in columns that also have others.
func (t *Table) markNumbers(rows []Row) {
	t.headings = make([]heading, len(t.Columns))
	for i := range t.Columns {
		raw, others := 0, 0
		for r := range rows {
			switch c := &rows[r].Cells[i]; {
			case c.Words:
			case c.Raw:
				raw++
			case c.Text != "" && c.Text != "0":
				others++
			}
		}
		h := heading{title: t.Columns[i].Title}
		switch {
		case raw > 0 && others == 0:
			h.marks += rawMark
		case raw > 0:
			markRaw(rows, i)
		}
		if arrow := t.Columns[i].Order; arrow != "" {
			h.marks += " " + arrow
		}
		h.titleWidth, h.marksWidth = draw.Width(h.title), draw.Width(h.marks)
		t.headings[i] = h
	}
}

func markRaw(rows []Row, column int) {
	for r := range rows {
		if c := &rows[r].Cells[column]; c.Raw {
			c.Text += draw.RawMark
		}
	}
}

func (h *heading) width() int { return h.titleWidth + h.marksWidth }

// cut returns the heading in at most the given number of cells, with its width. Its title is cut before its marks.
func (h *heading) cut(most int) (text string, width int) {
	if h.width() <= most {
		return h.title + h.marks, h.width()
	}
	text = draw.Cut(h.title, max(most-h.marksWidth, 0)) + draw.Cut(h.marks, most)
	return text, draw.Width(text)
}
