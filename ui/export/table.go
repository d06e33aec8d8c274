package export

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
)

// cellWidth is the largest width of a cell: identifiers have 64 digits, and no number of 128 bits is longer. A longer
// text is cut and ends with …. A longer number is replaced, because a part of it would be another number.
const (
	cellWidth = 64
	tooLong   = "####"
)

// The gap between two columns, and the narrowest column of names on a terminal.
const (
	gap     = 2
	minName = 9
)

// grid has the texts of a table: the heading of each column, and below it its cells.
type grid[R any] struct {
	columns []column[R]
	cells   [][]string // by column
	widths  []int
}

// writeTable writes aligned columns. Its texts may come from the service.
func (r *records[R]) writeTable(w io.Writer) error {
	g := grid[R]{columns: slices.Clone(r.columns)}
	for i := range g.columns {
		c := &g.columns[i]
		cells := make([]string, 1, 1+r.count)
		cells[0] = c.heading
		for row := range r.count {
			cells = append(cells, c.cell(r.record(row), r.options))
		}
		if c.number {
			markRaw(cells)
		}
		g.cells, g.widths = append(g.cells, cells), append(g.widths, widest(cells))
	}
	if r.options.Width > 0 {
		r.result.LeftOut = g.fit(r.options.Width)
	}
	return g.write(w)
}

func (g *grid[R]) addRow(cells ...string) {
	for i, text := range cells {
		g.cells[i], g.widths[i] = append(g.cells[i], text), max(g.widths[i], draw.Width(text))
	}
}

func (c *column[R]) cell(record *R, o *Options) string {
	text := c.shown(record, o)
	if c.name == nil {
		text = model.Neutralise(text)
	}
	cut := draw.Cut(text, cellWidth)
	if c.number && strings.HasSuffix(cut, "…") {
		return tooLong
	}
	return cut
}

func widest(cells []string) int {
	width := 0
	for _, text := range cells {
		width = max(width, draw.Width(text))
	}
	return width
}

// markRaw marks a column in which all numbers are raw once, in its heading.
func markRaw(cells []string) {
	raw, others := 0, 0
	for _, text := range cells[1:] {
		switch {
		case strings.HasSuffix(text, format.RawWord):
			raw++
		case text != "" && text != "0":
			others++
		}
	}
	if raw == 0 || others > 0 {
		return
	}
	cells[0] += format.RawWord
	for i := range cells[1:] {
		cells[i+1] = strings.TrimSuffix(cells[i+1], format.RawWord)
	}
}

// fit makes the table as narrow as a terminal: it cuts names, and if that is not enough it leaves out columns. It
// returns the headings of the columns left out.
func (g *grid[R]) fit(width int) (leftOut []string) {
	for g.width() > width {
		if g.cutNames(width) || len(g.columns) == 1 {
			break
		}
		least := 0
		for i := range g.columns {
			if g.columns[i].keep < g.columns[least].keep {
				least = i
			}
		}
		if g.columns[least].keep == always {
			break
		}
		leftOut = append(leftOut, g.columns[least].heading)
		g.columns, g.cells = slices.Delete(g.columns, least, least+1), slices.Delete(g.cells, least, least+1)
		g.widths = slices.Delete(g.widths, least, least+1)
	}
	return leftOut
}

// cutNames cuts the names in their middles until the table fits the width, and reports whether it does.
func (g *grid[R]) cutNames(width int) bool {
	over, free := g.width()-width, 0
	var names []int
	for i := range g.columns {
		if g.columns[i].keep == always && !g.columns[i].number {
			names = append(names, i)
			free += max(g.widths[i]-minName, 0)
		}
	}
	if free < over {
		return false
	}
	slices.SortFunc(names, func(a, b int) int { return cmp.Compare(g.widths[b], g.widths[a]) })
	for _, i := range names {
		less := min(max(g.widths[i]-minName, 0), over)
		if less == 0 {
			continue
		}
		over -= less
		g.widths[i] -= less
		cut := table.CutNames(g.cells[i][1:], g.widths[i])
		for row, name := range g.cells[i][1:] {
			g.cells[i][row+1] = cut[name]
		}
	}
	return true
}

func (g *grid[R]) width() int {
	width := gap * (len(g.widths) - 1)
	for _, w := range g.widths {
		width += w
	}
	return width
}

func (g *grid[R]) write(w io.Writer) error {
	var line strings.Builder
	for row := range g.cells[0] {
		line.Reset()
		for i := range g.columns {
			text := g.cells[i][row]
			padding := strings.Repeat(" ", max(g.widths[i]-draw.Width(text), 0))
			if g.columns[i].number {
				line.WriteString(padding + text)
			} else {
				line.WriteString(text + padding)
			}
			line.WriteString(strings.Repeat(" ", gap))
		}
		if _, err := io.WriteString(w, strings.TrimRight(line.String(), " ")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// timestamp formats a time of the service; empty if it sends none.
func timestamp(sent model.Amount, zone *time.Location) string {
	if at, ok := sent.Time(); ok {
		return at.In(zone).Format("2006-01-02 15:04:05 MST")
	}
	return unlessZero(sent)
}

// unlessZero returns an amount as the service wrote it; empty if it is 0.
func unlessZero(a model.Amount) string {
	if a.IsZero() {
		return ""
	}
	return a.String()
}
