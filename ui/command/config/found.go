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

	parties, assets map[model.ID]int // in how many positions, or margin records
	markets         map[model.ID]*foundMarket
}

// foundMarket is what was found of a market.
type foundMarket struct {
	positions int
	example   *model.Position // the one with the largest size, or nil if there is none
	assets    []model.ID      // those of its margin records
}

// NewFound returns what is in positions and margin records.
func NewFound(positions []*model.Position, records []model.MarginLevels, in *model.Instruments) *Found {
	f := &Found{
		Instruments: in, parties: make(map[model.ID]int), assets: make(map[model.ID]int), markets: make(map[model.ID]*foundMarket),
	}
	for _, p := range positions {
		f.parties[p.Party]++
		m := f.market(p.Market)
		m.positions++
		if size := p.Number(model.OpenVolume); m.example == nil || size.Digits() > m.example.Number(model.OpenVolume).Digits() {
			m.example = p
		}
	}
	for i := range records {
		r := &records[i]
		f.parties[r.Party] += 0
		if m := f.market(r.Market); !r.Asset.IsZero() && !slices.Contains(m.assets, r.Asset) && len(m.assets) <= maxAssets {
			m.assets = append(m.assets, r.Asset)
		}
		f.assets[r.Asset]++
	}
	for id := range f.markets {
		if asset := in.Market(id).Asset; !asset.IsZero() {
			f.assets[asset] += 0 // of the configuration, even if no margin record has it
		}
	}
	return f
}

// maxAssets is how many assets of a market are named: if there are more than one, none of them is taken.
const maxAssets = 3

func (f *Found) market(id model.ID) *foundMarket {
	m := f.markets[id]
	if m == nil {
		m = new(foundMarket)
		f.markets[id] = m
	}
	return m
}

// Counts returns how many parties, markets and assets Text has.
func (f *Found) Counts() (parties, markets, assets int) {
	return len(f.shown(partySection).ids), len(f.shown(marketSection).ids), len(f.shown(assetSection).ids)
}

// maxFound is how many parties, markets or assets are written.
const maxFound = 2000

// choice are the identifiers that are written, and how many others there are.
type choice struct {
	title  string
	unit   string // what counts counts
	counts map[model.ID]int
	ids    []model.ID // those with the highest counts first
	over   int        // above maxFound
	odd    int        // that a configuration cannot have
}

// shown returns what of a section is written.
func (f *Found) shown(section string) choice {
	c := choice{title: "Parties", unit: "position", counts: f.parties}
	switch section {
	case marketSection:
		c.title, c.counts = "Markets", make(map[model.ID]int, len(f.markets))
		for id, m := range f.markets {
			c.counts[id] = m.positions
		}
	case assetSection:
		c.title, c.unit, c.counts = "Assets", "margin record", f.assets
	}
	for id := range c.counts {
		if isWritable(id) {
			c.ids = append(c.ids, id)
		} else if !id.IsZero() {
			c.odd++
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
