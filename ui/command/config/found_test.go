package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
)

func foundPosition(party, market, size, entry string) *model.Position {
	p := &model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}}
	p.SetNumber(model.OpenVolume, model.ParseAmount(size))
	p.SetNumber(model.AverageEntryPrice, model.ParseAmount(entry))
	return p
}

// rows returns positions as a book has them.
func rows(positions ...*model.Position) (rows []book.Row) {
	table := book.NewRows()
	for _, p := range positions {
		table.Put(p)
	}
	for number := range table.AllNumbers {
		rows = append(rows, table.Row(number))
	}
	return rows
}

func foundRecord(party, market, asset string) model.MarginLevels {
	return model.MarginLevels{MarginKey: model.MarginKey{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}, Asset: model.MakeID(asset)}}
}

func TestFoundIsAConfiguration(t *testing.T) {
	in := model.NewInstruments([]model.Party{{ID: model.MakeID("a2"), Name: "desk-2"}}, []model.Market{
		{ID: model.MakeID("b1"), PriceDecimals: 1, SizeDecimals: model.Unscaled},
	}, nil)
	f := NewFound(rows(foundPosition("a1", "b1", "-10", "5"), foundPosition("a2", "b1", "12500", "641205"), foundPosition("a2", "b2", "0", "0")),
		[]model.MarginLevels{foundRecord("a1", "b1", "u"), foundRecord("a3", "b2", "u"), foundRecord("a3", "b2", "v")}, in)
	f.From, f.BaseURLs = "https://node.example.com on 2026-11-22", []string{"https://node.example.com"}
	want := `# The parties, markets and assets of https://node.example.com on 2026-11-22.
#
# The service has neither names nor decimals: write them here, names in quotes, and remove the # before them. A line
# with # has no effect. blotter help configuration has all other settings; blotter config check checks this file.

[service]
base_urls = ["https://node.example.com"]
# The token is not written here. Put it in a file of its own, which only you can read, and name that file:
# token_file = "token"

# Parties: 3, those with the most positions first.

[[party]] # 2 positions
id = "a2"
name = "desk-2"

[[party]] # 1 position
id = "a1"
# name =

[[party]] # 0 positions
id = "a3"
# name =

# Markets: 2, those with the most positions first.

[[market]] # 2 positions
id = "b1"
# name =
asset = "u" # of its margin levels
# As the service writes it, a position has the size 12500 and the entry price 641205.
price_decimals = 1
# size_decimals =

[[market]] # 1 position
id = "b2"
# name =
# Its margin levels have several assets: "u", "v"
# asset =
# As the service writes it, a position has the size 0 and the entry price 0.
# price_decimals =
# size_decimals =

# Assets: 2, those with the most margin records first.

[[asset]] # 2 margin records
id = "u"
# symbol =
# decimals =

[[asset]] # 1 margin record
id = "v"
# symbol =
# decimals =
`
	if got := string(f.Text()); got != want {
		t.Errorf("it is\n%s\nnot\n%s", got, want)
	}
	// A key without a value is an error, not a wrong number: the trader has removed only the #.
	wrong := strings.Replace(want, "# size_decimals =", "size_decimals =", 1)
	if _, err := Parse("a.toml", []byte(wrong)); err == nil || !strings.Contains(err.Error(), "a.toml:33: ") {
		t.Errorf("%v", err)
	}
}

// TestFoundKeepsTheAssetOfTheConfiguration if a market has no margin records.
func TestFoundKeepsTheAssetOfTheConfiguration(t *testing.T) {
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("b1"), Name: "BTC", Asset: model.MakeID("u"), PriceDecimals: 1, SizeDecimals: 2}},
		[]model.Asset{{ID: model.MakeID("u"), Symbol: "USD", Decimals: 2}})
	text := string(NewFound(rows(foundPosition("p", "b1", "1", "1")), nil, in).Text())
	for _, want := range []string{"name = \"BTC\"\nasset = \"u\"\n", "[[asset]] # 0 margin records\nid = \"u\"\nsymbol = \"USD\"\ndecimals = 2\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not have %q:\n%s", want, text)
		}
	}
	if file := parse(t, text); file.Instruments.Market(model.MakeID("b1")).Asset != model.MakeID("u") {
		t.Errorf("the asset is lost:\n%s", text)
	}
}

