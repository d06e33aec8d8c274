package view

import (
	"maps"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view/sorting"
)

// Filter is which rows of its scope a view shows. Text is in the language of package filter.
type Filter struct {
	Text       string // if filter.Parse returns an error for it, it hides no row
	ShowClosed bool   // whether positions with volume 0 are shown
	// Now is the time by the service's clock that ages are counted from. Its location is the zone of times of day.
	Now  time.Time
	Kept *Kept // what a new view shows although it is closed: see View.Keep; nil if nothing is
}

// Kept are flat positions that a view shows although they are closed, as far as its filter matches them. In the orders
// of trouble and of the margin ratio they are below what has lost half of its maintenance margin.
type Kept struct{ rows map[model.Key]bool }

// NewKept returns the positions that a view keeps first.
func NewKept(keys []model.Key) *Kept {
	k := &Kept{make(map[model.Key]bool, len(keys))}
	for _, key := range keys {
		k.rows[key] = true
	}
	return k
}

// keptOf returns the positions that a view with a filter keeps first.
func keptOf(f *Filter) map[model.Key]bool {
	if f.Kept == nil {
		return make(map[model.Key]bool)
	}
	return maps.Clone(f.Kept.rows)
}

func namesOf(field filter.Field, c *sorting.Encoder) (names []string) {
	switch field {
	case filter.PartyField:
		for _, id := range slices.Concat(c.Instruments.Parties(), c.Parties.Values()) {
			names = append(names, c.Instruments.Party(id).Label())
		}
	case filter.MarketField:
		for _, id := range slices.Concat(c.Instruments.Markets(), c.Markets.Values()) {
			names = append(names, c.Instruments.Market(id).Label())
		}
	case filter.AssetField:
		for _, id := range c.Assets.Values() {
			names = append(names, c.Instruments.Asset(id).Label())
		}
	case filter.GroupField:
		for _, g := range c.Instruments.Groups() {
			names = append(names, g.Name)
		}
	case filter.StatusField:
		for _, name := range slices.Concat(model.StatusNames(), c.Statuses.Values()) {
			if name != "" {
				names = append(names, strings.ToLower(filter.StatusText(name)))
			}
		}
	}
	return names
}
