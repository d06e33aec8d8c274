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

// noteDay adds the current totals, which are fresh and complete, to those of the day: of each party when its positions
// were counted, or, if there are too many to count them, of all together. A stream that is behind is not fresh here,
// and while the asset of a position is not known, no total is complete.
func noteDay(s *Store) {
	now, totals := s.Now(), s.data.view.Totals()
	isBehind := func(link model.Link) bool { return link.Behind(now) != 0 }
	if IsOfRecording(s) || slices.ContainsFunc(s.flow.shown, isBehind) {
		return
	}
	for _, total := range totals {
		if total.Asset.IsZero() && total.Rows > 0 {
			return
		}
	}
	d, in := &s.moves.days, s.data.view.Instruments()
	d.use(s.data.scope, &s.options.Extent)
	if counted := s.surveys.today; s.surveys.countsToday() && (counted == nil || counted.Parties != nil) {
		d.noteParties(s, counted)
		return
	}
	for _, total := range totals {
		_, whole := d.keysOf(total.Asset, in)
		both := *total.Sum(model.UnrealisedPnl)
		both.AddSum(*total.Sum(model.RealisedPnl))
		d.all.Add(whole, now.In(s.options.Location), &both, nil)
	}
}

// noteParties adds the totals of each party, unless that was done, or positions of another scope were counted.
func (d *days) noteParties(s *Store, counted *analysis.Today) {
	in := s.data.view.Instruments()
	if counted == nil || counted == d.noted || counted.In != in || !counted.Scope.Equal(d.scope) {
		return
	}
	d.noted = counted
	if counted.At.Before(s.data.day.began) {
		return
	}
	for key, of := range counted.Parties {
		each, _ := d.keysOf(key.Asset, in)
		each.Party = key.Party
		pnl := &of.PnL
		if of.LeftOut > 0 || !s.data.day.isWhole(of.Since) {
			pnl = nil
		}
		d.all.Add(each, counted.At.In(s.options.Location), &of.Total, pnl)
	}
}

// DaysIn returns the totals of all days.
func DaysIn(s *Store) *history.Days { return s.moves.days.all }

// IsOfRecording reports whether a recording is shown, also the past of a service.
func IsOfRecording(s *Store) bool { return s.options.Events != nil }

// DaysOf returns the changes of the days of the scope in an asset, the oldest first; none in a recording.
func DaysOf(s *Store, asset model.ID) []history.DayChange {
	if IsOfRecording(s) {
		return nil
	}
	d := &s.moves.days
	d.use(s.data.scope, &s.options.Extent)
	each, whole := d.keysOf(asset, s.data.view.Instruments())
	if d.shown == nil || d.of != whole || !d.shown.IsCurrent() {
		d.shown, d.of = d.all.Changes(s.data.scope.Parties, each, whole), whole
	}
	return d.shown.All()
}
