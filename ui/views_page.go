package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
)

// viewList covers the panes and lists the views, and below them the profiles.
type viewList struct {
	place    int         // of the cursor: the views 0 to 9, then the profiles
	naming   *input.Line // the name of a view that is about to be saved; nil where none is
	deleting bool        // the delete key was pressed; the second time it deletes the view under the cursor
}

// viewDigits are the keys of the views, that of the default view first.
var viewDigits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

func viewKeys() group {
	return group{Title: "views and profiles", Actions: []action{
		{Name: "up", Keys: []string{"up", "k"}, Help: "up", Do: (*Model).listUp},
		{Name: "down", Keys: []string{"down", "j"}, Help: "down", Do: (*Model).listDown},
		{Name: "half_screen_up", Keys: []string{"ctrl+u"}, Help: "half a screen up", Do: (*Model).listHalfUp},
		{Name: "half_screen_down", Keys: []string{"ctrl+d"}, Help: "half a screen down", Do: (*Model).listHalfDown},
		{Name: "screen_up", Keys: []string{"pgup", "ctrl+b"}, Help: "a screen up", Do: (*Model).listScreenUp},
		{Name: "screen_down", Keys: []string{"pgdown", "ctrl+f"}, Help: "a screen down", Do: (*Model).listScreenDown},
		{Name: "first", Keys: []string{"home", "g"}, Help: "first row", Do: (*Model).listFirst},
		{Name: "last", Keys: []string{"end", "G"}, Help: "last row", Do: (*Model).listLast},
		{Name: "apply", Keys: []string{"enter"}, Help: "show this view or profile", Hint: "show", Priority: 1, Do: (*Model).useHere},
		{Name: "view", Keys: viewDigits, Shown: "0-9", Help: "show a view", Hint: "show", Priority: 2, DoNumber: (*Model).applyListed},
		{Name: "save_view", Keys: []string{"s"}, Help: "save the screen here", Hint: "save", Priority: 4, Do: (*Model).nameView, Unavailable: (*Model).noViewToSave},
		{Name: "delete_view", Keys: []string{"d"}, Help: "twice: delete this view", Hint: "delete", Priority: 5, Do: (*Model).deleteView, Unavailable: (*Model).noSavedView},
		{Name: "cancel", Keys: append(slices.Clone(keys.Esc), "q"), Shown: "esc", Help: "back", Hint: "back", Priority: 3, Do: (*Model).closeViewList},
		{Name: "views", Keys: []string{"v"}, Help: "close the list", Do: (*Model).closeViewList},
		interruptAction,
	}}
}

func viewNameKeys() group {
	return group{Title: "naming a view", Typing: true, Actions: []action{
		{Name: "apply", Keys: []string{"enter"}, Help: "save the view", Hint: "save", Priority: 1, Do: (*Model).saveView},
		{Name: "cancel", Keys: keys.Esc, Help: "cancel", Hint: "cancel", Priority: 2, Do: (*Model).cancelName},
		interruptAction,
	}}
}

// viewListKeys are the keys that work in the list now.
func (m *Model) viewListKeys() *group {
	if m.viewList.naming != nil {
		return &m.keys.viewName
	}
	return &m.keys.views
}

// handleViewKey does what a key does in the list. While a name is typed, the other keys type it.
func (m *Model) handleViewKey(pressed tea.KeyPressMsg) tea.Cmd {
	naming, deleting := m.viewList.naming, m.viewList.deleting
	cmd, ok := press(m, pressed, m.viewListKeys())
	switch {
	case ok:
	case naming != nil:
		naming.Press(pressed)
	default:
		m.notify("The last line lists the keys.")
	}
	if m.viewList != nil && deleting {
		m.viewList.deleting = false // only where it is pressed twice in a row
	}
	return cmd
}

func (m *Model) listViews() tea.Cmd {
	m.closePages()
	m.viewList = &viewList{place: m.views.applied.Number}
	return nil
}

func (m *Model) closeViewList() tea.Cmd {
	m.viewList = nil
	return nil
}

