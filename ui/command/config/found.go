package config

import (
	"cmp"
	"maps"
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
	return len(f.shownParties().ids), len(f.shownMarkets().ids), len(f.shownAssets().ids)
}

// maxFound is how many parties, markets or assets are written.
const maxFound = 2000

// choice are the identifiers that are written, and how many others there are.
type choice struct {
	ids  []model.ID
	over int // above maxFound
	odd  int // that a configuration cannot have
}

func (f *Found) shownParties() choice { return choose(f.parties) }
func (f *Found) shownAssets() choice  { return choose(f.assets) }

func (f *Found) shownMarkets() choice {
	counts := make(map[model.ID]int, len(f.markets))
	for id, m := range f.markets {
		counts[id] = m.positions
	}
	return choose(counts)
}

// choose returns those with the highest counts first. An identifier that would be read as another one, or as none, is
// left out.
func choose(counts map[model.ID]int) choice {
	var c choice
	for id := range maps.Keys(counts) {
		switch {
		case id.IsZero():
		case model.CanonicalID(id.String()) != id || !isWritable(id.String()):
			c.odd++
		default:
			c.ids = append(c.ids, id)
		}
	}
	slices.SortFunc(c.ids, func(a, b model.ID) int { return cmp.Or(counts[b]-counts[a], a.Compare(b)) })
	c.over = max(len(c.ids)-maxFound, 0)
	c.ids = c.ids[:len(c.ids)-c.over]
	return c
}

// isWritable reports whether a text can be written in TOML: only UTF-8 can.
func isWritable(text string) bool { return string([]rune(text)) == text }
