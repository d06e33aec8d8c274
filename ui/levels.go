package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// restFor is how long the cursor rests on a row before its margin levels are asked for: a cursor that runs through
// the table asks for nothing.
const restFor = 150 * time.Millisecond

// levelsKept bounds how many positions' margin levels are remembered.
const levelsKept = 1 << 10

// marginLevels are the four levels of a margin record, from the lowest to the highest.
var marginLevels = [...]struct {
	name string
	of   func(*model.MarginLevels) model.Amount
}{
	{"maintenance", func(l *model.MarginLevels) model.Amount { return l.Maintenance }},
	{"search", func(l *model.MarginLevels) model.Amount { return l.Search }},
	{"initial", func(l *model.MarginLevels) model.Amount { return l.Initial }},
	{"release", func(l *model.MarginLevels) model.Amount { return l.Release }},
}

// levels are the margin levels of the positions that were looked at.
type levels struct {
	known    map[model.Key]known
	key      model.Key // the position that is looked at
	sequence uint64    // of its turn under the cursor
	rested   bool
	tried    time.Time
	cancel   context.CancelFunc // of the request under way, nil where there is none
	problem  string
}

// known is what the service last said about a position.
type known struct {
	records []model.MarginLevels
	readAt  time.Time
}

// restedMsg comes when the cursor may have rested long enough.
type restedMsg struct{ sequence uint64 }

// levelsMsg is the answer about one position.
type levelsMsg struct {
	sequence uint64
	page     *model.Page
	err      error
}

func newLevels() levels { return levels{known: make(map[model.Key]known)} }

// note remembers records of a page.
func (l *levels) note(records []model.MarginLevels, readAt time.Time) {
	byKey := make(map[model.Key][]model.MarginLevels, len(records))
	for i := range records {
		byKey[records[i].Key] = append(byKey[records[i].Key], records[i])
	}
	for key, records := range byKey {
		l.keep(key, known{records, readAt})
	}
}

func (l *levels) keep(key model.Key, k known) {
	if len(l.known) >= levelsKept {
		clear(l.known)
	}
	l.known[key] = k
}

// keepUp asks for what the screen needs and has not got.
func (m *Model) keepUp() tea.Cmd {
	l := m.layout()
	return tea.Batch(m.refreshPage(m.marginRoom(&l) > 0), m.keepUpLevels(m.showsLevels(&l)))
}

// keepUpLevels asks for the margin levels of the position under the cursor, and again when they get old.
func (m *Model) keepUpLevels(visible bool) tea.Cmd {
	l := &m.levels
	p := m.selected()
	if p == nil || !visible || !names(p.Key) {
		l.leave(model.Key{})
		return nil
	}
	if p.Key != l.key {
		l.leave(p.Key)
		sequence := l.sequence
		return tea.Tick(restFor, func(time.Time) tea.Msg { return restedMsg{sequence} })
	}
	if !l.rested || l.cancel != nil || m.pull.frozen || m.ctx.Err() != nil {
		return nil
	}
	wait := refreshAfter
	if l.problem != "" {
		wait = refreshAfterFailure
	}
	now := m.now()
	if now.Sub(l.tried) < wait || now.Sub(l.known[p.Key].readAt) < refreshAfter {
		return nil
	}
	return m.askLevels()
}

// names tells whether a key names both party and market. Whoever asks for an empty one is answered with all.
func names(key model.Key) bool { return !key.Party.IsZero() && !key.Market.IsZero() }

// leave turns to another position.
func (l *levels) leave(key model.Key) {
	if l.key == key {
		return
	}
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	l.sequence++
	l.key, l.rested, l.problem, l.tried = key, false, "", time.Time{}
}

func (m *Model) takeRested(msg restedMsg) tea.Cmd {
	if msg.sequence == m.levels.sequence {
		m.levels.rested = true
	}
	return nil
}

// pairRecords is how many records one party may have in one market: one for each asset.
const pairRecords = 20

func (m *Model) askLevels() tea.Cmd {
	l := &m.levels
	ctx, cancel := context.WithCancel(m.ctx)
	l.cancel, l.tried = cancel, m.now()
	l.sequence++
	source, sequence := m.source, l.sequence
	request := model.PageRequest{
		Scope: model.Scope{Parties: []model.ID{l.key.Party}, Markets: []model.ID{l.key.Market}},
		Size:  pairRecords, NewestFirst: true,
	}
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return levelsMsg{sequence, page, err}
	}
}

func (m *Model) takeLevels(msg levelsMsg) tea.Cmd {
	l := &m.levels
	if msg.sequence != l.sequence || l.cancel == nil {
		return nil
	}
	l.cancel()
	l.cancel = nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		l.problem, _ = m.problemOf(msg.err)
		return nil
	}
	l.problem = ""
	var records []model.MarginLevels
	for _, record := range msg.page.Rows {
		if record.Key == l.key {
			records = append(records, record)
		}
	}
	l.keep(l.key, known{records, msg.page.ReadAt})
	return m.learn(records, msg.page.At())
}

// levelsOf are the margin levels of a position in its market's asset, as last read.
func (m *Model) levelsOf(p *model.Position) (levels *model.MarginLevels, readAt time.Time) {
	k := m.levels.known[p.Key]
	asset := m.data.instruments.Market(p.Market).Asset
	for i := range k.records {
		if asset.IsZero() || k.records[i].Asset == asset {
			return &k.records[i], k.readAt
		}
	}
	return nil, k.readAt
}
