package model

import "testing"

func TestEntriesKeepTheHighestNumbersApart(t *testing.T) {
	const most = 1<<idBits - 1
	e := newEntry(nil, most, 0, unnumbered, flat)
	if e.party() != most || e.market() != 0 || e.status() != unnumbered || e.side() != flat {
		t.Errorf("%x", e.facets)
	}
	e = newEntry(nil, 0, most, 0, short)
	if e.party() != 0 || e.market() != most || e.status() != 0 || e.side() != short {
		t.Errorf("%x", e.facets)
	}
}
