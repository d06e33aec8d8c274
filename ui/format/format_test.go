package format

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Age(0): "0s", Age(59 * time.Second): "59s", Age(90 * time.Second): "1m", Age(25 * time.Hour): "25h",
		Age(72 * time.Hour): "3d", Age(-5 * time.Second): "-5s", Age(-time.Second): "0s",
		Until(3500 * time.Millisecond): "4s", Until(510 * time.Second): "9m", Until(-time.Second): "0s",
		UntilSpoken(time.Second): "1 second", UntilSpoken(510 * time.Second): "9 minutes", UntilSpoken(-time.Second): "0 seconds",
		shortID("a3f9"+strings.Repeat("0", 56)+"81c2", 4): "a3f9…81c2", shortID("network", 4): "network",
		Counted(1, "row"): "1 row", Counted(12_345, "row"): "12,345 rows",
		Exact(model.AmountOf(-5), 2, true): "-0.05", Exact(model.AmountOf(50_000), model.Unscaled, true): "+50,000 raw",
		Exact(model.AmountOf(0), model.Unscaled, true): "0", Exact(model.ParseAmount("1.5x"), 2, true): "1.5x raw",
		Exact(model.ParseAmount("1.5"), 2, true): "+1.5", Exact(model.ParseAmount("5760209.9800000004"), 2, false): "5,760,209.9800000004",
		Exact(model.ParseAmount("-12.50"), model.Unscaled, true): "-12.50", Exact(model.ParseAmount("1e+21"), 2, false): "1,000,000,000,000,000,000,000",
		Exact(model.ParseAmount(""), 2, true): `"" raw`,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestAScopeInLittleRoom has whole names, and how many more there are.
func TestAScopeInLittleRoom(t *testing.T) {
	f := New(model.NewInstruments(nil, nil, nil), time.UTC, nil, false)
	scope := model.Scope{Parties: []model.ID{model.MakeID("desk-14"), model.MakeID("desk-2"), model.MakeID("desk-3")}, Markets: []model.ID{model.MakeID("ETH")}}
	for cells, want := range map[int]string{
		28: "desk-14 desk-2 desk-3 in ETH", 27: "desk-14 desk-2 +1 in ETH", 23: "desk-14 +2 in ETH", 16: "", 19: "desk-14 +2 in ETH", 9: "",
	} {
		if got := f.ScopeIn(&scope, cells); got != want {
			t.Errorf("in %d cells the scope is %q, want %q", cells, got, want)
		}
	}
	scope.Markets = nil
	for cells, want := range map[int]string{10: "desk-14 +2", 9: "3 parties", 8: ""} {
		if got := f.ScopeIn(&scope, cells); got != want {
			t.Errorf("in %d cells the scope is %q, want %q", cells, got, want)
		}
	}
}
