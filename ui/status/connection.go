package status

import (
	"fmt"

	"charm.land/bubbles/v2/spinner"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Connection is the page about all streams, and what other parts of the screen show of them.
type Connection struct {
	limit   int
	replay  func(*store.Store) string
	reach   func(*store.Store) string
	traffic Traffic
	Spinner Spinner
}

// NewConnection returns the page of a book that keeps the given number of positions at most. The function replay
// returns what stands in place of the freshness while a recording is shown; empty if none is. The function reach
// returns how far back the screen can be rewound.
func NewConnection(limit int, replay, reach func(*store.Store) string) *Connection {
	return &Connection{limit: limit, replay: replay, reach: reach,
		Spinner: Spinner{model: spinner.New(spinner.WithSpinner(spinner.MiniDot))}}
}

// ReadTraffic reads how much the streams have sent, if the last reading is old enough.
func (p *Connection) ReadTraffic(from *store.Store) {
	p.traffic.read(from.Flow().AllLinks(), from.Now())
}

// Streams are the streams of positions now, for the words about them.
func (p *Connection) Streams(c *pane.Context) *Streams {
	s := p.streams(c.Store)
	s.Styles, s.FillKeys = c.Styles, c.Keys.Fill
	return s
}

// Spoken are the streams now, for a screen reader: the words about them mention no keys.
func (p *Connection) Spoken(from *store.Store) *Streams {
	s := p.streams(from)
	s.IsSpoken = true
	return s
}

func (p *Connection) streams(s *store.Store) *Streams {
	return &Streams{
		Replay: p.replay(s), Links: s.Flow().Links(), Now: s.Now(), Ended: s.Flow().Ended(), Book: s.Book(), Limit: p.limit,
		Corrections: s.Corrections(), Traffic: &p.traffic, Format: s.Format(),
		WhyRatiosWait: store.WhyRatiosWait(s),
	}
}

// Text is the text of the page.
func (p *Connection) Text(c *pane.Context, s pane.Size) (title string, lines []string) {
	streams := p.Streams(c)
	streams.Links = c.Store.Flow().AllLinks()
	return "connection", streams.Page(c.Store.Walk().Words(c.Store.View(), c.Store.Now()), p.reach(c.Store), s.Width)
}

// Loading returns how far the first snapshots are, in the given number of cells; empty if they are there.
func (p *Connection) Loading(c *pane.Context, width int) string {
	words := p.Streams(c).loading(width)
	if words != "" && p.IsLoading(c.Store) {
		return p.Spinner.String() + " " + words
	}
	return words
}

// Source is one line about the stream of a position, below a title: its name, its freshness and its address.
func (p *Connection) Source(c *pane.Context, of *model.Position, width int) []string {
	lines := []string{draw.Rule(width, c.Styles.Dim, c.Styles.Dim, "source", "")}
	if streams, link := p.streamOf(c, of); link != nil {
		words := fmt.Sprintf(" %s  %s  %s", streams.name(link), streams.freshnessOf(link), model.Neutralise(link.Address))
		lines = append(lines, draw.Text(width, draw.Plain, words))
	}
	return lines
}

// Beside is everything about the stream of a position, below a title.
func (p *Connection) Beside(c *pane.Context, of *model.Position, width int) []string {
	lines := []string{draw.Rule(width, c.Styles.Dim, c.Styles.Dim, "connection", c.Keys.Fill("{connection} all streams"))}
	if streams, link := p.streamOf(c, of); link != nil {
		lines = append(lines, streams.lines(link, width)...)
	}
	return lines
}

// streamOf returns the streams, and the state of the one that a position comes from; nil if that is not known.
func (p *Connection) streamOf(c *pane.Context, of *model.Position) (*Streams, *model.Link) {
	streams := p.Streams(c)
	source, _ := c.Store.View().Book().Source(of.Key)
	return streams, model.LinkOfSubscription(streams.Links, source)
}
