package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// action is what a key does. Help, the last line of the screen and the handling of keys are made from it.
type action struct {
	keys  []string // the names of the key presses
	shown string   // the keys as people read them, where that is not simply their names
	help  string   // what it does, for the help page
	hint  string   // what it does in a word, for the last line; empty: it is not there
	// priority is the place on the last line, from 1 on. Where the line is too short, the action with the highest number
	// is left out first.
	priority int
	// pinned actions stand at the end of the last line, whatever their priority, and are never left out.
	pinned bool
	do     func(*Model) tea.Cmd
	// unavailable says why the key means nothing now, in a few words without a full stop; empty where it does something.
	// Without the function, the key always does something.
	unavailable func(*Model) string
}

// reason says why the key means nothing now; empty where it does something.
func (a *action) reason(m *Model) string {
	if a.unavailable == nil {
		return ""
	}
	return a.unavailable(m)
}

// keyNames are the names for people of key presses that have another name here.
var keyNames = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// name returns the keys of the action as people read them.
func (a *action) name() string {
	if a.shown != "" {
		return a.shown
	}
	names := slices.Clone(a.keys)
	for i, name := range names {
		if shown, ok := keyNames[name]; ok {
			names[i] = shown
		}
	}
	return strings.Join(names, "/")
}

// binding returns the action for the help of the library.
func (a *action) binding(words string) key.Binding {
	return key.NewBinding(key.WithKeys(a.keys...), key.WithHelp(a.name(), words))
}

// group is the keys that work in one place.
type group struct {
	title   string
	actions []action
}

// keyMap is every key.
type keyMap struct{ everywhere, positions, margins, reading, filter, picker, columns, replay group }

// groups returns the groups in the order of the help page.
func (k *keyMap) groups() []*group {
	return []*group{&k.replay, &k.everywhere, &k.positions, &k.margins, &k.reading, &k.filter, &k.picker, &k.columns}
}

// press does what a key does in the first group that has the key. Where the key means nothing now, it says why.
func press(m *Model, pressed tea.KeyPressMsg, groups ...*group) (tea.Cmd, bool) {
	name := pressed.String()
	for _, g := range groups {
		for i := range g.actions {
			a := &g.actions[i]
			if !slices.Contains(a.keys, name) {
				continue
			}
			if reason := a.reason(m); reason != "" {
				m.notify(strings.ToUpper(reason[:1]) + reason[1:] + ".")
				return nil, true
			}
			return a.do(m), true
		}
	}
	return nil, false
}

// escKeys are esc, and the key that esc is read as where it is pressed twice very quickly.
var escKeys = []string{"esc", "alt+esc"}

// nextPaneHint is replaced by the name of the next pane.
const nextPaneHint = "pane"

func newKeyMap(replays bool) *keyMap {
	var replay group
	if replays {
		replay = replayKeys()
	}
	return &keyMap{
		everywhere: everywhereKeys(),
		positions:  positionKeys(),
		margins:    marginKeys(),
		reading:    readingKeys(),
		filter:     filterKeys(),
		picker:     pickerKeys(),
		columns:    columnKeys(),
		replay:     replay,
	}
}

func everywhereKeys() group {
	return group{"everywhere", []action{
		{keys: []string{"/"}, help: "filter the positions", hint: "filter", priority: 1, do: (*Model).startFilter},
		{keys: []string{"p"}, help: "choose parties", hint: "party", priority: 2, do: (*Model).pickParties},
		{keys: []string{"m"}, help: "choose markets", hint: "market", priority: 3, do: (*Model).pickMarkets},
		{keys: []string{"tab"}, help: "next pane", hint: nextPaneHint, priority: 5, do: (*Model).nextPane},
		{keys: []string{"shift+tab"}, help: "previous pane", do: (*Model).previousPane},
		{keys: []string{"z"}, help: "full screen", do: (*Model).zoom},
		{keys: []string{"<"}, help: "move the split up", do: (*Model).splitUp, unavailable: (*Model).noSplit},
		{keys: []string{">"}, help: "move the split down", do: (*Model).splitDown, unavailable: (*Model).noSplit},
		{keys: []string{"C"}, help: "choose columns", do: (*Model).chooseColumns},
		{keys: []string{"f"}, help: "freeze the rows", hint: "freeze", priority: 8, do: (*Model).freeze},
		{keys: []string{"r"}, help: "resync: read all again", do: (*Model).resync},
		{keys: []string{"i"}, help: "connection and corrections", do: (*Model).showConnection},
		{keys: escKeys, shown: "esc", help: "one step back; never quits", do: (*Model).back, unavailable: (*Model).noStep},
		{keys: []string{"?"}, help: "help", hint: "help", pinned: true, do: (*Model).showHelp},
		{keys: []string{"q"}, help: "close a page, else quit", hint: "quit", pinned: true, do: (*Model).quit},
		interruptAction,
		{keys: []string{"ctrl+z"}, help: "suspend", do: (*Model).suspend},
		{keys: []string{"ctrl+l"}, help: "redraw", do: (*Model).redraw},
	}}
}

