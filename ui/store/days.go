package store

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/history"
)

// days are the totals with which days have ended, and which of them are those of the scope.
type days struct {
	all   *history.Days
	scope model.Scope // of key
	key   string      // empty if it is not known yet
}

// keyOf returns what stands for a scope in the days that are kept: for the name of the extent, and for the parties and
// markets of the scope.
func (d *days) keyOf(scope model.Scope, extent string) string {
	if d.key == "" || !scope.Equal(d.scope) {
		text := strings.Builder{}
		fmt.Fprintf(&text, "%q", extent)
		for _, ids := range [][]model.ID{scope.Parties, scope.Markets} {
			text.WriteByte('\n')
			for _, id := range slices.SortedFunc(slices.Values(ids), model.ID.Compare) {
				fmt.Fprintf(&text, "%q", id.String())
			}
		}
		const bytes = 16
		d.scope, d.key = scope, fmt.Sprintf("%x", sha256.Sum256([]byte(text.String())))[:2*bytes]
	}
	return d.key
}

// noteDay adds the current totals, which are fresh and complete, to those of the day. A stream that is behind is not
// fresh here, and while the asset of a position is not known, no total is complete.
func noteDay(s *Store) {
	now, totals := s.Now(), s.data.view.Totals()
	isBehind := func(link model.Link) bool { return link.Behind(now) != 0 }
	if IsOfRecording(s) || slices.ContainsFunc(s.flow.links, isBehind) {
		return
	}
	for _, total := range totals {
		if total.Asset.IsZero() && total.Rows > 0 {
			return
		}
	}
	key := s.moves.days.keyOf(s.data.scope, s.options.Extent.name)
	s.moves.days.all.Add(key, totals, s.data.view.Instruments(), now.In(s.options.Location))
}

// DaysIn returns the totals of all days.
func DaysIn(s *Store) *history.Days { return s.moves.days.all }

// IsOfRecording reports whether a recording is shown, also the past of a service.
func IsOfRecording(s *Store) bool { return s.options.Events != nil }

// DaysOf returns the days of the scope and an asset; nil if there are none, as in a recording.
func DaysOf(s *Store, asset model.ID) *history.DayLine {
	if IsOfRecording(s) {
		return nil
	}
	key := s.moves.days.keyOf(s.data.scope, s.options.Extent.name)
	return s.moves.days.all.Line(key, asset, s.data.view.Instruments().Asset(asset).Decimals)
}
