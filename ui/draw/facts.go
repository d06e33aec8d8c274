package draw

import "strings"

// Fact is a name and a value.
type Fact struct {
	Name, Value string
	Note        string // after the value, if there is room for it
}

// Facts draws facts on lines of a width: the names in a style, and the values from column at on, on as many lines as
// they need. A fact without a value is left out.
func Facts(width, at int, names Style, facts ...Fact) []string {
	var lines []string
	for _, f := range facts {
		if f.Value != "" {
			lines = append(lines, f.lines(width, at, names)...)
		}
	}
	return lines
}

func (f *Fact) lines(width, at int, names Style) []string {
	if short := Width(f.Name) + 3; !strings.Contains(f.Value, " ") && Width(f.Value) > width-at && Width(f.Value) <= width-short {
		at = short // a long identifier begins further left, so that it fits on one line
	}
	var lines []string
	for i, part := range Wrap(f.Value, max(width-at, 8)) {
		l := NewLine(width).Space(1)
		if i == 0 {
			l.Put(names, f.Name)
		}
		l.To(at).Put(Plain, part)
		if note := "   " + f.Note; i == 0 && f.Note != "" && Width(note) <= l.Left() {
			l.Put(names, note)
		}
		lines = append(lines, l.String())
	}
	return lines
}
