// Package pane has what the parts of the screen have in common: the contracts of panes, overlays and effects, the one
// list that moves, pages, and follows a row, the one page of text, and the bases of overlays. It imports what a pane
// reads (store, columns, theme) and what it returns (alerts, input), but no pane, page or dialog.
//
//	pane, effect           the contracts, and the effects that a part of the screen returns
//	list, rows             what moves
//	page, search           a page of text, and what is searched in it
//	typed_line             the base of an overlay with one line of text
//	choices, form          the bases of an overlay with a list, and of one with fields
package pane

import (
	"cmp"
	"image"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/input"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// Context is what a part of the screen may read.
type Context struct {
	Store  *store.Store
	Styles *theme.Styles
	Keys   KeyNames
	// HasFocus is true if the keys are those of this part of the screen.
	HasFocus bool
	// WhyNoNames is why nothing can be named; empty if it can.
	WhyNoNames string
	Notice     string // the message that is shown; empty if there is none
	// IsTyping is true while a filter is typed.
	IsTyping bool
	// EscClearsFilter is true if esc undoes the filter.
	EscClearsFilter bool
	Cause           Cause // what a Sync comes after
	Recording       Recording
	// WhyNotLive is why actions with OnlyLive do nothing now: the past or a what if is shown. Empty if neither is.
	WhyNotLive string
	// Number is the place of the pressed key among those of its action, from 0, if each of them does something else.
	Number int
	// Pressed counts the keys that were pressed: see Twice.
	Pressed int
}

// Files writes files that the trader asks for.
type Files interface {
	// Place returns the path that is offered for a file of a name.
	Place(name string) string
	// Create writes a new file. It fails if there is one. It may block.
	Create(path string, text []byte) error
}

// Recording is the state of the recording that is shown; the zero value if none is.
type Recording struct {
	IsWhatIf bool // positions are shown at other mark prices: their unrealised PnL is an estimate
	IsPaused bool // its clock is stopped
}

// Twice is a key that must be pressed twice in a row on the same subject. The zero value was not pressed.
type Twice[Subject comparable] struct {
	pressed int // how many keys were pressed when it was pressed for the first time
	on      Subject
}

// Press notes that the key is pressed on a subject, and reports whether that is the second time.
func (t *Twice[Subject]) Press(c *Context, on Subject) (isSecond bool) {
	if isSecond = t.pressed > 0 && c.Pressed == t.pressed+1 && on == t.on; isSecond {
		t.pressed = 0
	} else {
		t.pressed, t.on = c.Pressed, on
	}
	return isSecond
}

// Cause is what a Sync comes after.
type Cause uint8

// The causes.
const (
	ByOther Cause = iota // a key, a new size, a response
	ByTick               // a second has passed
	ByData               // only positions or margin levels have come
)

// Line is the selected line of the positions: a position or the heading of a group, or neither if none is selected.
type Line struct {
	Position *model.Position
	Heading  *columns.Heading
	IsStale  bool   // of a heading: a row of the group may be out of date. Of a position: the book has it no longer
	Ended    string // of a position whose detail is open: why it has no row any longer; empty if it has one
}

// KeyNames puts the keys of actions in texts.
type KeyNames interface {
	Key(action string) string // the first key of an action
	Fill(text string) string  // puts keys in a text: of {resync}, the key that resyncs
}

// Size is the room that a part of the screen has.
type Size struct{ Width, Height int }

// Pane is a part of the screen with keys of its own, a page that covers the others, or an overlay that lies over them
// and gets all keys while it is there. It changes only itself, and returns effects for everything else. Cells are
// counted from its own corner.
type Pane interface {
	// Sync is called after each message: it follows the rows, and fits the room. A height of 0 means that the pane is
	// covered.
	Sync(c *Context, s Size)
	Draw(c *Context, s Size) []string // changes nothing, and formats only what is seen
	Clickable
}

// Clickable is a part of the screen that can be clicked.
type Clickable interface {
	Lister
	Click(c *Context, s Size, at image.Point) []Effect
}

// Overlay is a pane over the others.
type Overlay interface {
	Pane
	IsOverlay()
}

// Listing is an overlay with a list.
type Listing interface {
	Overlay
	HasList()
}

// Typing is an overlay in which text is typed.
type Typing interface {
	Pane
	Text() *input.Line           // the line in which text is typed
	Changed(c *Context) []Effect // is called when the text was changed
	Cursor(s Size) image.Point   // the cell of the cursor
}

// Keeping is an overlay whose texts are there again when it is opened after the trader has left it.
type Keeping interface {
	Typing
	Subject() string // what it is about: the texts of another subject are not used
	Lines() []*input.Line
}

// Pasting is an overlay that takes a pasted column: several lines, each a name of its own.
type Pasting interface {
	Typing
	Paste(c *Context, lines []string) []Effect
}

// Prompt is an overlay in the second line. The panes stay on the screen, and can be clicked.
type Prompt interface {
	Pane
	Prompt(c *Context, width int) string // draws the line; empty: messages are shown
}

// Themed is an overlay that shows the screen in a theme while it is there.
type Themed interface {
	Pane
	Theme() string // the name of the theme; empty for that of the screen
}

// ThemeOf returns the theme that an overlay shows, or that of the screen. The overlay may be nil.
func ThemeOf(on Pane, theme string) string {
	if themed, ok := on.(Themed); ok {
		return cmp.Or(themed.Theme(), theme)
	}
	return theme
}
