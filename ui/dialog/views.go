package dialog

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/views"
)

// ViewList covers the panes and lists the views and one free number, and below them the profiles. What is under the
// cursor is shown, saved or deleted.
type ViewList struct {
	pane.Choices // the views and the free number, then the profiles
	set          *views.Set
	profiles     *views.ProfileSwitch
	shown        func() views.Shown // what is on the screen
	deleting     pane.Twice[int]    // the number of the view
	naming       bool               // the name of a view is typed
	free         int                // the number without a view that was pressed; 0 if none was
}

// NewViewList returns a list with the cursor on the view that was applied last. The function returns what is on the
// screen.
func NewViewList(set *views.Set, switching *views.ProfileSwitch, shown func() views.Shown) *ViewList {
	l := &ViewList{set: set, profiles: switching, shown: shown}
	rows := func() int { return len(l.numbers()) + len(switching.Names) }
	l.Choices = pane.NewChoices(rows, max(slices.Index(l.numbers(), set.Applied.Number), 0))
	return l
}

// numbers returns the numbers of the views, and one without a view: the first one, unless another was pressed.
func (l *ViewList) numbers() []int {
	var numbers []int
	free := l.free
	for number := range views.Last + 1 {
		_, found := l.set.Find(number)
		if !found && free == 0 {
			free = number
		}
		if found || number == free {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// number returns the number of the view under the cursor, and -1 if a profile is there.
func (l *ViewList) number() int {
	if numbers := l.numbers(); l.Rows.Place() < len(numbers) {
		return numbers[l.Rows.Place()]
	}
	return -1
}

// ViewListActions are the keys of the list besides those that move in it.
func ViewListActions() []keys.Action[*ViewList] {
	return []keys.Action[*ViewList]{
		{Name: "apply", Keys: []string{"enter"}, Help: "show this view or profile", Hint: "show", Priority: 1, Do: (*ViewList).showHere},
		{Name: "view", Keys: views.Digits, Shown: "0-9", Help: "show a view", Hint: "show", Priority: 2,
			IsNumbered: true, Do: (*ViewList).showNumber},
		{Name: "save_view", Keys: []string{"s"}, Help: "save the screen here", Hint: "save", Priority: 4,
			Do: (*ViewList).save, WhyNot: (*ViewList).cannotSave},
		{Name: "delete_view", Keys: []string{"d"}, Help: "twice: delete this view", Hint: "delete",
			Priority: 5, Do: (*ViewList).remove, WhyNot: (*ViewList).cannotRemove},
		{Name: "views", Keys: []string{"v"}, Help: "close the list", Effect: pane.Close{}},
	}
}

// profile returns the profile under the cursor, and false if a view is there.
func (l *ViewList) profile() (name string, ok bool) {
	place := l.Rows.Place() - len(l.numbers())
	if place < 0 {
		return "", false
	}
	return l.profiles.Names[place], true
}

func (l *ViewList) showHere(c *pane.Context) []pane.Effect {
	if name, ok := l.profile(); ok {
		return pane.Closing(pane.ShowProfile(name))
	}
	return l.show(c, l.number())
}

func (l *ViewList) showNumber(c *pane.Context) []pane.Effect { return l.show(c, c.Number) }

// show shows a view and closes the list, which stays if there is no such view or its filter is wrong.
func (l *ViewList) show(c *pane.Context, number int) []pane.Effect {
	view, found := l.set.Find(number)
	switch {
	case !found:
		l.free = number
		l.Rows.MoveTo(slices.Index(l.numbers(), number))
		return pane.Saying(c.Keys.Fill(fmt.Sprintf("No view %d; {save_view} saves one at the cursor.", number)))
	case view.Wrong() != "":
		return []pane.Effect{pane.ShowView(number)}
	}
	return pane.Closing(pane.ShowView(number))
}

// save opens the prompt for the name of the view that is saved with the number under the cursor.
func (l *ViewList) save(*pane.Context) []pane.Effect {
	shown := l.shown()
	if err := shown.CheckSize(); err != nil {
		return pane.Saying("This cannot be saved: " + err.Error() + ".")
	}
	return []pane.Effect{pane.Open{Dialog: ViewNameDialog{Over: l}}}
}

// remove deletes the saved view under the cursor when the key is pressed twice.
func (l *ViewList) remove(c *pane.Context) []pane.Effect {
	number := l.number()
	if !l.deleting.Press(c, number) {
		return pane.Saying(c.Keys.Fill(fmt.Sprintf("{delete_view} again deletes the saved view %d.", number)))
	}
	return []pane.Effect{pane.DeleteView(number)}
}

// cannotSave returns why nothing can be saved under the cursor, in a few words; empty if something can.
func (l *ViewList) cannotSave(*pane.Context) string {
	switch l.number() {
	case 0:
		return "view 0 is the default view; choose another row"
	case -1:
		return "a profile is here; choose a view"
	}
	return ""
}

// cannotRemove returns why nothing can be deleted under the cursor; empty if something can.
func (l *ViewList) cannotRemove(*pane.Context) string {
	return keys.ReasonIf(!l.set.IsSaved(l.number()), "no saved view is here")
}

// List returns the rows. The wheel moves the cursor, which stays in the middle.
func (l *ViewList) List() pane.List { return viewListRows{&l.Rows} }

// viewListRows are the rows of the list. They are scrolled by their cursor.
type viewListRows struct{ *pane.Rows[int] }

func (l viewListRows) ScrollBy(rows int) { l.MoveBy(rows) }

// Click puts the cursor on the view or profile that was clicked.
func (l *ViewList) Click(c *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	room := l.room(c, s)
	if at.Y < 1 || at.Y > room { // the first line, or the words below the list
		return nil
	}
	line := at.Y - 1 + l.top(room)
	place, title := line-1, l.profilesLine()
	if line > title {
		place--
	}
	if line != 0 && line != title && place < len(l.numbers())+len(l.profiles.Names) {
		l.Rows.MoveTo(place)
	}
	return nil
}

// Draw draws the list, and below it what the row under the cursor is.
func (l *ViewList) Draw(c *pane.Context, s pane.Size) []string {
	return l.draw(c, draw.Text(s.Width, c.Styles.Accent, " views and profiles"), s)
}

// draw draws a first line, the list, and below it what the row under the cursor is.
func (l *ViewList) draw(c *pane.Context, first string, s pane.Size) []string {
	rows, words := l.lines(c, s.Width), l.wordLines(c, s.Width)
	room := l.room(c, s)
	top := l.top(room)
	lines := draw.Fit(append([]string{first}, rows[top:min(top+room, len(rows))]...), s.Height-len(words))
	for _, line := range words {
		lines = append(lines, draw.Text(s.Width, c.Styles.Strong, " "+line))
	}
	return lines
}

// maxWordLines is how many lines the words below the list take: why a profile cannot be used may be long.
const maxWordLines = 3

func (l *ViewList) wordLines(c *pane.Context, width int) []string {
	lines := draw.Wrap(l.words(c), max(width-2, 1))
	return lines[:min(len(lines), maxWordLines)]
}

// room returns how many lines of the list there is room for, between the first line and the words below.
func (l *ViewList) room(c *pane.Context, s pane.Size) int {
	return max(s.Height-1-len(l.wordLines(c, s.Width)), 1)
}

// profilesLine returns the line of the list with the title of the profiles: below that of the views, and the views.
func (l *ViewList) profilesLine() int { return 1 + len(l.numbers()) }

// top returns which line of the list is the first on the screen if there is room for the given number of lines.
func (l *ViewList) top(room int) int {
	title, cursor := l.profilesLine(), l.Rows.Place()+1
	lines := title + 1 + len(l.profiles.Names)
	if cursor >= title {
		cursor++
	}
	return max(min(cursor-room/2, lines-room), 0)
}

func (l *ViewList) lines(c *pane.Context, width int) []string {
	s := c.Styles
	row := func(place int, text string) string {
		return draw.ListRow(width, place == l.Rows.Place(), s.Cursor, text)
	}
	rows := []string{draw.Rule(width, s.Dim, s.Dim, "views", "esc back")}
	numbers := l.numbers()
	for place, number := range numbers {
		rows = append(rows, row(place, l.viewRow(c, number)))
	}
	rows = append(rows, draw.Rule(width, s.Dim, s.Dim, "profiles", l.profiles.Note()))
	for i, name := range l.profiles.Names {
		mark := "  "
		if name == l.profiles.Current {
			mark = "✓ "
		}
		rows = append(rows, row(len(numbers)+i, mark+cmp.Or(format.OneLine(name), "no profile")))
	}
	return rows
}

func (l *ViewList) viewRow(c *pane.Context, number int) string {
	view, found := l.set.Find(number)
	if !found {
		return fmt.Sprintf("%d new: %s saves what is on the screen", number, c.Keys.Key("save_view"))
	}
	row := view.Title()
	row += strings.Repeat(" ", max(views.MaxName-draw.Width(row), 0)) + "  "
	if l.set.IsConfigured(number) {
		row += "configured · "
	}
	return row + view.Summary(c.Store.Format())
}

// words returns what enter does with the row under the cursor.
func (l *ViewList) words(c *pane.Context) string {
	if l.naming {
		shown := l.shown()
		return "enter saves " + shown.Summary(c.Store.Format())
	}
	if name, ok := l.profile(); ok {
		return l.profiles.Words(name)
	}
	view, found := l.set.Find(l.number())
	if !found {
		return fmt.Sprintf("no view %d", l.number())
	}
	return "enter shows " + strings.Join(view.ColumnTitles(), " ")
}
