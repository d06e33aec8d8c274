package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/events"
	"blotter/ui/keys"
	"blotter/ui/margins"
	"blotter/ui/pane"
	"blotter/ui/positions"
	"blotter/ui/replay"
	"blotter/ui/session"
	"blotter/ui/views"
)

// action and group are those of the keys of this screen.
type (
	action = keys.Action[*Model]
	group  = keys.Group[*Model]
)

// keyMap is every key.
type keyMap struct {
	keys.Map[*Model]
	everywhere, positions, margins, events, reading, session, replay group
	overlays                                                         []overlayKeys
}

// press does what a key does in the first group that has the key. If the key does nothing now, it shows why.
func press(m *Model, pressed tea.KeyPressMsg, groups ...*group) (tea.Cmd, bool) {
	a, number := keys.Find(pressed.String(), groups...)
	if a == nil {
		return nil, false
	}
	if reason := a.Reason(m); reason != "" {
		m.notify(strings.ToUpper(reason[:1]) + reason[1:] + ".")
		return nil, true
	}
	return a.Run(m, number), true
}

// nextPaneHint is replaced by the name of the next pane.
const nextPaneHint = "pane"

// DefaultKeys returns every key as it is without settings, with those of a replay.
func DefaultKeys() *keys.Map[*Model] { return &newKeyMap(true, nil).Map }

// newKeyMap returns every key, with those of a replay if one is shown. The settings replace keys.
func newKeyMap(replays bool, settings keys.Settings) *keyMap {
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
		overlays:   newOverlayKeys(),
		session:    sessionKeys(),
		replay:     replay,
	}
	k.Groups = []*group{&k.replay, &k.everywhere, &k.positions, &k.margins, &k.events, &k.reading}
	for i := range k.overlays {
		k.Groups = append(k.Groups, &k.overlays[i].group)
	}
	k.Groups = append(k.Groups, &k.session)
	k.Together = k.together()
	k.Apply(settings)
	return k
}

// together returns the groups that work at the same time, once for each place of the screen.
func (k *keyMap) together() [][]*group {
	var together [][]*group
	for i := range k.overlays { // no other keys work there
		together = append(together, []*group{&k.overlays[i].group})
	}
	together = append(together, []*group{&k.replay, &k.session, &k.reading, &k.everywhere})
	for _, g := range []*group{&k.positions, &k.margins, &k.events, &k.reading} {
		together = append(together, []*group{&k.replay, g, &k.everywhere})
	}
	return together
}

func everywhereKeys() group {
	return group{Title: "everywhere", Actions: []action{
		{Name: "filter", Keys: []string{"/"}, Help: "filter the positions", Hint: "filter", Priority: 1, Do: opens(pane.FilterKind)},
		{Name: "choose_parties", Keys: []string{"p"}, Help: "choose parties", Hint: "party", Priority: 2, Do: opens(partiesKind)},
		{Name: "choose_markets", Keys: []string{"m"}, Help: "choose markets", Hint: "market", Priority: 3, Do: opens(marketsKind)},
		{Name: "next_pane", Keys: []string{"tab"}, Help: "next pane", Hint: nextPaneHint, Priority: 5, Do: turnFocus(+1)},
		{Name: "previous_pane", Keys: []string{"shift+tab"}, Help: "previous pane", Do: turnFocus(-1)},
		{Name: "full_screen", Keys: []string{"z"}, Help: "full screen", Do: (*Model).zoom},
		{Name: "split_up", Keys: []string{"<"}, Help: "move the split up", Do: bySplit(-1), Unavailable: (*Model).whyNoSplit},
		{Name: "split_down", Keys: []string{">"}, Help: "move the split down", Do: bySplit(+1), Unavailable: (*Model).whyNoSplit},
		{Name: "choose_columns", Keys: []string{"C"}, Help: "choose columns", Do: opens(columnsKind)},
		{Name: "view", Keys: views.Digits, Shown: "0-9", Help: "show a view; 0: the default", DoNumber: (*Model).applyNumbered},
		{Name: "views", Keys: []string{"v"}, Help: "views and profiles", Do: opens(viewsKind)},
		{Name: "baseline", Keys: []string{"B"}, Help: "baseline for changes", Do: opens(baselineKind), Unavailable: (*Model).whyNoBaseline},
		{Name: "session", Keys: []string{"h"}, Help: "session: totals over time", Do: shows(sessionKind)},
		{Name: "freeze", Keys: []string{"f"}, Help: "freeze the rows", Hint: "freeze", Priority: 8, Do: (*Model).freeze},
		{Name: "resync", Keys: []string{"r"}, Help: "resync: read all again", Do: (*Model).resync},
		{Name: "events", Keys: []string{"e"}, Help: "events", Hint: "events", Priority: 11, Do: shows(eventsKind)},
		{Name: "connection", Keys: []string{"i"}, Help: "connection and corrections", Do: shows(connectionKind)},
		{Name: "next_alert", Keys: []string{"!"}, Help: "next alert; seen then", Do: (*Model).nextAlert},
		{Name: "back", Keys: keys.Esc, Help: "one step back; never quits", Do: (*Model).back, Unavailable: (*Model).whyNoStep},
		{Name: "help", Keys: []string{"?"}, Help: "help", Hint: "help", Pinned: true, Do: shows(helpKind)},
		{Name: "quit", Keys: []string{"q"}, Help: "close a page, else quit", Hint: "quit", Pinned: true, Do: (*Model).quit},
		interruptAction,
		{Name: "suspend", Keys: []string{"ctrl+z"}, Help: "suspend", Do: (*Model).suspend},
		{Name: "redraw", Keys: []string{"ctrl+l"}, Help: "redraw", Do: (*Model).redraw},
	}}
}

func positionKeys() group {
	moving := append(movingActions(false), firstAction("first row, and stay there"), lastAction("last row"))
	return paneKeys("positions", moving, positions.Actions(), func(m *Model) *positions.Pane { return m.positions })
}

func marginKeys() group {
	return paneKeys("margin levels", movingActions(false), margins.Actions(), func(m *Model) *margins.Pane { return m.margins })
}

func eventKeys() group {
	moving := append(movingActions(false), firstAction("newest, and stay there"), lastAction("oldest event"))
	return paneKeys("events", moving, events.Actions(), func(m *Model) *events.Page { return m.events })
}

func readingKeys() group {
	moving := movingActions(false)
	moving[1].Hint, moving[1].Priority = "scroll", 1 // down
	return group{Title: "detail, connection, help", Actions: slices.Concat(moving, []action{
		firstAction("first line"),
		lastAction("last line"),
		{Name: "name", Keys: []string{"n"}, Help: "name it, set its decimals", Do: (*Model).nameRow, Unavailable: (*Model).whyNoDetailNaming},
		{Name: "back", Keys: keys.Esc, Help: "back", Hint: "back", Priority: 2, Do: (*Model).back, Unavailable: (*Model).whyNoStep},
	})}
}

// sessionKeys are the keys of the session page, beside those of all pages.
func sessionKeys() group {
	return paneKeys("session", nil, session.Actions(), func(m *Model) *session.Pane { return m.session })
}

// replayKeys are the keys of a replay. They work everywhere.
func replayKeys() group {
	return paneKeys("replay", nil, replay.Actions(), func(m *Model) replay.Controls { return replay.Controls{Clock: m.options.Replay} })
}

var interruptAction = action{Name: "interrupt", Keys: []string{"ctrl+c"}, Help: "twice: quit", Do: (*Model).interrupt}
