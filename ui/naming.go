package ui

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/pane"
)

// nameRow opens the dialog for the position under the cursor. On the heading of a group it is only for the party, the
// market or the asset of the group.
func (m *Model) nameRow() tea.Cmd {
	m.positions.Stay() // or another row would come in its place
	if g, ok := m.selectedGroup(); ok {
		return m.openNames(namedRow{MarginKey: m.namedGroup(g.ID), title: m.headingOf(g).Name(), isGroup: true})
	}
	p := m.selected()
	key := model.MarginKey{Key: p.Key, Asset: m.store.Instruments().Market(p.Market).Asset}
	return m.openNames(namedRow{MarginKey: key, title: m.store.Format().Title(p.Key)})
}

// nameRecord opens the dialog for the margin record under the cursor.
func (m *Model) nameRecord() tea.Cmd {
	record, _ := m.margins.Cursor()
	return m.openNames(namedRow{MarginKey: record, title: m.store.Format().Title(record.Key), isRecord: true})
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

// namedRow is what the dialog for names is opened for.
type namedRow struct {
	model.MarginKey
	title             string
	isRecord, isGroup bool
}

func (m *Model) openNames(row namedRow) tea.Cmd {
	return m.apply(pane.Open{Kind: namesKind, Subject: row})
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
