package events

import (
	"image"
	"time"

	"blotter/model"
	"blotter/ui/export"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// Actions are the keys of the page besides those that move in it.
func Actions() []keys.Action[*Page] {
	return []keys.Action[*Page]{
		{Name: "filter", Keys: []string{"/"}, Help: "filter the events", Hint: "filter", Priority: 1,
			Effect: pane.Open{Dialog: pane.EventFilterDialog{}}},
		{Name: "position_of_event", Keys: []string{"enter"}, Help: "position of this event",
			Hint: "position", Priority: 2, Do: showPosition, WhyNot: whyNoPosition},
		{Name: "rewind", Keys: []string{"w"}, Help: "rewind to its time", Hint: "rewind", Priority: 6, Do: rewind, WhyNot: whyNoEvent},
		{Name: "copy_row", Keys: []string{"y"}, Help: "copy this event", Hint: "copy", Priority: 3, Do: copyEvent, WhyNot: whyNoEvent},
		{Name: "copy_rows", Keys: []string{"Y"}, Help: "copy all events listed", Hint: "copy all",
			Priority: 4, Do: copyEvents, WhyNot: whyNoEvent},
	}
}

// List returns the events.
func (p *Page) List() pane.List { return &p.Rows }

// Sync brings the list and its cursor up to date with the log.
func (p *Page) Sync(c *pane.Context, s pane.Size) {
	p.follow(c.Store.Events(), c.Store.FilterContext(), c.Cause == pane.ByTick, roomFor(s.Height))
}

// Draw draws the page. Its title has the filter, unless that is being typed.
func (p *Page) Draw(c *pane.Context, s pane.Size) []string {
	return drawerOf(c).page(p, s.Width, s.Height, c.IsTyping)
}

func drawerOf(c *pane.Context) *drawer {
	return &drawer{Format: c.Store.Format(), Styles: c.Styles, Now: c.Store.Now()}
}

// DrawLatest draws the latest events beside a position, whichever that is.
func (p *Page) DrawLatest(c *pane.Context, _ *model.Position, width int) []string {
	return drawerOf(c).latest(c.Store.Events(), p.since, c.Keys.Fill("{events} all of them"), width)
}

// headHeight is how many lines are above the events: title and heading.
const headHeight = 2

// Click moves the cursor to the event that was clicked.
func (p *Page) Click(_ *pane.Context, s pane.Size, at image.Point) []pane.Effect {
	if row := at.Y - headHeight; row >= 0 && row < roomFor(s.Height) {
		p.Rows.Click(row)
	}
	return nil
}

func showPosition(p *Page, _ *pane.Context) []pane.Effect {
	const missing = "The service no longer has this position, or it is not in the scope."
	e, _ := p.Selected()
	return []pane.Effect{pane.GoTo{Key: e.Key, Missing: missing}}
}

// rewindAfter is how long after an event the past is shown that has it: the clock of the service, by which it was seen,
// is only estimated, and the recording may have it a moment later.
const rewindAfter = 10 * time.Millisecond

// rewind shows the time of the event under the cursor.
func rewind(p *Page, _ *pane.Context) []pane.Effect {
	e, _ := p.Selected()
	return []pane.Effect{pane.Rewind{To: e.SeenAt().Add(rewindAfter)}}
}

func copyEvent(p *Page, c *pane.Context) []pane.Effect {
	e, events := p.Selected()
	if events > 1 {
		return copyLines(p, c, events, p.Place(), p.Place()+1)
	}
	return []pane.Effect{pane.Copy{What: titleOf(e, c.Store.Format()), Text: writer(c).Event(e)}}
}

func copyEvents(p *Page, c *pane.Context) []pane.Effect {
	return copyLines(p, c, p.Len(), 0, p.list.Len())
}

// copyLines copies the events of some lines: those from one place to another.
func copyLines(p *Page, c *pane.Context, events, from, to int) []pane.Effect {
	w := writer(c)
	what, text := export.ClipboardLines(export.ClipboardEventHeading, "event", events, func(yield func(string) bool) {
		for place := from; place < to; place++ {
			for e := range p.list.Of(place) {
				if !yield(w.Event(e)) {
					return
				}
			}
		}
	})
	return []pane.Effect{pane.Copy{What: what, Text: text}}
}

func writer(c *pane.Context) *export.ClipboardWriter {
	return &export.ClipboardWriter{View: c.Store.View(), Format: c.Store.Format()}
}

// whyNoPosition returns why the event under the cursor has no position; empty if it has one.
func whyNoPosition(p *Page, c *pane.Context) string {
	switch e, events := p.Selected(); {
	case e == nil:
		return whyNoEvent(p, c)
	case events > 1:
		return "the line is of several positions"
	case !e.HasPosition():
		return "this alert is of no position"
	case e.HasCutID():
		return "its identifier is too long for events"
	}
	return ""
}

// whyNoEvent returns why there is no event to do something with; empty if there is one.
func whyNoEvent(p *Page, _ *pane.Context) string {
	e, _ := p.Selected()
	return keys.ReasonIf(e == nil, "no event is selected")
}
