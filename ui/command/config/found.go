package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Found has the parties, markets and assets of a service, for a first configuration. Names and decimals that are
// known are written too.
type Found struct {
	From     string   // where they were found, in words
	BaseURLs []string // the addresses of the service; none if they are not known

	instruments *model.Instruments          // what is known of names and decimals
	counts      map[string]map[model.ID]int // by section: in how many positions, or margin records
	examples    map[model.ID]book.Row       // of each market the position with the largest size
	assets      map[model.ID][]model.ID     // of each market those of its margin records
}

// NewFound returns what is in positions and margin records.
func NewFound(positions []book.Row, records []model.MarginLevels, in *model.Instruments) *Found {
	parties, markets, assets := make(map[model.ID]int), make(map[model.ID]int), make(map[model.ID]int)
	f := &Found{
		instruments: in, counts: map[string]map[model.ID]int{partySection: parties, marketSection: markets, assetSection: assets},
		examples: make(map[model.ID]book.Row), assets: make(map[model.ID][]model.ID),
	}
	for _, row := range positions {
		key := row.Key()
		parties[key.Party]++
		markets[key.Market]++
		example, hasExample := f.examples[key.Market]
		if !hasExample || row.Number(model.OpenVolume).Digits() > example.Number(model.OpenVolume).Digits() {
			f.examples[key.Market] = row
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
	return len(f.choose(partySection).ids), len(f.choose(marketSection).ids), len(f.choose(assetSection).ids)
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

// choose returns the identifiers of a section that are written.
func (f *Found) choose(section string) choice {
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

const foundHead = "The parties, markets and assets of %s.\n\n" +
	"%sblotter help configuration has all other settings; blotter config check checks this file."

// foundMissing is a part of foundHead if names or decimals are missing.
const foundMissing = "The service has neither names nor decimals: write them here, names in quotes, and remove the # before them. A line with # has no effect. "

const foundToken = "The token is not written here. Put it in a file of its own, which only you can read, and name that file:"

// Text returns the configuration. What is not known is a comment, so that it has no wrong values.
func (f *Found) Text() []byte {
	var b, sections strings.Builder
	isMissing := f.writeSection(&sections, partySection, "Parties", "position")
	isMissing = f.writeSection(&sections, marketSection, "Markets", "position") || isMissing
	isMissing = f.writeSection(&sections, assetSection, "Assets", "margin record") || isMissing
	missing := ""
	if isMissing {
		missing = foundMissing
	}
	writeComment(&b, fmt.Sprintf(foundHead, cutText(f.From), missing))
	b.WriteString("\n[service]\n")
	if len(f.BaseURLs) > 0 {
		b.WriteString("base_urls = " + ListOf(f.BaseURLs) + "\n")
	} else {
		b.WriteString("# base_urls = [\"https://node.example.com\"]\n")
	}
	writeComment(&b, foundToken)
	b.WriteString("# token_file = \"token\"\n")
	return []byte(b.String() + sections.String())
}

// writeSection writes all parties, markets or assets, and how many are left out. A key without a value is a comment.
// The unit is what the service had of each: positions or margin records. It returns whether a name or decimals are
// missing.
func (f *Found) writeSection(b *strings.Builder, section, title, unit string) (isMissing bool) {
	c := f.choose(section)
	words := fmt.Sprintf("%s: %d, those with the most %ss first.", title, len(c.ids), unit)
	if c.over > 0 {
		words += fmt.Sprintf(" Left out because there are too many: %d.", c.over)
	}
	if c.unwritable > 0 {
		words += fmt.Sprintf(" Left out because a configuration cannot have their identifiers: %d.", c.unwritable)
	}
	b.WriteString("\n")
	writeComment(b, words)
	for _, id := range c.ids {
		n, before, after := f.describe(section, id)
		isOtherID := slices.Contains(c.ids, model.MakeID(n.name)) || model.LooksLikeOtherID(n.name, id)
		if isOtherID && section != assetSection || strings.TrimSpace(n.name) != n.name {
			n.name = "" // a configuration cannot have it
		}
		fmt.Fprintf(b, "\n[[%s]] # %s\n", section, format.Counted(c.counts[id], unit))
		for _, key := range n.keys(section) {
			line, written := "# "+key.name+" =", key.kind.written()
			if written != "" {
				line = key.name + " = " + written
			}
			switch key.name {
			case "asset":
				line = before + line + after
			case "display_decimals":
				continue
			case "linear":
				if n.linear { // as it is by default
					continue
				}
			default:
				isMissing = isMissing || written == ""
			}
			b.WriteString(line + "\n")
		}
	}
	return isMissing
}

// describe returns what is known of a party, a market or an asset, and the comments before and after a market's asset.
func (f *Found) describe(section string, id model.ID) (n instrument, before, after string) {
	n = instrumentOf(f.instruments, section, id)
	if section != marketSection {
		return n, "", ""
	}
	assets := f.assets[id]
	switch {
	case f.canWriteAsset(f.instruments.Market(id).Asset):
	case len(assets) == 1 && f.canWriteAsset(assets[0]):
		n.asset, after = assets[0].String(), " # of its margin levels"
	default:
		n.asset = ""
		if len(assets) > 1 {
			var texts []string
			for _, asset := range assets {
				texts = append(texts, quote(asset.String()))
			}
			before = "# Its margin levels have several assets: " + strings.Join(texts, ", ") + "\n"
		}
	}
	if row, hasExample := f.examples[id]; hasExample {
		after += fmt.Sprintf("\n# As the service writes it, a position has the size %s and the entry price %s.",
			cutText(row.Number(model.OpenVolume).String()), cutText(row.Number(model.AverageEntryPrice).String()))
	}
	return n, before, after
}

// canWriteAsset reports whether a configuration can have an identifier as the asset of a market, and means this asset
// with it.
func (f *Found) canWriteAsset(id model.ID) bool {
	meant, _ := f.instruments.FindAsset(id.String())
	return meant == id && isWritable(id)
}

// Text returns a configuration for a service with these parties, markets and assets.
func Text(service Service, in *model.Instruments) []byte {
	var text strings.Builder
	text.WriteString("[service]\n" + strings.Join(service.keys().lines(), ""))
	for i, ids := range [][]model.ID{in.Parties(), in.Markets(), in.AssetsOfMarkets()} {
		section := instrumentSections()[i]
		for _, id := range ids {
			n := instrumentOf(in, section, id)
			text.WriteString("\n[[" + section + "]]\n" + strings.Join(n.keys(section).lines(), ""))
		}
	}
	return []byte(text.String())
}

// cutText returns a text of the service for a comment: neutralised, and not longer than a line.
func cutText(text string) string { return draw.Cut(format.OneLine(text), maxText) }

// maxText is how many cells a text of the service has in a comment.
const maxText = 81

// writeComment writes a text on lines that begin with #.
func writeComment(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	const width = 116
	for line := range strings.SplitSeq(ansi.Wordwrap(text, width, " "), "\n") {
		b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
	}
}