func positionKeys() group {
	return group{"positions", append(slices.Clone(rowActions), []action{
		{keys: []string{"home", "g"}, help: "first row, and stay there", do: (*Model).firstRow},
		{keys: []string{"end", "G"}, help: "last row", do: (*Model).lastRow},
		{keys: []string{"left"}, help: "previous column", do: (*Model).columnLeft},
		{keys: []string{"right"}, help: "next column", do: (*Model).columnRight},
		{keys: []string{"s"}, help: "sort by it, or reverse", hint: "sort", priority: 10, do: (*Model).sort},
		{keys: []string{"T"}, help: "worst first; again: back", hint: "trouble", priority: 4, do: (*Model).sortByTrouble},
		{keys: []string{"S"}, help: "sort by size", do: (*Model).sortBySize},
		{keys: []string{"E"}, help: "sort by entry", do: (*Model).sortByEntry},
		{keys: []string{"U"}, help: "sort by uPnL", do: (*Model).sortByUnrealised},
		{keys: []string{"R"}, help: "sort by rPnL", do: (*Model).sortByRealised},
		{keys: []string{"A"}, help: "sort by age", do: (*Model).sortByAge},
		{keys: []string{"c"}, help: "show or hide closed", hint: "closed", priority: 7, do: (*Model).closed, unavailable: (*Model).noClosed},
		{keys: []string{"enter"}, help: "detail of this position", hint: "detail", priority: 6, do: (*Model).showDetail, unavailable: (*Model).noRow},
		{keys: []string{"P"}, help: "only this row's party", do: (*Model).onlyParty, unavailable: (*Model).noParty},
		{keys: []string{"M"}, help: "only this row's market", do: (*Model).onlyMarket, unavailable: (*Model).noMarket},
		{keys: []string{"y"}, help: "copy this row", hint: "copy", priority: 9, do: (*Model).copyRow, unavailable: (*Model).noRow},
		{keys: []string{"Y"}, help: "copy all rows", do: (*Model).copyRows, unavailable: (*Model).noRow},
	}...)}
}

func marginKeys() group {
	return group{"margin levels", append(slices.Clone(rowActions), []action{
		{keys: []string{"left"}, help: "previous page", hint: "previous", priority: 4, do: (*Model).previousPage, unavailable: (*Model).noPreviousPage},
		{keys: []string{"right"}, help: "next page", hint: "next", priority: 4, do: (*Model).followingPage, unavailable: (*Model).noNextPage},
		{keys: []string{"home", "g"}, help: "first page", do: (*Model).firstPage},
		{keys: []string{"end", "G"}, help: "last page", do: (*Model).lastPage},
		{keys: []string{"o"}, help: "newest or oldest first", hint: "order", priority: 7, do: (*Model).turnOrder},
		{keys: []string{"+", "="}, shown: "+", help: "larger pages", do: (*Model).largerPages},
		{keys: []string{"-"}, help: "smaller pages", do: (*Model).smallerPages},
		{keys: []string{"enter"}, help: "the position of this row", hint: "position", priority: 6, do: (*Model).showPosition, unavailable: (*Model).noRecord},
	}...)}
}

func readingKeys() group {
	return group{"detail, connection, help", []action{
		{keys: []string{"up", "k"}, help: "up", do: (*Model).lineUp},
		{keys: []string{"down", "j"}, help: "down", hint: "scroll", priority: 1, do: (*Model).lineDown},
		{keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).halfScreenUp},
		{keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).halfScreenDown},
		{keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).screenUp},
		{keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).screenDown},
		{keys: []string{"home", "g"}, help: "first line", do: (*Model).firstLine},
		{keys: []string{"end", "G"}, help: "last line", do: (*Model).lastLine},
		{keys: escKeys, shown: "esc", help: "back", hint: "back", priority: 2, do: (*Model).back, unavailable: (*Model).noStep},
	}}
}

func filterKeys() group {
	return group{"typing a filter", []action{
		{keys: []string{"enter"}, help: "keep the filter", hint: "keep", priority: 1, do: (*Model).keepFilter},
		{keys: escKeys, shown: "esc", help: "clear the filter", hint: "clear", priority: 2, do: (*Model).dropFilter},
		{keys: []string{"tab"}, help: "complete the field or value", hint: "complete", priority: 3, do: (*Model).completeFilter},
		interruptAction,
	}}
}