// TestFoundHasALimit, and names what it leaves out.
func TestFoundHasALimit(t *testing.T) {
	var positions []*model.Position
	for i := range maxFound + 7 {
		positions = append(positions, foundPosition(fmt.Sprintf("p%05d", i), "m", "1", "1"))
	}
	positions = append(positions, foundPosition("p02006", "m2", "1", "1"), foundPosition(" p", "", strings.Repeat("9", 500), "\x1b[31m"), foundPosition(strings.ToUpper(hexID), "m", "1", "1"))
	f := NewFound(rows(positions...), nil, model.NewInstruments(nil, nil, nil))
	text := string(f.Text())
	file := parse(t, text)
	parties := file.Instruments.Parties()
	if len(parties) != maxFound || parties[0] != model.MakeID("p02006") || len(file.Instruments.Markets()) != 2 {
		t.Errorf("%d parties, %s first", len(parties), parties[0])
	}
	for _, want := range []string{
		"Left out because there are too many: 7. Left out because a configuration cannot have their identifiers: 2.",
		"base_urls = [\"https://node.example.com\"] The token",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "\n# ", " "), want) {
			t.Errorf("it does not have %q:\n%.600s", want, text)
		}
	}
}

// FuzzFound: whatever a service sends, the file is accepted, and gives back each identifier that a configuration can
// have.
func FuzzFound(f *testing.F) {
	f.Add("a", "b", "c", "1", "desk")
	f.Add("\"]\n[service]", "'''", "\\", "\x1b[2J", "a")
	f.Add("a", "b", "c", "1", "b") // a name that is the identifier of another
	f.Add("\xff", " a ", "\u202e\U0001F9F1\u0085", "\n# x\nname = 3", "\x00")
	f.Add("a", "b", "c", "1", hexID) // a name that looks like an identifier
	f.Add(strings.ToUpper(hexID), strings.ToLower(hexID), "u", "", " x ")
	f.Fuzz(func(t *testing.T, party, market, asset, number, name string) {
		in := model.NewInstruments([]model.Party{{ID: model.MakeID(party), Name: name}}, []model.Market{{ID: model.MakeID(market), Name: name}},
			[]model.Asset{{ID: model.MakeID(asset), Symbol: name}, {ID: model.MakeID(party), Symbol: asset}})
		found := NewFound(rows(foundPosition(party, market, number, number), foundPosition(market, asset, number, number)),
			[]model.MarginLevels{foundRecord(party, market, asset), foundRecord(asset, party, market)}, in)
		found.From, found.BaseURLs = number, []string{"https://node.example.com"}
		file, err := Parse("a.toml", found.Text())
		if err != nil {
			t.Fatalf("%v:\n%s", err, found.Text())
		}
		for _, text := range []string{party, market, asset} {
			id := model.MakeID(text)
			if id.IsZero() || model.CanonicalID(text) != id || string([]rune(text)) != text {
				continue
			}
			if !slices.Contains(file.Instruments.Parties(), id) || text != asset && !slices.Contains(file.Instruments.Markets(), id) {
				t.Errorf("%q is not in\n%s", text, found.Text())
			}
		}
	})
}

// TestFoundWithAllNames does not ask for names and decimals.
func TestFoundWithAllNames(t *testing.T) {
	in := model.NewInstruments([]model.Party{{ID: model.MakeID("a1"), Name: "desk-1"}}, []model.Market{
		{ID: model.MakeID("b1"), Name: "BTC/USDT", PriceDecimals: 1, SizeDecimals: 3},
	}, nil)
	f := NewFound(rows(foundPosition("a1", "b1", "-10", "5")), nil, in)
	if text := string(f.Text()); strings.Contains(text, "write them here") || !strings.Contains(text, "blotter config check") {
		t.Errorf("%s", text)
	}
	f.instruments = model.NewInstruments(nil, nil, nil)
	if text := string(f.Text()); !strings.Contains(text, "write them here") {
		t.Errorf("%s", text)
	}
}
