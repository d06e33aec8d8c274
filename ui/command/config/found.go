package config

import (
	"cmp"
	"slices"

	"blotter/model"
)

// Found are the parties, markets and assets that a service had, for a first configuration. Their names and decimals in
// Instruments are written too.
type Found struct {
	From        string   // where they were found, in words
	BaseURLs    []string // the addresses of the service; none if they are not known
	Instruments *model.Instruments

	counts   map[string]map[model.ID]int  // by section: in how many positions, or margin records
	examples map[model.ID]*model.Position // of each market the position with the largest size
	assets   map[model.ID][]model.ID      // of each market those of its margin records
}

// NewFound returns what is in positions and margin records.
func NewFound(positions []*model.Position, records []model.MarginLevels, in *model.Instruments) *Found {
	parties, markets, assets := make(map[model.ID]int), make(map[model.ID]int), make(map[model.ID]int)
	f := &Found{
		Instruments: in, counts: map[string]map[model.ID]int{partySection: parties, marketSection: markets, assetSection: assets},
		examples: make(map[model.ID]*model.Position), assets: make(map[model.ID][]model.ID),
	}
	for _, p := range positions {
		parties[p.Party]++
		markets[p.Market]++
		size := p.Number(model.OpenVolume)
		if example := f.examples[p.Market]; example == nil || size.Digits() > example.Number(model.OpenVolume).Digits() {
			f.examples[p.Market] = p
		}
	}
	for i := range records {
		r := &records[i]
		parties[r.Party] += 0
		markets[r.Market] += 0
		assets[r.Asset]++
		if known := f.assets[r.Market]; !r.Asset.IsZero() && !slices.Contains(known, r.Asset) && len(known) <= maxAssets {
			f.assets[r.Market] = append(known, r.Asset)
		}
	}
	for id := range markets {
		if asset := in.Market(id).Asset; !asset.IsZero() {
			assets[asset] += 0 // of the configuration, even if no margin record has it
		}
	}
	return f
}

// maxAssets is how many assets of a market are named: if there are more than one, none of them is taken.
const maxAssets = 3

// Counts returns how many parties, markets and assets Text has.
func (f *Found) Counts() (parties, markets, assets int) {
	return len(f.shown(partySection).ids), len(f.shown(marketSection).ids), len(f.shown(assetSection).ids)
}

// maxFound is how many parties, markets or assets are written.
const maxFound = 2000

// choice are the identifiers that are written, and how many others there are.
type choice struct {
	counts     map[model.ID]int
	ids        []model.ID // those with the highest counts first
	over       int        // above maxFound
	unwritable int        // that a configuration cannot have
}

// shown returns what of a section is written.
func (f *Found) shown(section string) choice {
	c := choice{counts: f.counts[section]}
	for id := range c.counts {
		if isWritable(id) {
			c.ids = append(c.ids, id)
		} else if !id.IsZero() {
			c.unwritable++
		}
	}
	slices.SortFunc(c.ids, func(a, b model.ID) int { return cmp.Or(c.counts[b]-c.counts[a], a.Compare(b)) })
	c.over = max(len(c.ids)-maxFound, 0)
	c.ids = c.ids[:len(c.ids)-c.over]
	return c
}

// isWritable reports whether a configuration can have an identifier. It cannot have one that would be read as another
// one, or as none, and none that is not UTF-8.
func isWritable(id model.ID) bool {
	text := id.String()
	return text != "" && canonical(text) == text && string([]rune(text)) == text
}
