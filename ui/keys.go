package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// action is what a key does. Help, the last line of the screen and the handling of keys are made from it.
type action struct {
	name    string   // what the configuration calls it; an action of several groups has one name
	keys    []string // the names of the key presses
	shown   string   // the keys as people read them, where that is not simply their names
	inWords bool     // the keys have words, not arrows
	help    string   // what it does, for the help page
	hint    string   // what it does in a word, for the last line; empty: it is not there
	// priority is the place on the last line, from 1 on. Where the line is too short, the action with the highest
	// number is left out first.
	priority int
	// pinned actions are at the end of the last line, whatever their priority, and are never left out.
	pinned bool
	do     func(*Model) tea.Cmd
	// doNumber is in place of do where each of the keys does something else. It gets the place of the key among the
	// keys.
	doNumber func(m *Model, number int) tea.Cmd
	// unavailable returns why the key does nothing now, in a few words without a full stop; empty where it does
	// something. Without the function, the key always does something.
	unavailable func(*Model) string
}

// reason returns why the key does nothing now; empty where it does something.
func (a *action) reason(m *Model) string {
	if a.unavailable == nil {
		return ""
	}
	return a.unavailable(m)
}

// keyNames are the names for people of key presses that have another name here.
var keyNames = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// shownKeys returns the keys of the action as people read them.
func (a *action) shownKeys() string {
	if a.shown != "" {
		return a.shown
	}
	var names []string
	for _, key := range a.keys {
		if key != quickEsc {
			names = append(names, a.shownKey(key))
		}
	}
	return strings.Join(names, "/")
}

// shownKey returns a key as people read it.
func (a *action) shownKey(key string) string {
	if a.inWords {
		return key
	}
	return cmp.Or(keyNames[key], key)
}

// binding returns the action for the help of the library.
func (a *action) binding(words string) key.Binding {
	return key.NewBinding(key.WithKeys(a.keys...), key.WithHelp(a.shownKeys(), words))
}

// group is the keys that work in one place.
type group struct {
	title   string
	actions []action
}

// keyMap is every key.
type keyMap struct {
	everywhere, positions, margins, events, reading, filter, picker, columns, naming, views, viewName, baseline, session, replay group
}

// groups returns the groups in the order of the help page.
func (k *keyMap) groups() []*group {
	return []*group{&k.replay, &k.everywhere, &k.positions, &k.margins, &k.events, &k.reading, &k.filter, &k.picker, &k.columns, &k.naming, &k.views, &k.viewName, &k.baseline, &k.session}
}

// press does what a key does in the first group that has the key. Where the key does nothing now, it shows why.
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
			if a.doNumber != nil {
				return a.doNumber(m, slices.Index(a.keys, name)), true
			}
			return a.do(m), true
		}
	}
	return nil, false
}

// quickEsc is the key that esc is read as where it is pressed twice very quickly.
const quickEsc = "alt+esc"

var escKeys = []string{"esc", quickEsc}

// nextPaneHint is replaced by the name of the next pane.
const nextPaneHint = "pane"

// newKeyMap returns every key, with those of a replay where one is shown. The settings replace keys.
func newKeyMap(replays bool, settings KeySettings) *keyMap {
	var replay group
	if replays {
		replay = replayKeys()
	}
	k := &keyMap{
		everywhere: everywhereKeys(),
		positions:  positionKeys(),
		margins:    marginKeys(),
		events:     eventKeys(),
		reading:    readingKeys(),
		filter:     filterKeys(),
		picker:     pickerKeys(),
		columns:    columnKeys(),
		naming:     namingKeys(),
		views:      viewKeys(),
		viewName:   viewNameKeys(),
		baseline:   baselineKeys(),
		session:    sessionKeys(),
		replay:     replay,
	}
	k.apply(settings)
	return k
}

// nameInWords lets the keys have their names in words, without arrows.
func (k *keyMap) nameInWords() {
	for _, g := range k.groups() {
		for i := range g.actions {
			g.actions[i].inWords = true
		}
	}
}

