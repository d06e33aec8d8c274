package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/naming"
)

// nameRow opens the dialog for the position under the cursor. On the heading of a group it is only for the party, the
// market or the asset of the group.
func (m *Model) nameRow() tea.Cmd {
	m.positions.Stay() // or another row would come in its place
	if g, ok := m.selectedGroup(); ok {
		return m.openNaming(m.namedGroup(g.ID), false)
	}
	p := m.selected()
	return m.openNaming(model.MarginKey{Key: p.Key, Asset: m.store.Instruments().Market(p.Market).Asset}, false)
}

// nameRecord opens the dialog for the margin record under the cursor.
func (m *Model) nameRecord() tea.Cmd {
	record, _ := m.margins.Cursor()
	return m.openNaming(record, true)
}

// namedGroup returns what the heading of a group names.
func (m *Model) namedGroup(id model.ID) (named model.MarginKey) {
	switch m.store.View().Groups.By {
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
		return cmp.Or(m.noNames(), "the "+m.store.View().Groups.By.String()+" of this group is not known")
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

// openNaming opens the dialog for a row of the positions or of the margin levels.
func (m *Model) openNaming(row model.MarginKey, isRecord bool) tea.Cmd {
	named := naming.Row{MarginKey: row, Title: m.store.Format().Title(row.Key), IsRecord: isRecord}
	if g, ok := m.selectedGroup(); ok && !isRecord {
		named.Title, named.IsGroup = m.headingOf(g).Name(), true
	}
	dialog, problem := naming.New(named, m.store.Format(), m.options.Names)
	if dialog == nil {
		m.notify(problem)
		return nil
	}
	m.naming = dialog
	return nil
}

// namingContent returns what the dialog shows besides its fields.
func (m *Model) namingContent() *naming.Content {
	c := &naming.Content{SaveKey: m.keys.Key("save_names"), DisplayDecimals: m.options.DisplayDecimals}
	if m.options.Names != nil {
		c.Path = m.options.Names.Path()
	}
	row := m.naming.Row()
	switch {
	case row.IsRecord:
		c.Record = m.margins.Record(row.MarginKey)
	case !row.IsGroup:
		if p, ok := m.store.View().Book().Find(row.Key); ok {
			c.Position = &p
		}
	}
	return c
}

func (m *Model) nextNameField() tea.Cmd     { m.naming.Move(+1); return nil }
func (m *Model) previousNameField() tea.Cmd { m.naming.Move(-1); return nil }
func (m *Model) cancelNaming() tea.Cmd      { m.naming = nil; return nil }

// keptMsg comes when names were saved, or could not be.
type keptMsg struct{ err error }

// saveNames shows the row with its new names and decimals, and saves them for the next run.
func (m *Model) saveNames() tea.Cmd {
	if !m.naming.Check() {
		return nil
	}
	given := m.naming.Given()
	m.naming = nil
	if len(given) == 0 {
		return nil
	}
	prepare := m.store.SetInstruments(naming.With(m.store.Instruments(), given))
	m.positions.widths.Forget()
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

// hintAtNames shows once how names are given, where nothing has one.
func (m *Model) hintAtNames() {
	if m.hintedAtNames || m.notice.text != "" || m.store.View().Rows() == 0 {
		return
	}
	m.hintedAtNames = true
	if in := m.store.Instruments(); len(in.Parties())+len(in.Markets()) == 0 {
		m.positions.rawReported = true // this notice replaces the one about raw numbers
		m.notify(m.keys.Fill("Nothing has a name: {name} names a row; blotter config init lists all in a file."))
	}
}
