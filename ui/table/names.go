package table

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"blotter/ui/draw"
)

// CutNames returns names cut to a width, each in its middle. If two of them would be the same, they are cut so that
// what differs is kept.
func CutNames(names []string, width int) map[string]string {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	cut := make(map[string]string, len(names))
	same := make(map[string][]string)
	for _, name := range names {
		short := draw.CutMiddle(name, width)
		same[short] = append(same[short], name)
	}
	taken := make(map[string]bool, len(names))
	for short, group := range same {
		if len(group) == 1 {
			cut[group[0]] = short
			taken[short] = true
		}
	}
	for _, name := range names {
		if group := same[draw.CutMiddle(name, width)]; len(group) > 1 {
			cut[name] = distinct(name, width, draw.CommonPrefix(group), taken)
			taken[cut[name]] = true
		}
	}
	return cut
}

// distinct cuts a name that begins like others: in their common beginning and, if the rest is too long, in the rest
// too. If another name has the same result, its last cells are a number.
func distinct(name string, width int, common string, taken map[string]bool) string {
	common = draw.WholeBeginning(name, len(common))
	rest := name[len(common):]
	for first := 1; first <= width/2; first++ {
		begin := ansi.Truncate(common, first, "")
		if begin == "" && common != "" { // a wide character
			continue
		}
		short := begin + "…"
		short = draw.Fenced(short+draw.CutWhole(rest, width-draw.Width(short)), width)
		if !taken[short] {
			return short
		}
	}
	for n := 2; ; n++ {
		suffix := fmt.Sprintf("~%d", n)
		if short := draw.Cut(name, max(width-len(suffix), 0)) + suffix; !taken[short] {
			return short
		}
	}
}
