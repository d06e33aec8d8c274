// Package names is the dialog in which the trader gives names and decimals to the party, the market and the asset of a
// row. It saves nothing: naming.Names keeps what was given.
package names

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/naming"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Dialog covers the panes while names and decimals of the party, the market and the asset of a row are given.
type Dialog struct {
	subject     Subject
	settings    Settings
	instruments *model.Instruments
	fields      []entry
	place       int    // of the cursor in the fields
	problem     string // what is wrong with the fields
}

// Subject is what is named. Of its party, market and asset, those that are zero are not named.
type Subject struct {
	model.MarginKey
	Title   string
	IsGroup bool // it is the heading of a group
	// Record returns the margin record that is named, as it is now, or nil if the page has it no longer. Without the
	// function, a position is named.
	Record func() *model.MarginLevels
}

// Settings are what a dialog needs besides its subject.
type Settings struct {
	Names           naming.Names             // keeps what is given; nil if it is for this run only
	DisplayDecimals func(asset model.ID) int // of amounts
}

// New returns a dialog. The cursor begins on the first name that is not known yet. If nothing can be given, the dialog
// is nil and problem is the reason.
func New(subject Subject, f *format.Formatter, settings Settings) (d *Dialog, problem string) {
	names := settings.Names
	d = &Dialog{instruments: f.Instruments(), subject: subject, settings: settings}
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
		d.move(+1)
	}
	return d, ""
}

// Actions are the keys of the dialog.
func Actions() []keys.Action[*Dialog] {
	move := func(step int) func(*Dialog, *pane.Context) []pane.Effect {
		return func(d *Dialog, _ *pane.Context) []pane.Effect { d.move(step); return nil }
	}
	return []keys.Action[*Dialog]{
		{Name: "next_field", Keys: []string{"tab", "down"}, Help: "next field", Hint: "next field", Priority: 2, Do: move(+1)},
		{Name: "previous_field", Keys: []string{"shift+tab", "up"}, Help: "previous field", Do: move(-1)},
		{Name: "save_names", Keys: []string{"enter"}, Help: "save all fields", Hint: "save", Priority: 1, Do: (*Dialog).save},
		{Name: "cancel", Keys: keys.Esc, Help: "cancel", Hint: "cancel", Priority: 3, Do: (*Dialog).cancel},
	}
}

func (d *Dialog) cancel(*pane.Context) []pane.Effect { return pane.Closing() }

// save shows the row with its new names and decimals, and saves them for the next run.
func (d *Dialog) save(c *pane.Context) []pane.Effect {
	if !d.check() {
		return nil
	}
	given := d.given()
	if len(given) == 0 {
		return pane.Closing()
	}
	change := pane.Change{Do: func(s *store.Store) tea.Cmd { return s.SetInstruments(naming.With(s.Instruments(), given)) }}
	names := d.settings.Names
	if names == nil {
		return pane.Closing(change, pane.Say{Text: "Named for this run only: there is no configuration folder."})
	}
	return pane.Closing(change, pane.Run{Do: func() string {
		if err := names.Keep(given); err != nil {
			return "Named for this run only: " + format.Error(err)
		}
		return "Saved in " + format.OneLine(names.Path()) + "."
	}})
}

// addFields adds the fields of the row, with what is known now.
func (d *Dialog) addFields(f *format.Formatter) {
	in, row := d.instruments, d.subject
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
	naming.Field
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
		Field: naming.Field{Section: section, ID: id, Key: key}, title: title, line: line, was: line.String(), hint: hint,
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

// move moves the cursor to another field that can be changed.
func (d *Dialog) move(step int) {
	for range d.fields {
		d.place = (d.place + step + len(d.fields)) % len(d.fields)
		if d.fields[d.place].setAt == "" {
			return
		}
	}
}

// Text returns the text of the field under the cursor.
func (d *Dialog) Text() *input.Line { return &d.fields[d.place].line }

// Changed checks the fields.
func (d *Dialog) Changed(*pane.Context) []pane.Effect {
	_, d.problem = d.invalid()
	return nil
}

// List returns nil: the fields have keys of their own.
func (d *Dialog) List() pane.List { return nil }

// Fit does nothing: the dialog keeps the field of the cursor on the screen.
func (d *Dialog) Fit(*pane.Context, pane.Size) {}

// check reports whether all fields can be saved. If they cannot, the cursor is on the first that cannot, and the
// last line shows why.
func (d *Dialog) check() bool {
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
		return d.subject.Asset
	}
	if f.text() == "" {
		return d.instruments.LearnedAsset(d.subject.Market)
	}
	id, _ := d.instruments.FindAsset(f.text())
	return id
}

// given returns what was changed.
func (d *Dialog) given() []naming.Given {
	var given []naming.Given
	for i := range d.fields {
		f := &d.fields[i]
		value := f.text()
		if value == strings.TrimSpace(f.was) {
			continue
		}
		if f.Key == "asset" && value != "" {
			value = d.asset().String() // a symbol can change
		}
		given = append(given, naming.Given{Field: f.Field, Value: value})
	}
	return given
}