func pickerKeys() group {
	return group{"choosing parties or markets", []action{
		{keys: []string{"up"}, help: "up", do: (*Model).pickUp},
		{keys: []string{"down"}, help: "down", do: (*Model).pickDown},
		{keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).pickHalfUp},
		{keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).pickHalfDown},
		{keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).pickScreenUp},
		{keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).pickScreenDown},
		{keys: []string{"home"}, help: "first row", do: (*Model).pickFirst},
		{keys: []string{"end"}, help: "last row", do: (*Model).pickLast},
		{keys: []string{"tab"}, help: "mark or unmark", hint: "mark", priority: 1, do: (*Model).pickMark},
		{keys: []string{"enter"}, help: "watch these; none: all", hint: "apply", priority: 2, do: (*Model).pickApply},
		{keys: escKeys, shown: "esc", help: "cancel", hint: "cancel", priority: 3, do: (*Model).pickCancel},
		interruptAction,
	}}
}

func columnKeys() group {
	return group{"choosing columns", []action{
		{keys: []string{"up", "k"}, help: "up", do: (*Model).columnUp},
		{keys: []string{"down", "j"}, help: "down", do: (*Model).columnDown},
		{keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).columnHalfUp},
		{keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).columnHalfDown},
		{keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).columnScreenUp},
		{keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).columnScreenDown},
		{keys: []string{"home", "g"}, help: "first column", do: (*Model).firstColumn},
		{keys: []string{"end", "G"}, help: "last column", do: (*Model).lastColumn},
		{keys: []string{"tab", "space"}, shown: "tab", help: "show or hide", hint: "show", priority: 1, do: (*Model).showOrHideColumn},
		{keys: []string{"shift+up", "K"}, shown: "K", help: "move to the left", hint: "left", priority: 4, do: (*Model).moveColumnToLeft},
		{keys: []string{"shift+down", "J"}, shown: "J", help: "move to the right", hint: "right", priority: 5, do: (*Model).moveColumnToRight},
		{keys: []string{"p"}, help: "pin: leave out last", hint: "pin", priority: 6, do: (*Model).pinColumn},
		{keys: []string{"right"}, help: "wider", hint: "wider", priority: 7, do: (*Model).widerColumn},
		{keys: []string{"left"}, help: "narrower", hint: "narrower", priority: 8, do: (*Model).narrowerColumn},
		{keys: []string{"d"}, help: "all as by default", hint: "default", priority: 9, do: (*Model).resetColumns},
		{keys: []string{"enter"}, help: "apply", hint: "apply", priority: 2, do: (*Model).applyColumns},
		{keys: append(slices.Clone(escKeys), "q"), shown: "esc", help: "cancel", hint: "cancel", priority: 3, do: (*Model).cancelColumnChoice},
		interruptAction,
	}}
}

var interruptAction = action{keys: []string{"ctrl+c"}, help: "twice: quit", do: (*Model).interrupt}

// rowActions move the cursor in a table.
var rowActions = []action{
	{keys: []string{"up", "k"}, help: "up", do: (*Model).rowUp},
	{keys: []string{"down", "j"}, help: "down", do: (*Model).rowDown},
	{keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).halfPageUp},
	{keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).halfPageDown},
	{keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).pageUp},
	{keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).pageDown},
}

// noRow, and the functions like it, say in a few words why a key means nothing now; empty where it does something.
func (m *Model) noRow() string {
	if m.selected() == nil {
		return "no row is selected"
	}
	return ""
}

func (m *Model) noParty() string {
	if p := m.selected(); p != nil && p.Party.IsZero() {
		return "the service names no party here"
	}
	return m.noRow()
}

func (m *Model) noMarket() string {
	if p := m.selected(); p != nil && p.Market.IsZero() {
		return "the service names no market here"
	}
	return m.noRow()
}

func (m *Model) noClosed() string {
	if v := m.data.view; v.Rows() > 0 && v.Rows() == v.Open() && !m.data.filter.ShowClosed {
		return "no closed positions"
	}
	return ""
}

func (m *Model) noRecord() string {
	if m.margins.Len() == 0 {
		return "no record is selected"
	}
	return ""
}

func (m *Model) noPreviousPage() string {
	if p := &m.margins; p.page != nil && !p.canTurnBack() && !p.page.CutOffPrevious {
		return "first page"
	}
	return ""
}

func (m *Model) noNextPage() string {
	if p := &m.margins; p.page != nil && !p.page.HasNext && !p.page.CutOffNext {
		return "last page"
	}
	return ""
}
