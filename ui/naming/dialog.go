package naming

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/input"
)

// Dialog covers the panes while names and decimals of the party, the market and the asset of a row are given.
type Dialog struct {
	instruments *model.Instruments
	row         Row
	fields      []entry
	place       int    // of the cursor in the fields
	problem     string // what is wrong with the fields
}

// Row is what is named. Of its party, market and asset, those that are zero are not named.
type Row struct {
	model.MarginKey
	Title    string
	IsRecord bool // it is a row of the margin levels
	IsGroup  bool // it is the heading of a group
}

// New returns a dialog for a row. The cursor begins on the first name that is not known yet. If nothing can be
// given, the dialog is nil and problem is the reason.
func New(row Row, f *format.Formatter, names Names) (d *Dialog, problem string) {
	d = &Dialog{instruments: f.Instruments(), row: row}
	d.addFields(f)
	for i := range d.fields {
		if names != nil {
			d.fields[i].setAt = names.SetAt(d.fields[i].Field)
		}
	}
	switch {
	case len(d.fields) == 0:
		return nil, "The service names neither the party nor the market here."
	case !slices.ContainsFunc(d.fields, func(f entry) bool { return f.setAt == "" }):
		return nil, "The configuration sets all of it, in " + format.OneLine(d.fields[0].setAt) + " and so on."
	}
	isUnnamed := func(f entry) bool { return f.setAt == "" && f.was == "" && !f.isDecimals() && f.Key != "asset" }
	d.place = max(slices.IndexFunc(d.fields, isUnnamed), 0)
	if d.fields[d.place].setAt != "" {
		d.Move(+1)
	}
	return d, ""
}

// Row returns what is named.
func (d *Dialog) Row() Row { return d.row }

// addFields adds the fields of the row, with what is known now.
func (d *Dialog) addFields(f *format.Formatter) {
	in, row := d.instruments, d.row
	if !row.Market.IsZero() {
		market, learned := in.Market(row.Market), in.LearnedAsset(row.Market)
		asset, hint := "", ""
		switch {
		case !learned.IsZero():
			hint = f.Asset(learned) + ", from its margin levels"
		case !market.Asset.IsZero():
			asset = d.assetText(market.Asset)
		}
		d.add("market", row.Market, "name", "market", market.Name, "")
		d.add("market", row.Market, "size_decimals", "size decimals", decimalsText(market.SizeDecimals), "")
		d.add("market", row.Market, "price_decimals", "price decimals", decimalsText(market.PriceDecimals), "")
		d.add("market", row.Market, "asset", "its asset", asset, hint)
	}
	if !row.Party.IsZero() {
		d.add("party", row.Party, "name", "party", in.Party(row.Party).Name, "")
	}
	if !row.Asset.IsZero() {
		asset := in.Asset(row.Asset)
		d.add("asset", row.Asset, "symbol", "asset", asset.Symbol, "")
		d.add("asset", row.Asset, "decimals", "amount decimals", decimalsText(asset.Decimals), "")
	}
}

// entry is a text or a number in the dialog.
type entry struct {
	Field
	title string
	line  input.Line
	was   string // its text at first
	setAt string // where the configuration sets it; then it cannot be changed
	hint  string // shown while it is empty
}

// text returns what the field holds, without the spaces around it.
func (f *entry) text() string { return strings.TrimSpace(f.line.String()) }

// isDecimals reports whether the field is a number of decimals.
func (f *entry) isDecimals() bool { return strings.HasSuffix(f.Key, "decimals") }

// add adds a field with a title.
func (d *Dialog) add(section string, id model.ID, key, title, text, hint string) {
	line := input.New(text)
	d.fields = append(d.fields, entry{
		Field: Field{section, id, key}, title: title, line: line, was: line.String(), hint: hint,
	})
}

func decimalsText(decimals int) string {
	if decimals == model.Unscaled {
		return ""
	}
	return strconv.Itoa(decimals)
}