func everywhereKeys() group {
	return group{"everywhere", []action{
		{name: "filter", keys: []string{"/"}, help: "filter the positions", hint: "filter", priority: 1, do: (*Model).startFilter},
		{name: "choose_parties", keys: []string{"p"}, help: "choose parties", hint: "party", priority: 2, do: (*Model).pickParties},
		{name: "choose_markets", keys: []string{"m"}, help: "choose markets", hint: "market", priority: 3, do: (*Model).pickMarkets},
		{name: "next_pane", keys: []string{"tab"}, help: "next pane", hint: nextPaneHint, priority: 5, do: (*Model).nextPane},
		{name: "previous_pane", keys: []string{"shift+tab"}, help: "previous pane", do: (*Model).previousPane},
		{name: "full_screen", keys: []string{"z"}, help: "full screen", do: (*Model).zoom},
		{name: "split_up", keys: []string{"<"}, help: "move the split up", do: (*Model).splitUp, unavailable: (*Model).noSplit},
		{name: "split_down", keys: []string{">"}, help: "move the split down", do: (*Model).splitDown, unavailable: (*Model).noSplit},
		{name: "choose_columns", keys: []string{"C"}, help: "choose columns", do: (*Model).chooseColumns},
		{name: "view", keys: viewDigits, shown: "0-9", help: "show a view; 0: the default", doNumber: (*Model).applyNumbered},
		{name: "views", keys: []string{"v"}, help: "views and profiles", do: (*Model).listViews},
		{name: "baseline", keys: []string{"B"}, help: "baseline for changes", do: (*Model).startBaseline, unavailable: (*Model).noRows},
		{name: "session", keys: []string{"h"}, help: "session: totals over time", do: (*Model).showSession},
		{name: "freeze", keys: []string{"f"}, help: "freeze the rows", hint: "freeze", priority: 8, do: (*Model).freeze},
		{name: "resync", keys: []string{"r"}, help: "resync: read all again", do: (*Model).resync},
		{name: "events", keys: []string{"e"}, help: "events", hint: "events", priority: 11, do: (*Model).showEvents},
		{name: "connection", keys: []string{"i"}, help: "connection and corrections", do: (*Model).showConnection},
		{name: "next_alert", keys: []string{"!"}, help: "next alert; seen then", do: (*Model).nextAlert},
		{name: "back", keys: escKeys, help: "one step back; never quits", do: (*Model).back, unavailable: (*Model).noStep},
		{name: "help", keys: []string{"?"}, help: "help", hint: "help", pinned: true, do: (*Model).showHelp},
		{name: "quit", keys: []string{"q"}, help: "close a page, else quit", hint: "quit", pinned: true, do: (*Model).quit},
		interruptAction,
		{name: "suspend", keys: []string{"ctrl+z"}, help: "suspend", do: (*Model).suspend},
		{name: "redraw", keys: []string{"ctrl+l"}, help: "redraw", do: (*Model).redraw},
	}}
}

func positionKeys() group {
	return group{"positions", slices.Concat(rowActions, []action{
		{name: "first", keys: []string{"home", "g"}, help: "first row, and stay there", do: (*Model).firstRow},
		{name: "last", keys: []string{"end", "G"}, help: "last row", do: (*Model).lastRow},
		{name: "previous_column", keys: []string{"left"}, help: "previous column", do: (*Model).columnLeft},
		{name: "next_column", keys: []string{"right"}, help: "next column", do: (*Model).columnRight},
		{name: "sort", keys: []string{"s"}, help: "sort by it, or reverse", hint: "sort", priority: 10, do: (*Model).sort},
		{name: "sort_by_trouble", keys: []string{"T"}, help: "worst first; again: back", hint: "trouble", priority: 4, do: (*Model).sortByTrouble},
		{name: "sort_by_size", keys: []string{"S"}, help: "sort by size", do: (*Model).sortBySize},
		{name: "sort_by_entry", keys: []string{"E"}, help: "sort by entry", do: (*Model).sortByEntry},
		{name: "sort_by_unrealised", keys: []string{"U"}, help: "sort by uPnL", do: (*Model).sortByUnrealised},
		{name: "sort_by_realised", keys: []string{"R"}, help: "sort by rPnL", do: (*Model).sortByRealised},
		{name: "sort_by_age", keys: []string{"A"}, help: "sort by age", do: (*Model).sortByAge},
		{name: "show_closed", keys: []string{"c"}, help: "show or hide closed", hint: "closed", priority: 7, do: (*Model).closed, unavailable: (*Model).noClosed},
		{name: "detail", keys: []string{"enter"}, help: "detail of this line", hint: "detail", priority: 6, do: (*Model).showDetail, unavailable: (*Model).noLine},
		{name: "only_party", keys: []string{"P"}, help: "only this row's party", do: (*Model).onlyParty, unavailable: (*Model).noParty},
		{name: "only_market", keys: []string{"M"}, help: "only this row's market", do: (*Model).onlyMarket, unavailable: (*Model).noMarket},
		{name: "name", keys: []string{"n"}, help: "name it, set its decimals", do: (*Model).nameRow, unavailable: (*Model).noNaming},
		{name: "copy_row", keys: []string{"y"}, help: "copy this row", hint: "copy", priority: 9, do: (*Model).copyRow, unavailable: (*Model).noLine},
		{name: "copy_rows", keys: []string{"Y"}, help: "copy all rows", do: (*Model).copyRows, unavailable: (*Model).noLine},
	}, groupActions())}
}

