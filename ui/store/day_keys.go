package store

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/ui/history"
)

// days are the totals with which days have ended, and which of them are those of the scope.
type days struct {
	all   *history.Days
	scope model.Scope     // of the keys
	whole string          // stands for the scope and for what the screen may have; empty if it is not known yet
	each  string          // stands for the markets of both
	noted *analysis.Today // whose totals were added last
	shown *history.DayChanges
	of    history.DayKey // of the shown changes
}

// use makes the keys of a scope.
func (d *days) use(scope model.Scope, extent *Extent) {
	if d.whole == "" || !scope.Equal(d.scope) {
		d.scope, d.shown = scope, nil
		d.whole = digestOf(extent.name, scope.Parties, scope.Markets)
		d.each = digestOf(extent.markets, scope.Markets)
	}
}

// digestOf returns what stands for a name and for identifiers in the days that are kept.
func digestOf(name string, all ...[]model.ID) string {
	text := strings.Builder{}
	fmt.Fprintf(&text, "%q", name)
	for _, ids := range all {
		text.WriteByte('\n')
		for _, id := range slices.SortedFunc(slices.Values(ids), model.ID.Compare) {
			fmt.Fprintf(&text, "%q", id.String())
		}
	}
	const bytes = 16
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))[:2*bytes]
}

// keysOf returns the keys of the lines of an asset: of a party, without the party, and of all parties together.
func (d *days) keysOf(asset model.ID, in *model.Instruments) (each, whole history.DayKey) {
	decimals := in.Asset(asset).Decimals
	return history.DayKey{Scope: d.each, Asset: asset, Decimals: decimals}, history.DayKey{Scope: d.whole, Asset: asset, Decimals: decimals}
}
