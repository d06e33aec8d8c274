package config

import (
	"fmt"
	"strconv"
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
	f.writeParties(&b)
	f.writeMarkets(&b)
	f.writeAssets(&b)
	return []byte(b.String())
}

// writeChoice writes how many there are of something, and what is left out.
func writeChoice(b *strings.Builder, c choice, title, order string) {
	words := fmt.Sprintf("%s: %d%s.", title, len(c.ids), order)
	if c.over > 0 {
		words += fmt.Sprintf(" Left out because there are too many: %d.", c.over)
	}
	if c.odd > 0 {
		words += fmt.Sprintf(" Left out because a configuration cannot have their identifiers: %d.", c.odd)
	}
	b.WriteString("\n")
	writeComment(b, words)
}

func (f *Found) writeParties(b *strings.Builder) {
	c := f.shownParties()
	writeChoice(b, c, "Parties", ", those with the most positions first")
	taken := textsOf(c.ids)
	for _, id := range c.ids {
		b.WriteString("\n[[party]] # " + model.Counted(f.parties[id], "position") + "\nid = " + Quote(id.String()) + "\n")
		writeName(b, "name", f.Instruments.Party(id).Name, taken)
	}
}

func (f *Found) writeMarkets(b *strings.Builder) {
	c := f.shownMarkets()
	writeChoice(b, c, "Markets", ", those with the most positions first")
	taken := textsOf(c.ids)
	for _, id := range c.ids {
		seen, known := f.markets[id], f.Instruments.Market(id)
		b.WriteString("\n[[market]] # " + model.Counted(seen.positions, "position") + "\nid = " + Quote(id.String()) + "\n")
		writeName(b, "name", known.Name, taken)
		f.writeAsset(b, seen, known.Asset)
		if p := seen.example; p != nil {
			fmt.Fprintf(b, "# As the service writes it, a position has the size %s and the entry price %s.\n",
				cutText(p.Number(model.OpenVolume).String()), cutText(p.Number(model.AverageEntryPrice).String()))
		}
		writeDecimals(b, "price_decimals", known.PriceDecimals)
		writeDecimals(b, "size_decimals", known.SizeDecimals)
	}
}

// writeAsset writes the asset of a market: that of the configuration, or the one that its margin records name, if it
// can be written.
func (f *Found) writeAsset(b *strings.Builder, seen *foundMarket, configured model.ID) {
	var texts []string
	for _, asset := range seen.assets {
		texts = append(texts, Quote(asset.String()))
	}
	switch {
	case f.canWriteAsset(configured):
		b.WriteString("asset = " + Quote(configured.String()) + "\n")
	case len(texts) == 1 && f.canWriteAsset(seen.assets[0]):
		b.WriteString("asset = " + texts[0] + " # of its margin levels\n")
	case len(texts) > 1:
		b.WriteString("# Its margin levels have several assets: " + strings.Join(texts, ", ") + "\n# asset =\n")
	default:
		b.WriteString("# asset =\n")
	}
}

// canWriteAsset reports whether a configuration can have the asset of a market, and would mean no other with it.
func (f *Found) canWriteAsset(id model.ID) bool {
	meant, _ := f.Instruments.FindAsset(id.String())
	return meant == id && len(choose(map[model.ID]int{id: 1}).ids) == 1
}

func (f *Found) writeAssets(b *strings.Builder) {
	c := f.shownAssets()
	writeChoice(b, c, "Assets", ", those with the most margin records first")
	for _, id := range c.ids {
		known := f.Instruments.Asset(id)
		b.WriteString("\n[[asset]] # " + model.Counted(f.assets[id], "margin record") + "\nid = " + Quote(id.String()) + "\n")
		writeName(b, "symbol", known.Symbol, nil)
		writeDecimals(b, "decimals", known.Decimals)
	}
}

// textsOf returns the texts of identifiers.
func textsOf(ids []model.ID) map[string]bool {
	texts := make(map[string]bool, len(ids))
	for _, id := range ids {
		texts[id.String()] = true
	}
	return texts
}

// writeName writes a name if it is known and no identifier, and else its place.
func writeName(b *strings.Builder, key, name string, identifiers map[string]bool) {
	if name == "" || identifiers[name] || strings.TrimSpace(name) != name {
		b.WriteString("# " + key + " =\n")
		return
	}
	b.WriteString(key + " = " + Quote(name) + "\n")
}

func writeDecimals(b *strings.Builder, key string, decimals int) {
	if decimals == model.Unscaled {
		b.WriteString("# " + key + " =\n")
		return
	}
	b.WriteString(key + " = " + strconv.Itoa(decimals) + "\n")
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
