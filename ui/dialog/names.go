package dialog

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
	"blotter/ui/pane"
	"blotter/ui/persist"
	"blotter/ui/store"
)

// NamesForm covers the panes while names and decimals of the party, the market and the asset of a row are given. It
// saves nothing: naming.Names keeps what was given.
type NamesForm struct {
	pane.Form[nameEntry]
	subject     pane.Named
	then        []pane.Named // what gets names after it
	settings    NamesSettings
	instruments *model.Instruments
	shown       *format.Formatter // with what is in the fields
}

// nameEntry is what a field is about.
type nameEntry struct {
	persist.NameField
	was string // its text at first
}

// namesField is a text or a number in the dialog.
type namesField = pane.Field[nameEntry]

// NamesSettings are what a dialog needs besides its subject.
type NamesSettings struct {
	Names           persist.Names            // keeps what is given; nil if it is for this run only
	DisplayDecimals func(asset model.ID) int // of amounts
}

// OpenNames returns a dialog, or says why nothing can be given. The cursor begins on the first name that is not known
// yet.
func OpenNames(of pane.NamesDialog, f *format.Formatter, settings NamesSettings) (pane.Pane, []pane.Effect) {
	d := &NamesForm{Form: pane.NewForm[nameEntry](namesTitleCells, fieldRowsOf), instruments: f.Instruments(),
		subject: of.Named, then: of.Then, settings: settings}
	d.addFields(f)
	canGive := slices.ContainsFunc(d.Fields, func(f namesField) bool { return f.Fixed == "" })
	switch {
	case !canGive && len(of.Then) > 0:
		return OpenNames(pane.NamesDialog{Named: of.Then[0], Then: of.Then[1:]}, f, settings)
	case len(d.Fields) == 0:
		return nil, pane.Saying("The service names neither the party nor the market here.")
	case !canGive:
		return nil, pane.Saying("The configuration sets its names and decimals, in " + format.OneLine(settings.Names.SetAt(d.Fields[0].Of.NameField)) + " and other lines.")
	}
	isUnnamed := func(f namesField) bool { return f.Fixed == "" && f.Of.was == "" && f.Of.isName() }
	d.Place = max(slices.IndexFunc(d.Fields, isUnnamed), 0)
	if d.Fields[d.Place].Fixed != "" {
		d.Move(+1)
	}
	d.show()
	return d, nil
}

// Subject returns what gets names.
func (d *NamesForm) Subject() string { return fmt.Sprint(d.subject.MarginKey) }

// NamesActions are the keys of the dialog besides those that move in it.
func NamesActions() []keys.Action[*NamesForm] {
	return []keys.Action[*NamesForm]{
		{Name: "save_names", Keys: []string{"enter"}, Help: "save all fields", Hint: "save", Priority: 1, Do: (*NamesForm).save},
	}
}

// save shows the row with its new names and decimals, and saves them for the next run. If a field cannot be saved, the
// cursor is put on it, and the last line shows why.
func (d *NamesForm) save(*pane.Context) []pane.Effect {
	if place, words := d.invalid(); words != "" {
		d.Place, d.Problem = place, words
		return nil
	}
	given := d.given()
	if len(given) == 0 {
		return pane.Closing(d.next()...)
	}
	change := pane.Change(func(s *store.Store) tea.Cmd { return s.SetInstruments(persist.WithNames(s.Instruments(), given)) })
	names := d.settings.Names
	if names == nil {
		return pane.Closing(append([]pane.Effect{change, pane.Say("Named for this run only: there is no configuration folder.")}, d.next()...)...)
	}
	return pane.Closing(append([]pane.Effect{change, pane.Send(func() tea.Msg {
		if err := names.Keep(given); err != nil {
			return pane.Said("Named for this run only: " + format.Error(err))
		}
		return pane.Said("Saved in " + format.OneLine(names.Path()) + ".")
	})}, d.next()...)...)
}

// next opens the dialog of what gets names after this; none if nothing does.
func (d *NamesForm) next() []pane.Effect {
	if len(d.then) == 0 {
		return nil
	}
	return []pane.Effect{pane.Open{Dialog: pane.NamesDialog{Named: d.then[0], Then: d.then[1:]}}}
}