// moveInViews moves the cursor.
func (m *Model) moveInViews(step int) {
	l := m.viewList
	l.place = max(min(l.place+step, lastView+len(m.options.Profiles.Names)), 0)
}

// profileHere returns the profile under the cursor, and reports whether one is there.
func (m *Model) profileHere() (name string, ok bool) {
	if at := m.viewList.place - lastView - 1; at >= 0 {
		return m.options.Profiles.Names[at], true
	}
	return "", false
}

// useHere applies the view or opens the profile under the cursor.
func (m *Model) useHere() tea.Cmd {
	if profile, ok := m.profileHere(); ok {
		return m.openProfile(profile)
	}
	return m.applyListed(m.viewList.place)
}

// applyListed applies a view and closes the list, which stays where there is no such view.
func (m *Model) applyListed(number int) tea.Cmd {
	if _, found := m.views.find(number); found {
		m.viewList = nil
	}
	return m.applyNumbered(number)
}

// nameView opens the prompt for the name of the view that is saved with the number under the cursor.
func (m *Model) nameView() tea.Cmd {
	l, shown := m.viewList, m.shownView()
	if err := shown.checkSize(); err != nil {
		m.notify("This cannot be saved: " + err.Error() + ".")
		return nil
	}
	name := input.New("")
	if here, found := m.views.find(l.place); found {
		name = input.New(here.Name)
	}
	l.naming = &name
	return nil
}

// saveView saves what is on the screen as the view under the cursor.
func (m *Model) saveView() tea.Cmd {
	l, view := m.viewList, m.shownView()
	view.Number, view.Name = l.place, draw.Cut(format.OneLine(l.naming.String()), maxViewName)
	l.naming = nil
	m.views.save(view)
	m.memory.at = m.memory.at.Add(-rememberEvery) // it is written with the next tick
	switch {
	case m.views.isConfigured(view.Number):
		m.notify(fmt.Sprintf("Saved, but the configuration has its own view %d.", view.Number))
		return nil
	case m.options.Remember == nil:
		m.notify("Saved as view " + viewTitle(&view) + " for this run: nothing is remembered.")
	default:
		m.notify("Saved as view " + viewTitle(&view) + ".")
	}
	m.views.apply(view, m.shownView())
	return nil
}

func (m *Model) cancelName() tea.Cmd {
	m.viewList.naming = nil
	return nil
}

// deleteView deletes the saved view under the cursor when it is done twice.
func (m *Model) deleteView() tea.Cmd {
	l := m.viewList
	if !l.deleting {
		l.deleting = true
		m.notify(m.keys.Fill(fmt.Sprintf("{delete_view} again deletes the saved view %d.", l.place)))
		return nil
	}
	m.views.remove(l.place)
	m.memory.at = m.memory.at.Add(-rememberEvery)
	m.notify(fmt.Sprintf("Deleted the saved view %d.", l.place))
	return nil
}

// noViewToSave returns why nothing can be saved under the cursor; empty where something can.
func (m *Model) noViewToSave() string {
	switch l := m.viewList; {
	case l == nil:
		return ""
	case l.place == 0:
		return "view 0 is what the program began with; choose a number from 1 to 9"
	case l.place > lastView:
		return "a profile is here; choose a number from 1 to 9"
	}
	return ""
}

// noSavedView returns why nothing can be deleted under the cursor; empty where something can.
func (m *Model) noSavedView() string {
	if m.viewList == nil || slices.ContainsFunc(m.views.saved, func(v View) bool { return v.Number == m.viewList.place }) {
		return ""
	}
	return "no saved view is here"
}

// viewNamePrompt is the text before the name that is typed.
const viewNamePrompt = " name of view %d: "

func (m *Model) viewNameColumn() int {
	return draw.Width(fmt.Sprintf(viewNamePrompt, m.viewList.place)) + m.viewList.naming.Column()
}

