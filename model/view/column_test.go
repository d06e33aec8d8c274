package view

import (
	"slices"
	"strings"
	"testing"
)

// TestEveryColumnIsDescribed: each column has a key, and a title or an ordering of rows.
func TestEveryColumnIsDescribed(t *testing.T) {
	var keys []string
	for i := range columns {
		c := Column(i)
		if c.Key() == "" || slices.Contains(Columns(), c) != (c != TroubleColumn) {
			t.Errorf("column %d has the key %q", c, c.Key())
		}
		if slices.Contains(keys, c.Key()) {
			t.Errorf("two columns have the key %q", c.Key())
		}
		keys = append(keys, c.Key())
		if c.IsSortable() != slices.Contains(sortable, c) {
			t.Errorf("%s is sortable: %v", c.Key(), c.IsSortable())
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
		want := "must be one of market, party, size, size_change, entry, asset, unrealised, unrealised_change, m%, realised, " +
			"realised_change, status, age, trouble"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", key, err, want)
		}
	}
}
