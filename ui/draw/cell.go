package draw

// RawMark is the mark of a number whose decimals are not known.
const RawMark = "r"

// Cell is what is in a row and a column of a table: a text without control characters, and its style.
type Cell struct {
	Text    string
	Short   string // replaces a text that is wider than its column, if it is not a number; empty: the text is cut
	Style   Style
	Rounded bool // a number that has more digits than its text
	Raw     bool // an integer whose decimals are not known
	Words   bool // words in a column of numbers: they are aligned right
	Spreads bool // a text that is wider than its column takes the room of empty cells before it, too

	Rest      string // after the text, in a style of its own: see table.Column.Rest
	RestStyle Style
}

// Styled returns the cell in a style.
func (c Cell) Styled(style Style) Cell {
	c.Style = style
	return c
}

// Marked returns the text of a number, with a mark if its decimals are not known.
func (c Cell) Marked(mark string) string {
	if c.Raw {
		return c.Text + mark
	}
	return c.Text
}