// assetText returns what a trader would type for an asset: its symbol, or its identifier if others have the symbol.
func (d *Dialog) assetText(id model.ID) string {
	symbol := d.instruments.Asset(id).Symbol
	if found, isOne := d.instruments.FindAsset(symbol); isOne && found == id && symbol != "" {
		return symbol
	}
	return id.String()
}

// Move moves the cursor to another field that can be changed.
func (d *Dialog) Move(step int) {
	for range d.fields {
		d.place = (d.place + step + len(d.fields)) % len(d.fields)
		if d.fields[d.place].setAt == "" {
			return
		}
	}
}

// Press handles a key that types in the field of the cursor.
func (d *Dialog) Press(key tea.KeyPressMsg) {
	d.fields[d.place].line.Press(key)
	_, d.problem = d.invalid()
}

// Paste types a text there.
func (d *Dialog) Paste(text string) {
	d.fields[d.place].line.Insert(text)
	_, d.problem = d.invalid()
}

// Check reports whether all fields can be saved. If they cannot, the cursor is on the first that cannot, and the
// last line shows why.
func (d *Dialog) Check() bool {
	place, words := d.invalid()
	if words == "" {
		return true
	}
	d.place, d.problem = place, words
	return false
}

// invalid returns the first field that cannot be saved, and why; the words are empty if all fields can be saved.
func (d *Dialog) invalid() (place int, words string) {
	for i := range d.fields {
		if words := d.invalidField(&d.fields[i]); words != "" {
			return i, words
		}
	}
	return 0, ""
}

// invalidField returns why a field cannot be saved; empty if it can.
func (d *Dialog) invalidField(f *entry) string {
	text := f.text()
	switch {
	case text == "" || f.line.String() == f.was:
		return ""
	case f.isDecimals():
		if n, err := strconv.Atoi(text); err != nil || n < 0 || n > model.MaxDecimals {
			return fmt.Sprintf("The %s must be a whole number from 0 to %d.", f.title, model.MaxDecimals)
		}
	case f.Section == "party":
		if owner := d.instruments.PartyNamed(text); !owner.IsZero() && owner != f.ID {
			return "Another party has the name: " + format.Text(owner.String()) + "."
		}
	case f.Key == "name":
		if owner := d.instruments.MarketNamed(text); !owner.IsZero() && owner != f.ID {
			return "Another market has the name: " + format.Text(owner.String()) + "."
		}
	case f.Key == "asset":
		if _, isOne := d.instruments.FindAsset(text); !isOne {
			return "Several assets have this symbol: type the identifier."
		}
	}
	return ""
}

// find returns a field, nil if the row has none of it.
func (d *Dialog) find(section, key string) *entry {
	for i := range d.fields {
		if f := &d.fields[i]; f.Section == section && f.Key == key {
			return f
		}
	}
	return nil
}

// decimals returns the decimals in a field, model.Unscaled if there are none.
func (d *Dialog) decimals(section, key string) int {
	f := d.find(section, key)
	if f == nil {
		return model.Unscaled
	}
	n, err := strconv.Atoi(f.text())
	if err != nil || n < 0 || n > model.MaxDecimals {
		return model.Unscaled
	}
	return n
}

// asset returns the asset that the market would have.
func (d *Dialog) asset() model.ID {
	f := d.find("market", "asset")
	if f == nil {
		return d.row.Asset
	}
	if f.text() == "" {
		return d.instruments.LearnedAsset(d.row.Market)
	}
	id, _ := d.instruments.FindAsset(f.text())
	return id
}

// Given returns what was changed.
func (d *Dialog) Given() []Given {
	var given []Given
	for i := range d.fields {
		f := &d.fields[i]
		value := f.text()
		if value == strings.TrimSpace(f.was) {
			continue
		}
		if f.Key == "asset" && value != "" {
			value = d.asset().String() // a symbol can change
		}
		given = append(given, Given{f.Field, value})
	}
	return given
}
