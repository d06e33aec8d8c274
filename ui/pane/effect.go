package pane

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/columns"
	"blotter/ui/store"
)

// Effect is what a part of the screen returns for others to do. The shell applies it. Each kind is a type of this file.
type Effect interface{ isEffect() }

// effect is embedded in the kinds that are structs.
type effect struct{}

func (effect) isEffect()       {}
func (Say) isEffect()          {}
func (Send) isEffect()         {}
func (Select) isEffect()       {}
func (FilterEvents) isEffect() {}
func (Set) isEffect()          {}
func (Show) isEffect()         {}
func (Change) isEffect()       {}
func (SetColumns) isEffect()   {}
func (SortBy) isEffect()       {}
func (Act) isEffect()          {}
func (UseTheme) isEffect()     {}
func (ShowView) isEffect()     {}
func (DeleteView) isEffect()   {}
func (SetAlerts) isEffect()    {}
func (SetGroups) isEffect()    {}
func (ShowProfile) isEffect()  {}

// Close closes the overlay.
type Close struct{ effect }

// Leave closes the overlay, and keeps what is typed there: see Keeping.
type Leave struct{ effect }

// Say shows a text in the message line.
type Say string

// Send sends a command to the program.
type Send tea.Cmd

// Said is the message of a command with a text for the message line.
type Said string

// Effects is the message of a command with what others do next.
type Effects []Effect

// Asking returns the effect of a request for a page of margin levels; none if it is nil. Take handles the response, and
// returns the page in it, nil if there is none.
func Asking(request *store.Request, take func(store.Response) *model.Page) []Effect {
	if request == nil {
		return nil
	}
	return []Effect{Change(func(s *store.Store) tea.Cmd { return s.Ask(request, take) })}
}

// After lets a part of the screen do something after a delay.
type After struct {
	effect
	Delay time.Duration
	Do    func()
}

// Select moves the cursor of the positions by the given number of lines.
type Select int

// GoTo moves the cursor of the positions to one of them, and shows the panes. If that position is not shown, it says
// why.
type GoTo struct {
	effect
	Key     model.Key
	Missing string // what is said if the position is not known
}

// FilterEvents narrows the events to those that match a text, as a step.
type FilterEvents string

// FocusPositions gives the focus to the positions.
type FocusPositions struct{ effect }

// FocusMargins gives the focus to the margin levels.
type FocusMargins struct{ effect }

// Back undoes the latest step.
type Back struct{ effect }

// Set changes the settings of the view. A change of the scope, of the filter or of the grouping is a step.
type Set func(*view.Settings)

// Watch changes the scope.
func Watch(scope model.Scope) Effect {
	return Set(func(s *view.Settings) { s.Scope = scope })
}

// Filter narrows the positions to those that match a text.
func Filter(text string) Effect {
	return Set(func(s *view.Settings) { s.Filter = text })
}

// Show covers the panes with a page of a kind, as a step.
type Show string

// DetailKind is the kind of page about the selected line.
const DetailKind = "detail"

// ClosePage closes the page that covers the panes. If another page is below, that one is shown again.
type ClosePage struct{ effect }

// Copy sends a text to the terminal's clipboard, and says what it is.
type Copy struct {
	effect
	What, Text string
}

// Change changes the store.
type Change func(*store.Store) tea.Cmd

// SetColumns changes the columns of the positions.
type SetColumns columns.Settings

// SortBy sorts the positions by a column; done again, it reverses the order.
type SortBy view.Column

// Act does the action of a name that works where the focus is.
type Act string

// UseTheme draws the screen in a theme.
type UseTheme string

// ShowView applies the view with a number.
type ShowView int

// SaveView saves what is on the screen as the view with a number.
type SaveView struct {
	effect
	Number int
	Name   string
}

// DeleteView deletes the saved view with a number.
type DeleteView int

// SetAlerts replaces the rules for alerts.
type SetAlerts []alerts.Rule

// SetGroups replaces the own groups.
type SetGroups []model.Group

// Rewind shows a time of the past in place of the service; a zero time is the latest. With a shift, it shows the
// positions as they would be at other mark prices.
type Rewind struct {
	effect
	To    time.Time
	Shift *analysis.PriceShift // nil for the prices of that time
	// Position gets the cursor; if it is nil, the position that was selected does.
	Position *model.Key
}

// Live shows the service again in place of its past.
type Live struct{ effect }

// ShowProfile changes to another profile.
type ShowProfile string

// Refusing returns the effect of a notice with the reason why a key does nothing now.
func Refusing(reason string) []Effect {
	return Saying(strings.ToUpper(reason[:1]) + reason[1:] + ".")
}

// Closing returns effects after the overlay was closed.
func Closing(effects ...Effect) []Effect { return append([]Effect{Close{}}, effects...) }

// Saying returns the effect of a notice; none if the text is empty.
func Saying(text string) []Effect {
	if text == "" {
		return nil
	}
	return []Effect{Say(text)}
}
