package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

const foundHead = "The parties, markets and assets of %s.\n\n" +
	"The service has neither names nor decimals: write them here, and remove the # before them. A line with # has no effect. " +
	"All other settings are in config.example.toml; blotter config check checks this file."

const foundToken = "The token is not written here. Put it in a file of its own, which only you can read, and name that file:"

// Text returns the configuration. What is not known is a comment, so that it has no wrong values.
func (f *Found) Text() []byte {
	var b strings.Builder
	writeComment(&b, fmt.Sprintf(foundHead, cutText(f.From)))
	b.WriteString("\n[service]\n")
	if len(f.BaseURLs) > 0 {
		b.WriteString("base_urls = " + ListOf(f.BaseURLs) + "\n")
	} else {
		b.WriteString("# base_urls = [\"https://node.example.com\"]\n")
	}
	writeComment(&b, foundToken)
	b.WriteString("# token_file = \"token\"\n")
	for _, section := range []string{partySection, marketSection, assetSection} {
		f.writeSection(&b, section)
	}
	return []byte(b.String())
}

// writeSection writes all parties, markets or assets, and how many are left out. A key without a value is a comment.
func (f *Found) writeSection(b *strings.Builder, section string) {
	c := f.shown(section)
	words := fmt.Sprintf("%s: %d, those with the most %ss first.", c.title, len(c.ids), c.unit)
	if c.over > 0 {
		words += fmt.Sprintf(" Left out because there are too many: %d.", c.over)
	}
	if c.odd > 0 {
		words += fmt.Sprintf(" Left out because a configuration cannot have their identifiers: %d.", c.odd)
	}
	b.WriteString("\n")
	writeComment(b, words)
	for _, id := range c.ids {
		n, before, after := f.describe(section, id)
		if isID := slices.Contains(c.ids, model.MakeID(n.name)); isID && section != assetSection || strings.TrimSpace(n.name) != n.name {
			n.name = "" // a configuration cannot have it
		}
		fmt.Fprintf(b, "\n[[%s]] # %s\n", section, model.Counted(c.counts[id], c.unit))
		for _, key := range n.keys(section) {
			line := "# " + key.name + " =\n"
			if written := key.kind.written(); written != "" {
				line = key.name + " = " + written + "\n"
			}
			switch key.name {
			case "asset":
				line = before + strings.TrimSuffix(line, "\n") + after
			case "display_decimals":
				continue
			}
			b.WriteString(line)
		}
	}
}

// describe returns what is known of a party, a market or an asset, and the comments before and after a market's asset.
func (f *Found) describe(section string, id model.ID) (n instrument, before, after string) {
	n.id = id.String()
	switch section {
	case partySection:
		n.name = f.Instruments.Party(id).Name
	case assetSection:
		known := f.Instruments.Asset(id)
		n.name, n.decimals = known.Symbol, known.Decimals
	case marketSection:
		seen, known := f.markets[id], f.Instruments.Market(id)
		n.name, n.priceDecimals, n.sizeDecimals = known.Name, known.PriceDecimals, known.SizeDecimals
		switch {
		case f.canWriteAsset(known.Asset):
			n.asset = known.Asset.String()
		case len(seen.assets) == 1 && f.canWriteAsset(seen.assets[0]):
			n.asset, after = seen.assets[0].String(), " # of its margin levels"
		case len(seen.assets) > 1:
			var texts []string
			for _, asset := range seen.assets {
				texts = append(texts, Quote(asset.String()))
			}
			before = "# Its margin levels have several assets: " + strings.Join(texts, ", ") + "\n"
		}
		after += "\n"
		if p := seen.example; p != nil {
			after += fmt.Sprintf("# As the service writes it, a position has the size %s and the entry price %s.\n",
				cutText(p.Number(model.OpenVolume).String()), cutText(p.Number(model.AverageEntryPrice).String()))
		}
	}
	return n, before, after
}

// canWriteAsset reports whether a configuration can have the asset of a market, and would mean no other with it.
func (f *Found) canWriteAsset(id model.ID) bool {
	meant, _ := f.Instruments.FindAsset(id.String())
	return meant == id && isWritable(id)
}

// cutText returns a text of the service for a comment: neutralised, and not longer than a line.
func cutText(text string) string {
	const most = 80
	runes := []rune(model.Neutralise(strings.Join(strings.Fields(text), " ")))
	if len(runes) > most {
		runes = append(runes[:most], '…')
	}
	return string(runes)
}

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