// drawViews draws the list, and below it what the row under the cursor is.
func (m *Model) drawViews(width, height int) []string {
	l, s := m.viewList, &m.styles
	first := draw.Text(width, s.Accent, " views and profiles")
	if l.naming != nil {
		first = draw.NewLine(width).Put(s.Accent, fmt.Sprintf(viewNamePrompt, l.place)).Put(draw.Plain, l.naming.String()).String()
	}
	rows, words := m.viewRows(width), m.viewHereLines(width)
	room := m.viewRoom(width, height)
	top := m.viewTop(room)
	lines := draw.Fit(append([]string{first}, rows[top:min(top+room, len(rows))]...), height-len(words))
	for _, line := range words {
		lines = append(lines, draw.Text(width, s.Strong, " "+line))
	}
	return lines
}

// maxWordLines is how many lines the words below the list take: why a profile cannot be used may be long.
const maxWordLines = 3

// viewHereLines are the words below the list.
func (m *Model) viewHereLines(width int) []string {
	lines := draw.Wrap(m.viewHereWords(), max(width-2, 1))
	return lines[:min(len(lines), maxWordLines)]
}

// viewRoom returns how many lines of the list there is room for, between the first line and the words below.
func (m *Model) viewRoom(width, height int) int {
	return max(height-1-len(m.viewHereLines(width)), 1)
}

// profilesLine is the line of the list with the title of the profiles: below that of the views, and ten views.
const profilesLine = 1 + lastView + 1

// viewTop returns which line of the list is the first on the screen where there is room for so many lines.
func (m *Model) viewTop(room int) int {
	lines, cursor := profilesLine+1+len(m.options.Profiles.Names), m.viewList.place+1
	if cursor >= profilesLine {
		cursor++
	}
	return max(min(cursor-room/2, lines-room), 0)
}

// clickView puts the cursor on the view or profile at a line of the list on the screen.
func (m *Model) clickView(line int) {
	l := m.layout()
	line += m.viewTop(m.viewRoom(m.width, l.middle))
	place := line - 1
	if line > profilesLine {
		place--
	}
	if line != 0 && line != profilesLine {
		m.moveInViews(place - m.viewList.place)
	}
}

// viewRows returns the lines of the list.
func (m *Model) viewRows(width int) []string {
	s := &m.styles
	var rows []string
	rows = append(rows, draw.Rule(width, s.Dim, s.Dim, "views", "esc back"))
	for number := range lastView + 1 {
		rows = append(rows, m.drawListed(number, m.viewRow(number), width))
	}
	rows = append(rows, draw.Rule(width, s.Dim, s.Dim, "profiles", m.profilesNote()))
	for i, profile := range m.options.Profiles.Names {
		mark := "  "
		if profile == m.options.Profiles.Present {
			mark = "✓ "
		}
		rows = append(rows, m.drawListed(lastView+1+i, mark+cmp.Or(format.OneLine(profile), "no profile"), width))
	}
	return rows
}

// viewRow is a view in the list.
func (m *Model) viewRow(number int) string {
	view, found := m.views.find(number)
	if !found {
		return fmt.Sprintf("%d", number)
	}
	row := viewTitle(&view)
	row += strings.Repeat(" ", max(maxViewName-draw.Width(row), 0)) + "  "
	if m.views.isConfigured(number) {
		row += "configured · "
	}
	return row + m.viewSummary(&view)
}

func (m *Model) drawListed(place int, text string, width int) string {
	return draw.ListRow(width, place == m.viewList.place, m.styles.Cursor, text)
}

// viewHereWords returns what enter does with the row under the cursor.
func (m *Model) viewHereWords() string {
	l := m.viewList
	if profile, ok := m.profileHere(); ok {
		return m.profileWords(profile)
	}
	view, found := m.views.find(l.place)
	switch {
	case l.naming != nil:
		shown := m.shownView()
		return "enter saves " + m.viewSummary(&shown)
	case !found:
		return m.keys.Fill(fmt.Sprintf("no view %d; {save_view} saves what is on the screen", l.place))
	}
	return "enter shows " + strings.Join(shownTitles(view.Columns), " ")
}
