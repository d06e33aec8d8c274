package view

import (
	"slices"
	"strings"
	"testing"

	"blotter/model"
)

// TestEveryColumnIsDescribed: each column has a key of its own, and so has each order without a column.
func TestEveryColumnIsDescribed(t *testing.T) {
	var keys []string
	for i := range columns {
		c := Column(i)
		isNumber := numberColumns <= c && c < StatusColumn
		if c.Key() == "" && isNumber && !model.Field(c-numberColumns).HasColumn() {
			continue
		}
		if c.Key() == "" || slices.Contains(Columns(), c) != (c != TroubleColumn) {
			t.Errorf("column %d has the key %q", c, c.Key())
		}
		if slices.Contains(keys, c.Key()) {
			t.Errorf("two columns have the key %q", c.Key())
		}
		keys = append(keys, c.Key())
	}
}

// TestNamesInFilters are names of columns too.
func TestNamesInFilters(t *testing.T) {
	for name, want := range map[string]Column{
		"upnl": UnrealisedColumn, "rpnl": RealisedColumn, "pnl/mm": MarginRatioColumn, "upnl_change": UnrealisedChangeColumn, "size_change": SizeChangeColumn,
	} {
		if got, err := ParseSortColumn(name); got != want || err != nil {
			t.Errorf("%s is %s, %v", name, got.Key(), err)
		}
	}
	for _, name := range []string{"", "_change", "upnlx", "m%_change"} {
		if got, err := ParseSortColumn(name); err == nil {
			t.Errorf("%q is %s", name, got.Key())
		}
	}
}

func TestParseSortColumn(t *testing.T) {
	for _, c := range sortable {
		if got, err := ParseSortColumn(c.Key()); got != c || err != nil {
			t.Errorf("%q is column %d, %v; want %d", c.Key(), got, err, c)
		}
	}
	for _, key := range []string{"", "SIZE", "mark", "colour"} {
		_, err := ParseSortColumn(key)
		want := "must be one of " + strings.Join(SortKeys(), ", ")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", key, err, want)
		}
	}
}
