package model

import (
	"slices"
	"strings"
	"time"
)

// Filter is which rows of its scope a view shows.
type Filter struct {
	Text       string // a text that ParseQuery refuses hides no row
	ShowClosed bool   // whether positions with volume 0 are shown
	// Now is the time by the service's clock that ages are counted from. Its location is the zone of times of day.
	Now time.Time
}

// Complete returns what the end of the text of a filter can be completed to: text[:start] with one of the candidates
// after it. They are fields, parties and markets, or the values of the field that the text ends with. Names come from
// the instruments and from the rows.
func (v *View) Complete(text string) (start int, candidates []string) {
	return CompleteQuery(text, v.encoder.names)
}

// CompleteEvents does what Complete does, for a filter of events.
func (v *View) CompleteEvents(text string) (start int, candidates []string) {
	return CompleteEventQuery(text, v.encoder.names)
}

// names returns the names that a field can be searched for.
func (c *encoder) names(field fieldName) (names []string) {
	switch field {
	case partyField:
		for _, id := range slices.Concat(c.instruments.Parties(), c.parties.all()) {
			names = append(names, c.instruments.Party(id).Label())
		}
	case marketField:
		for _, id := range slices.Concat(c.instruments.Markets(), c.markets.all()) {
			names = append(names, c.instruments.Market(id).Label())
		}
	case assetField:
		for _, id := range c.assets.all() {
			names = append(names, c.instruments.Asset(id).Label())
		}
	case statusField:
		for _, name := range slices.Concat(knownStatusNames(), c.statuses.all()) {
			if name != "" {
				names = append(names, strings.ToLower(statusWords(name)))
			}
		}
	}
	return names
}
