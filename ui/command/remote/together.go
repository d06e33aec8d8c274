package remote

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// drawAfter is how long a screen waits for more messages before it is drawn. The renderer shows what was drawn each 50
// ms, so this is hardly noticed.
const drawAfter = 5 * time.Millisecond

// drawnTogether is a screen that is drawn once for messages that come together, such as new rows, margin levels and the
// second of the clock: Bubble Tea draws it after each of them, and most of a frame's time is spent on that. What the
// trader does is drawn at once.
type drawnTogether struct {
	screen tea.Model
	view   tea.View
	isOld  bool          // messages have come since it was drawn
	waits  bool          // drawNow follows
	wanted chan struct{} // holds a token if it is to be drawn soon
}

// drawNow is the message that draws the screen.
type drawNow struct{}

func newDrawnTogether(screen tea.Model) *drawnTogether {
	return &drawnTogether{screen: screen, isOld: true, wanted: make(chan struct{}, 1)}
}

// run sends the messages that draw the screen, until ctx ends.
func (d *drawnTogether) run(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wanted:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(drawAfter):
			send(drawNow{})
		}
	}
}

// Init returns the first command of the screen.
func (d *drawnTogether) Init() tea.Cmd { return d.screen.Init() }

// Update passes a message to the screen.
func (d *drawnTogether) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	if message == (drawNow{}) {
		d.waits = false
		return d, nil
	}
	var command tea.Cmd
	d.screen, command = d.screen.Update(message)
	d.isOld = true
	switch message.(type) {
	case tea.KeyPressMsg, tea.MouseMsg, tea.PasteMsg, tea.WindowSizeMsg:
		d.waits = false
		return d, command
	}
	if !d.waits {
		d.waits = true
		select {
		case d.wanted <- struct{}{}:
		default: // it is drawn sooner
		}
	}
	return d, command
}

// View returns the screen as it was drawn last.
func (d *drawnTogether) View() tea.View {
	if d.isOld && !d.waits {
		d.view, d.isOld = d.screen.View(), false
	}
	return d.view
}
