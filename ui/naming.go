package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/input"
)

// nameDialog is the dialog for the names and decimals of the party, the market and the asset of a row. It covers the
// panes.
type nameDialog struct {
	instruments *model.Instruments
	row         model.MarginKey // its party, market and asset
	isRecord    bool            // it is a row of the margin levels
	group       string          // the name of the group whose heading was named; empty for a row
	fields      []nameField
	place       int    // of the cursor in the fields
	problem     string // what is wrong with the fields
}

// nameField is a text or a number in the dialog.
type nameField struct {
	NameKey
	title string
	line  input.Line
	was   string // its text at first
	setAt string // where the configuration sets it; then it cannot be changed
	hint  string // shown while it is empty
}

// text returns what the field holds, without the spaces around it.
func (f *nameField) text() string { return strings.TrimSpace(f.line.String()) }

// isDecimals reports whether the field is a number of decimals.
func (f *nameField) isDecimals() bool { return strings.HasSuffix(f.Key, "decimals") }

// nameRow opens the dialog for the position under the cursor. On the heading of a group it is only for the party, the
// market or the asset of the group.
func (m *Model) nameRow() tea.Cmd {
	m.positions.moved = true // or another row would come in its place
	if g, ok := m.selectedGroup(); ok {
		return m.openNaming(m.namedGroup(g.ID), false)
	}
	p := m.selected()
	return m.openNaming(model.MarginKey{Key: p.Key, Asset: m.data.instruments.Market(p.Market).Asset}, false)
}

// nameRecord opens the dialog for the margin record under the cursor.
func (m *Model) nameRecord() tea.Cmd {
	record, _ := m.margins.Window.Cursor()
	return m.openNaming(record, true)
}

// namedGroup returns what the heading of a group names.
func (m *Model) namedGroup(id model.ID) (named model.MarginKey) {
	switch m.data.view.Groups.By {
	case view.GroupByParty:
		named.Party = id
	case view.GroupByMarket:
		named.Market = id
	case view.GroupByAsset:
		named.Asset = id
	}
	return named
}

func (m *Model) noNaming() string {
	if g, ok := m.selectedGroup(); ok && g.ID.IsZero() {
		return cmp.Or(m.noNames(), "the "+m.data.view.Groups.By.String()+" of this group is not known")
	}
	return cmp.Or(m.noNames(), m.noLine())
}

// noDetailNaming returns why nothing can be named where one reads: only the detail is of a row.
func (m *Model) noDetailNaming() string {
	if m.page != noPage && m.page != detailPage {
		return "no row is shown here"
	}
	return m.noNaming()
}

func (m *Model) noRecordNaming() string { return cmp.Or(m.noNames(), m.noRecord()) }

// noNames returns why nothing can be named; empty where it can.
func (m *Model) noNames() string {
	if m.options.Demo {
		return "everything in the demo has its name"
	}
	return ""
}

