package table

import (
	"slices"
	"strings"
	"testing"

	"blotter/ui/draw"
)

// TestCutNames: a name is cut in its middle. If others would be cut to the same text, the part that differs is kept.
func TestCutNames(t *testing.T) {
	for _, c := range []struct {
		width       int
		names, want []string
	}{
		{9, []string{"desk-1", "fund-emea-2"}, []string{"desk-1", "fund…ea-2"}},
		{9, []string{"fund-alpha-desk", "fund-omega-desk"}, []string{"f…alpha-…", "f…omega-…"}},
		{9, []string{"fund-a1x-long-desk", "fund-a2x-long-desk"}, []string{"f…1x-lon…", "f…2x-lon…"}},
		{6, []string{"世界世界一", "世界世界二"}, []string{"世…一", "世…二"}},
		{9, []string{"👩‍👩‍👧 family fund", "👩‍👩‍👧 friends fund"}, []string{"👩‍👩‍👧…amily…", "👩‍👩‍👧…riend…"}},
	} {
		got := CutNames(c.names, c.width)
		for i, name := range c.names {
			if got[name] != c.want[i] {
				t.Errorf("%q in %d cells is %q, want %q", name, c.width, got[name], c.want[i])
			}
		}
	}
}

// TestCutNamesAreNeverTheSame also checks that no name is too wide.
func TestCutNamesAreNeverTheSame(t *testing.T) {
	var names []string
	for _, first := range []string{"desk", "desk-of-the-north", "fund 世界", "👩‍👩‍👧", "مكتب التداول", "m"} {
		for _, middle := range []string{"-alpha-", "-beta-", "-", "-alpha-beta-gamma-"} {
			for _, last := range []string{"1", "2", "north", "the same end of all", "the same end of some"} {
				names = append(names, first+middle+last)
			}
		}
	}
	for width := 9; width < 24; width++ {
		var seen []string
		for name, cut := range CutNames(names, width) {
			if draw.Width(cut) > width || slices.Contains(seen, cut) {
				t.Errorf("in %d cells %q is %q: too wide, or the same as another", width, name, cut)
			}
			seen = append(seen, cut)
		}
		if len(seen) != len(names) {
			t.Errorf("%d of %d names are cut", len(seen), len(names))
		}
	}
}

// TestNamesInATable: names are cut as CutNames cuts them.
func TestNamesInATable(t *testing.T) {
	table := Table{Columns: []Column{{Title: "NAME", Name: true, Min: 9, Max: 9}}, Chosen: -1}
	rows := []Row{{Cells: []draw.Cell{{Text: "fund-alpha-desk"}}}, {Cells: []draw.Cell{{Text: "fund-omega-desk"}}}}
	got := strings.Join(table.Draw(rows, 10)[1:], "\n")
	if got != "f…alpha-…\nf…omega-…" {
		t.Errorf("the names are\n%s", got)
	}
}