func marginKeys() group {
	return group{"margin levels", append(slices.Clone(rowActions), []action{
		{name: "previous_page", keys: []string{"left"}, help: "previous page", hint: "previous", priority: 4, do: (*Model).previousPage, unavailable: (*Model).noPreviousPage},
		{name: "next_page", keys: []string{"right"}, help: "next page", hint: "next", priority: 4, do: (*Model).followingPage, unavailable: (*Model).noNextPage},
		{name: "first", keys: []string{"home", "g"}, help: "first page", do: (*Model).firstPage},
		{name: "last", keys: []string{"end", "G"}, help: "last page", do: (*Model).lastPage},
		{name: "reverse_records", keys: []string{"o"}, help: "newest or oldest first", hint: "order", priority: 7, do: (*Model).turnOrder},
		{name: "larger_pages", keys: []string{"+", "="}, shown: "+", help: "larger pages", do: (*Model).largerPages},
		{name: "smaller_pages", keys: []string{"-"}, help: "smaller pages", do: (*Model).smallerPages},
		{name: "name", keys: []string{"n"}, help: "name it, set its decimals", do: (*Model).nameRecord, unavailable: (*Model).noRecordNaming},
		{name: "position_of_record", keys: []string{"enter"}, help: "the position of this row", hint: "position", priority: 6, do: (*Model).showPosition, unavailable: (*Model).noRecord},
	}...)}
}

func readingKeys() group {
	return group{"detail, connection, help", []action{
		{name: "up", keys: []string{"up", "k"}, help: "up", do: (*Model).lineUp},
		{name: "down", keys: []string{"down", "j"}, help: "down", hint: "scroll", priority: 1, do: (*Model).lineDown},
		{name: "half_screen_up", keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).halfScreenUp},
		{name: "half_screen_down", keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).halfScreenDown},
		{name: "screen_up", keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).screenUp},
		{name: "screen_down", keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).screenDown},
		{name: "first", keys: []string{"home", "g"}, help: "first line", do: (*Model).firstLine},
		{name: "last", keys: []string{"end", "G"}, help: "last line", do: (*Model).lastLine},
		{name: "name", keys: []string{"n"}, help: "name it, set its decimals", do: (*Model).nameRow, unavailable: (*Model).noDetailNaming},
		{name: "back", keys: escKeys, help: "back", hint: "back", priority: 2, do: (*Model).back, unavailable: (*Model).noStep},
	}}
}

func filterKeys() group {
	return group{"typing a filter", []action{
		{name: "keep_filter", keys: []string{"enter"}, help: "keep the filter", hint: "keep", priority: 1, do: (*Model).keepFilter},
		{name: "clear_filter", keys: escKeys, help: "clear the filter", hint: "clear", priority: 2, do: (*Model).dropFilter},
		{name: "complete", keys: []string{"tab"}, help: "complete the field or value", hint: "complete", priority: 3, do: (*Model).completeFilter},
		interruptAction,
	}}
}

func pickerKeys() group {
	return group{"choosing parties or markets", []action{
		{name: "up", keys: []string{"up"}, help: "up", do: (*Model).pickUp},
		{name: "down", keys: []string{"down"}, help: "down", do: (*Model).pickDown},
		{name: "half_screen_up", keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).pickHalfUp},
		{name: "half_screen_down", keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).pickHalfDown},
		{name: "screen_up", keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).pickScreenUp},
		{name: "screen_down", keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).pickScreenDown},
		{name: "first", keys: []string{"home"}, help: "first row", do: (*Model).pickFirst},
		{name: "last", keys: []string{"end"}, help: "last row", do: (*Model).pickLast},
		{name: "mark", keys: []string{"tab"}, help: "mark or unmark", hint: "mark", priority: 1, do: (*Model).pickMark},
		{name: "apply", keys: []string{"enter"}, help: "watch these; none: all", hint: "apply", priority: 2, do: (*Model).pickApply},
		{name: "cancel", keys: escKeys, help: "cancel", hint: "cancel", priority: 3, do: (*Model).pickCancel},
		interruptAction,
	}}
}