// openNaming opens the dialog. The cursor begins on the first name that is not known yet.
func (m *Model) openNaming(row model.MarginKey, isRecord bool) tea.Cmd {
	d := &nameDialog{instruments: m.data.instruments, row: row, isRecord: isRecord}
	in := d.instruments
	if !row.Market.IsZero() {
		market, learned := in.Market(row.Market), in.LearnedAsset(row.Market)
		asset, hint := "", ""
		switch {
		case !learned.IsZero():
			hint = m.format.Asset(learned) + ", from its margin levels"
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
	for i := range d.fields {
		if m.options.Names != nil {
			d.fields[i].setAt = m.options.Names.SetAt(d.fields[i].NameKey)
		}
	}
	switch {
	case len(d.fields) == 0:
		m.notify("The service names neither the party nor the market here.")
		return nil
	case !slices.ContainsFunc(d.fields, func(f nameField) bool { return f.setAt == "" }):
		m.notify("The configuration sets all of it, in " + format.OneLine(d.fields[0].setAt) + " and so on.")
		return nil
	}
	isUnnamed := func(f nameField) bool { return f.setAt == "" && f.was == "" && !f.isDecimals() && f.Key != "asset" }
	d.place = max(slices.IndexFunc(d.fields, isUnnamed), 0)
	if d.fields[d.place].setAt != "" {
		d.move(+1)
	}
	if g, ok := m.selectedGroup(); ok && !isRecord {
		d.group = m.headingOf(g).Name()
	}
	m.naming = d
	return nil
}

// add adds a field with a title.
func (d *nameDialog) add(section string, id model.ID, key, title, text, hint string) {
	line := input.New(text)
	d.fields = append(d.fields, nameField{
		NameKey: NameKey{section, id, key}, title: title, line: line, was: line.String(), hint: hint,
	})
}

func decimalsText(decimals int) string {
	if decimals == model.Unscaled {
		return ""
	}
	return strconv.Itoa(decimals)
}

// assetText returns what a trader would type for an asset: its symbol, or its identifier where others have the symbol.
func (d *nameDialog) assetText(id model.ID) string {
	symbol := d.instruments.Asset(id).Symbol
	if found, isOne := d.instruments.FindAsset(symbol); isOne && found == id && symbol != "" {
		return symbol
	}
	return id.String()
}

// move moves the cursor to another field that can be changed.
func (d *nameDialog) move(step int) {
	for range d.fields {
		d.place = (d.place + step + len(d.fields)) % len(d.fields)
		if d.fields[d.place].setAt == "" {
			return
		}
	}
}

func (m *Model) nextNameField() tea.Cmd     { m.naming.move(+1); return nil }
func (m *Model) previousNameField() tea.Cmd { m.naming.move(-1); return nil }
func (m *Model) cancelNaming() tea.Cmd      { m.naming = nil; return nil }

func (d *nameDialog) press(key tea.KeyPressMsg) {
	d.fields[d.place].line.Press(key)
	_, d.problem = d.invalid()
}

func (d *nameDialog) paste(text string) {
	d.fields[d.place].line.Insert(text)
	_, d.problem = d.invalid()
}

// invalid returns the first field that cannot be saved, and why; the words are empty where all fields can be saved.
func (d *nameDialog) invalid() (place int, words string) {
	for i := range d.fields {
		if words := d.invalidField(&d.fields[i]); words != "" {
			return i, words
		}
	}
	return 0, ""
}

// invalidField returns why a field cannot be saved; empty where it can.
func (d *nameDialog) invalidField(f *nameField) string {
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

// field returns a field, nil where the row has none of it.
func (d *nameDialog) field(section, key string) *nameField {
	for i := range d.fields {
		if f := &d.fields[i]; f.Section == section && f.Key == key {
			return f
		}
	}
	return nil
}

// decimals returns the decimals in a field, model.Unscaled where there are none.
func (d *nameDialog) decimals(section, key string) int {
	f := d.field(section, key)
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
func (d *nameDialog) asset() model.ID {
	f := d.field("market", "asset")
	if f == nil {
		return d.row.Asset
	}
	if f.text() == "" {
		return d.instruments.LearnedAsset(d.row.Market)
	}
	id, _ := d.instruments.FindAsset(f.text())
	return id
}

// given returns what was changed.
func (d *nameDialog) given() []GivenName {
	var given []GivenName
	for i := range d.fields {
		f := &d.fields[i]
		value := f.text()
		if value == strings.TrimSpace(f.was) {
			continue
		}
		if f.Key == "asset" && value != "" {
			value = d.asset().String() // a symbol can change
		}
		given = append(given, GivenName{f.NameKey, value})
	}
	return given
}

// keptMsg comes when names were saved, or could not be.
type keptMsg struct{ err error }

// saveNames shows the row with its new names and decimals, and saves them for the next run.
func (m *Model) saveNames() tea.Cmd {
	d := m.naming
	place, words := d.invalid()
	if words != "" {
		d.place, d.problem = place, words
		return nil
	}
	m.naming = nil
	given := d.given()
	if len(given) == 0 {
		return nil
	}
	m.data.instruments = withGiven(m.data.instruments, given)
	m.format = m.options.formatter(m.data.instruments)
	m.positions.widths.Forget()
	m.data.known = m.data.instruments
	prepare := m.data.prepare(m.now())
	names := m.options.Names
	if names == nil {
		m.notify("Named for this run only: there is no configuration folder.")
		return prepare
	}
	return tea.Batch(prepare, func() tea.Msg { return keptMsg{names.Keep(given)} })
}

// handleKept shows whether the names were saved.
func (m *Model) handleKept(msg keptMsg) {
	if msg.err != nil {
		m.notify("Named for this run only: " + format.OneLine(msg.err.Error()))
		return
	}
	m.notify("Saved in " + format.OneLine(m.options.Names.Path()) + ".")
}
