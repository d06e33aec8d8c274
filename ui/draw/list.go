package draw

// ListFrame is how many lines a list over the panes has besides its rows: two above and one below.
const ListFrame = 3

// BoxCells is how many cells at the left of a row in a list are its mark and its box.
const BoxCells = len(" [x]")

// ListRow draws a row of a list. The row of the cursor has a mark, and the style of the cursor over its whole width.
func ListRow(room int, hasCursor bool, cursor Style, text string) string {
	if !hasCursor {
		return Text(room, Plain, " "+text)
	}
	l := NewLine(room).Put(cursor, "▌"+text)
	return l.StyledSpace(cursor, l.Left()).String()
}