// addFields adds the fields of the row, with what is known now.
func (d *NamesForm) addFields(f *format.Formatter) {
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
		d.addField("market", row.Market, "name", "market", market.Name, "")
		d.addField("market", row.Market, "size_decimals", "size decimals", decimalsText(market.SizeDecimals), "")
		d.addField("market", row.Market, "price_decimals", "price decimals", decimalsText(market.PriceDecimals), "")
		d.addField("market", row.Market, "asset", "its asset", asset, hint)
	}
	if !row.Party.IsZero() {
		d.addField("party", row.Party, "name", "party", in.Party(row.Party).Name, "")
	}
	if !row.Asset.IsZero() {
		asset := in.Asset(row.Asset)
		d.addField("asset", row.Asset, "symbol", "asset", asset.Symbol, "")
		d.addField("asset", row.Asset, "decimals", "amount decimals", decimalsText(asset.Decimals), "")
	}
}

// fieldText returns what a field holds, without the spaces around it.
func fieldText(f *namesField) string { return strings.TrimSpace(f.Line.String()) }

func (e *nameEntry) isDecimals() bool { return strings.HasSuffix(e.Key, "decimals") }

// isName reports whether the entry is the name of its party, market or asset.
func (e *nameEntry) isName() bool { return !e.isDecimals() && e.Key != "asset" }

// addField adds a field with a title. While the field is empty, a name has the identifier as its hint.
func (d *NamesForm) addField(section string, id model.ID, key, title, text, hint string) {
	line := input.New(text)
	f := namesField{Of: nameEntry{persist.NameField{Section: section, ID: id, Key: key}, line.String()},
		Title: title, Line: line, Hint: hint}
	if f.Of.isName() {
		f.Hint = format.Text(id.String())
	}
	if names := d.settings.Names; names != nil {
		if at := names.SetAt(f.Of.NameField); at != "" {
			f.Fixed = "set in " + format.OneLine(at)
		}
	}
	d.Fields = append(d.Fields, f)
}

func decimalsText(decimals int) string {
	if decimals == model.Unscaled {
		return ""
	}
	return strconv.Itoa(decimals)
}

// assetText returns what a trader would type for an asset: its symbol, or its identifier if others have the symbol.
func (d *NamesForm) assetText(id model.ID) string {
	symbol := d.instruments.Asset(id).Symbol
	if found, isOne := d.instruments.FindAsset(symbol); isOne && found == id && symbol != "" {
		return symbol
	}
	return id.String()
}

// Changed checks the fields.
func (d *NamesForm) Changed(*pane.Context) []pane.Effect {
	_, d.Problem = d.invalid()
	d.show()
	return nil
}

// show makes the numbers of the row be shown with what is in the fields.
func (d *NamesForm) show() {
	d.shown = format.New(persist.WithNames(d.instruments, d.given()), nil, d.settings.DisplayDecimals, false)
}

// invalid returns the first field that cannot be saved, and why; the words are empty if all fields can be saved.
func (d *NamesForm) invalid() (place int, words string) {
	for i := range d.Fields {
		if words := d.invalidField(&d.Fields[i]); words != "" {
			return i, words
		}
	}
	return 0, ""
}

// invalidField returns why a field cannot be saved; empty if it can.
func (d *NamesForm) invalidField(f *namesField) string {
	text, of := fieldText(f), &f.Of
	switch {
	case text == "" || f.Line.String() == of.was:
		return ""
	case of.Key == "name" && model.LooksLikeOtherID(text, of.ID):
		return "This looks like the identifier of another " + of.Section + ": type another name."
	case of.isDecimals():
		if n, err := strconv.Atoi(text); err != nil || n < model.MinDecimals || n > model.MaxDecimals {
			return fmt.Sprintf("The %s must be a whole number from %d to %d.", f.Title, model.MinDecimals, model.MaxDecimals)
		}
	case of.Section == "party":
		if owner := d.instruments.PartyNamed(text); !owner.IsZero() && owner != of.ID {
			return "Another party has the name: " + format.Text(owner.String()) + "."
		}
	case of.Key == "name":
		if owner := d.instruments.MarketNamed(text); !owner.IsZero() && owner != of.ID {
			return "Another market has the name: " + format.Text(owner.String()) + "."
		}
	case of.Key == "asset":
		if _, isOne := d.instruments.FindAsset(text); !isOne {
			return "Several assets have this symbol: type the identifier."
		}
	}
	return ""
}

// given returns what was changed.
func (d *NamesForm) given() []persist.GivenName {
	var given []persist.GivenName
	for i := range d.Fields {
		of, value := &d.Fields[i].Of, fieldText(&d.Fields[i])
		if value == strings.TrimSpace(of.was) {
			continue
		}
		if of.Key == "asset" && value != "" {
			id, _ := d.instruments.FindAsset(value)
			value = id.String() // a symbol can change
		}
		given = append(given, persist.GivenName{NameField: of.NameField, Value: value})
	}
	return given
}
