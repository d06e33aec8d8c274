package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		age(0): "0s", age(59 * time.Second): "59s", age(90 * time.Second): "1m", age(25 * time.Hour): "25h",
		age(72 * time.Hour): "3d", age(-5 * time.Second): "-5s", age(-time.Second): "0s",
		until(3500 * time.Millisecond): "4s", until(510 * time.Second): "9m", until(-time.Second): "0s",
		shortID("a3f9" + strings.Repeat("0", 56) + "81c2"): "a3f9…81c2", shortID("network"): "network",
		model.Counted(1, "row"): "1 row", model.Counted(12_345, "row"): "12,345 rows",
		amount(model.AmountOf(-5), 2, true): "-0.05", amount(model.AmountOf(5), model.Unscaled, true): "+5r",
		amount(model.AmountOf(0), model.Unscaled, true): "0", amount(model.ParseAmount("1.5"), 2, true): "1.5r",
		amount(model.ParseAmount(""), 2, true): `""r`,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
