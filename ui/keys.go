package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// action is a key and what it does. Help, the last line and the handling of keys all come from here.
type action struct {
	key.Binding
	brief string // what it does in a word, for the last line; empty: only in help
	rank  int    // where the last line is too short, those of the highest rank go first
	do    func(*Model) tea.Cmd
}

// group is the keys that work in one place.
type group struct {
	title   string
	actions []action
}

// keyMap is every key.
type keyMap struct{ everywhere, positions, margins, reading, filter, picker group }

// groups are the keys as help lists them.
func (k *keyMap) groups() []*group {
	return []*group{&k.everywhere, &k.positions, &k.margins, &k.reading, &k.filter, &k.picker}
}

// press does what a key does in the first of the groups that has it.
func press(m *Model, pressed tea.KeyPressMsg, groups ...*group) (tea.Cmd, bool) {
	for _, g := range groups {
		for i := range g.actions {
			if key.Matches(pressed, g.actions[i].Binding) {
				return g.actions[i].do(m), true
			}
		}
	}
	return nil, false
}

// keys makes an action. The shown name of the keys is for people, the names after it are those of key presses.
func keys(shown, does, brief string, rank int, do func(*Model) tea.Cmd, names ...string) action {
	return action{
		Binding: key.NewBinding(key.WithKeys(names...), key.WithHelp(shown, does)),
		brief:   brief, rank: rank, do: do,
	}
}

func newKeyMap() *keyMap {
	return &keyMap{
		everywhere: group{"everywhere", []action{
			keys("/", "filter the positions", "filter", 1, (*Model).startFilter, "/"),
			keys("p", "choose parties", "party", 2, (*Model).pickParties, "p"),
			keys("m", "choose markets", "market", 3, (*Model).pickMarkets, "m"),
			keys("tab", "next pane", nextPaneBrief, 5, (*Model).nextPane, "tab"),
			keys("shift+tab", "previous pane", "", 0, (*Model).previousPane, "shift+tab"),
			keys("z", "the whole screen, and back", "", 0, (*Model).zoom, "z"),
			keys("f", "freeze the rows, and back", "freeze", 8, (*Model).freeze, "f"),
			keys("r", "resync: read all again", "", 0, (*Model).resync, "r"),
			keys("i", "state of subscriptions", "", 0, (*Model).showLinks, "i"),
			keys("esc", "back, clear; never quits", "", 0, (*Model).back, "esc", escTwice),
			keys("?", "help", "help", 0, (*Model).showHelp, "?"),
			keys("q", "quit", "quit", 0, (*Model).quit, "q"),
			keys("ctrl+c", "twice: quit", "", 0, (*Model).interrupt, "ctrl+c"),
			keys("ctrl+z", "suspend", "", 0, (*Model).suspend, "ctrl+z"),
			keys("ctrl+l", "draw the screen anew", "", 0, (*Model).redraw, "ctrl+l"),
		}},
		positions: group{"positions", append(rowKeys(),
			keys("home/g", "first row", "", 0, (*Model).firstRow, "home", "g"),
			keys("end/G", "last row", "", 0, (*Model).lastRow, "end", "G"),
			keys("←", "choose a column leftwards", "", 0, (*Model).columnLeft, "left"),
			keys("→", "choose a column rightwards", "", 0, (*Model).columnRight, "right"),
			keys("s", "sort by it, again reverses", "sort", 4, (*Model).sort, "s"),
			keys("c", "closed positions, or not", "closed", 7, (*Model).closed, "c"),
			keys("enter", "all about this position", "detail", 6, (*Model).showDetail, "enter"),
			keys("P", "only this row's party", "", 0, (*Model).onlyParty, "P"),
			keys("M", "only this row's market", "", 0, (*Model).onlyMarket, "M"),
			keys("y", "copy this row", "copy", 9, (*Model).copyRow, "y"),
		)},
		margins: group{"margin levels", append(rowKeys(),
			keys("←", "previous page", "previous", 4, (*Model).previousPage, "left"),
			keys("→", "next page", "next", 4, (*Model).followingPage, "right"),
			keys("home/g", "first page", "", 0, (*Model).firstPage, "home", "g"),
			keys("end/G", "last page", "", 0, (*Model).lastPage, "end", "G"),
			keys("o", "newest or oldest first", "order", 7, (*Model).turnOrder, "o"),
			keys("+", "larger pages", "", 0, (*Model).largerPages, "+", "="),
			keys("-", "smaller pages", "", 0, (*Model).smallerPages, "-"),
			keys("enter", "the position of this row", "position", 6, (*Model).showPosition, "enter"),
		)},
		reading: group{"detail, subscriptions, help", []action{
			keys("↑/k", "up", "", 0, (*Model).lineUp, "up", "k"),
			keys("↓/j", "down", "scroll", 1, (*Model).lineDown, "down", "j"),
			keys("pgup", "a screen up", "", 0, (*Model).screenUp, "pgup"),
			keys("pgdn", "a screen down", "", 0, (*Model).screenDown, "pgdown"),
			keys("esc", "back", "back", 2, (*Model).back, "esc", escTwice),
		}},
		filter: group{"typing a filter", []action{
			keys("enter", "keep the filter", "keep", 1, (*Model).keepFilter, "enter"),
			keys("esc", "clear the filter", "clear", 2, (*Model).dropFilter, "esc", escTwice),
			keys("ctrl+c", "twice: quit", "", 0, (*Model).interrupt, "ctrl+c"),
		}},
		picker: group{"choosing parties or markets", []action{
			keys("↑", "up", "", 0, (*Model).pickUp, "up"),
			keys("↓", "down", "", 0, (*Model).pickDown, "down"),
			keys("space", "mark one more, or not", "several", 1, (*Model).pickToggle, "space"),
			keys("enter", "watch these; none is all", "take", 2, (*Model).pickTake, "enter"),
			keys("esc", "leave all as it was", "leave", 3, (*Model).pickLeave, "esc", escTwice),
			keys("ctrl+c", "twice: quit", "", 0, (*Model).interrupt, "ctrl+c"),
		}},
	}
}

// escTwice is what a terminal's input is taken for where esc is pressed twice so fast that both are read at once.
const escTwice = "alt+esc"

// nextPaneBrief stands for the name of the pane that is next.
const nextPaneBrief = "pane"

// rowKeys move the cursor in a table.
func rowKeys() []action {
	return []action{
		keys("↑/k", "up", "", 0, (*Model).rowUp, "up", "k"),
		keys("↓/j", "down", "", 0, (*Model).rowDown, "down", "j"),
		keys("pgup", "a screen up", "", 0, (*Model).pageUp, "pgup"),
		keys("pgdn", "a screen down", "", 0, (*Model).pageDown, "pgdown"),
	}
}