func columnKeys() group {
	return group{"choosing columns", []action{
		{name: "up", keys: []string{"up", "k"}, help: "up", do: (*Model).columnUp},
		{name: "down", keys: []string{"down", "j"}, help: "down", do: (*Model).columnDown},
		{name: "half_screen_up", keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).columnHalfUp},
		{name: "half_screen_down", keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).columnHalfDown},
		{name: "screen_up", keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).columnScreenUp},
		{name: "screen_down", keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).columnScreenDown},
		{name: "first", keys: []string{"home", "g"}, help: "first column", do: (*Model).firstColumn},
		{name: "last", keys: []string{"end", "G"}, help: "last column", do: (*Model).lastColumn},
		{name: "show_column", keys: []string{"tab", "space"}, shown: "tab", help: "show or hide", hint: "show", priority: 1, do: (*Model).showOrHideColumn},
		{name: "move_column_left", keys: []string{"shift+up", "K"}, shown: "K", help: "move to the left", hint: "left", priority: 4, do: (*Model).moveColumnToLeft},
		{name: "move_column_right", keys: []string{"shift+down", "J"}, shown: "J", help: "move to the right", hint: "right", priority: 5, do: (*Model).moveColumnToRight},
		{name: "pin_column", keys: []string{"p"}, help: "pin: leave out last", hint: "pin", priority: 6, do: (*Model).pinColumn},
		{name: "wider_column", keys: []string{"right"}, help: "wider", hint: "wider", priority: 7, do: (*Model).widerColumn},
		{name: "narrower_column", keys: []string{"left"}, help: "narrower", hint: "narrower", priority: 8, do: (*Model).narrowerColumn},
		{name: "default_columns", keys: []string{"d"}, help: "all as by default", hint: "default", priority: 9, do: (*Model).resetColumns},
		{name: "apply", keys: []string{"enter"}, help: "apply", hint: "apply", priority: 2, do: (*Model).applyColumns},
		{name: "cancel", keys: append(slices.Clone(escKeys), "q"), shown: "esc", help: "cancel", hint: "cancel", priority: 3, do: (*Model).cancelColumnChoice},
		interruptAction,
	}}
}

func namingKeys() group {
	return group{"giving names", []action{
		{name: "next_field", keys: []string{"tab", "down"}, help: "next field", hint: "next field", priority: 2, do: (*Model).nextNameField},
		{name: "previous_field", keys: []string{"shift+tab", "up"}, help: "previous field", do: (*Model).previousNameField},
		{name: "save_names", keys: []string{"enter"}, help: "save all fields", hint: "save", priority: 1, do: (*Model).saveNames},
		{name: "cancel", keys: escKeys, help: "cancel", hint: "cancel", priority: 3, do: (*Model).cancelNaming},
		interruptAction,
	}}
}

var interruptAction = action{name: "interrupt", keys: []string{"ctrl+c"}, help: "twice: quit", do: (*Model).interrupt}

// rowActions move the cursor in a table.
var rowActions = []action{
	{name: "up", keys: []string{"up", "k"}, help: "up", do: (*Model).rowUp},
	{name: "down", keys: []string{"down", "j"}, help: "down", do: (*Model).rowDown},
	{name: "half_screen_up", keys: []string{"ctrl+u"}, help: "half a screen up", do: (*Model).halfPageUp},
	{name: "half_screen_down", keys: []string{"ctrl+d"}, help: "half a screen down", do: (*Model).halfPageDown},
	{name: "screen_up", keys: []string{"pgup", "ctrl+b"}, help: "a screen up", do: (*Model).pageUp},
	{name: "screen_down", keys: []string{"pgdown", "ctrl+f"}, help: "a screen down", do: (*Model).pageDown},
}

// noRow and the functions like it return in a few words why a key does nothing now; empty where it does something.
func (m *Model) noRow() string {
	switch _, isGroup := m.selectedGroup(); {
	case isGroup:
		return "this line is a group, not a position"
	case m.selected() == nil:
		return "no row is selected"
	}
	return ""
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
