package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// restFor is how long the cursor rests on a row before its margin levels are requested: a cursor that moves on requests
// nothing.
const restFor = 150 * time.Millisecond

// maxLoaded is how many positions the margin levels are kept of.
const maxLoaded = 1 << 10

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

// selectedLevels are the margin levels of the selected position, and of those that were selected before.
type selectedLevels struct {
	loaded   map[model.Key]loadedLevels
	key      model.Key // the selected position
	sequence uint64    // counts the positions and requests, so that an answer to an older one is ignored
	rested   bool      // the cursor has rested on it long enough
	askedAt  time.Time
	cancel   context.CancelFunc // of the request, nil where the answer is there
	problem  string             // why the last request failed
}

// loadedLevels are the margin records of a position, as they were last read.
type loadedLevels struct {
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

func newSelectedLevels() selectedLevels {
	return selectedLevels{loaded: make(map[model.Key]loadedLevels)}
}

// note keeps the records of a page.
func (l *selectedLevels) note(records []model.MarginLevels, readAt time.Time) {
	byKey := make(map[model.Key][]model.MarginLevels, len(records))
	for i := range records {
		byKey[records[i].Key] = append(byKey[records[i].Key], records[i])
	}
	for key, records := range byKey {
		l.keep(key, loadedLevels{records, readAt})
	}
}

func (l *selectedLevels) keep(key model.Key, k loadedLevels) {
	if len(l.loaded) >= maxLoaded {
		clear(l.loaded)
	}
	l.loaded[key] = k
}

// requestNeeded requests what the screen needs and does not have.
func (m *Model) requestNeeded() tea.Cmd {
	l := m.layout()
	return tea.Batch(m.refreshPage(m.marginRoom(&l) > 0), m.refreshLevels(m.showsLevels(&l)))
}

// refreshLevels requests the margin levels of the selected position, and again when they are old.
func (m *Model) refreshLevels(visible bool) tea.Cmd {
	l := &m.levels
	p := m.selected()
	if p == nil || !visible || !isComplete(p.Key) {
		l.selectKey(model.Key{})
		return nil
	}
	if p.Key != l.key {
		l.selectKey(p.Key)
		sequence := l.sequence
		return tea.Tick(restFor, func(time.Time) tea.Msg { return restedMsg{sequence} })
	}
	if !l.rested || l.cancel != nil || m.incoming.frozen || m.ctx.Err() != nil {
		return nil
	}
	wait := refreshAfter
	if l.problem != "" {
		wait = refreshAfterFailure
	}
	now := m.now()
	if now.Sub(l.askedAt) < wait || now.Sub(l.loaded[p.Key].readAt) < refreshAfter {
		return nil
	}
	return m.askLevels()
}

// isComplete reports whether a key has both party and market. A request without one of them would be answered with the
// records of all.
func isComplete(key model.Key) bool { return !key.Party.IsZero() && !key.Market.IsZero() }

// selectKey makes another position the selected one.
func (l *selectedLevels) selectKey(key model.Key) {
	if l.key == key {
		return
	}
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	l.sequence++
	l.key, l.rested, l.problem, l.askedAt = key, false, "", time.Time{}
}

func (m *Model) handleRested(msg restedMsg) tea.Cmd {
	if msg.sequence == m.levels.sequence {
		m.levels.rested = true
	}
	return nil
}

// maxRecords is how many records a party may have in a market: one for each asset.
const maxRecords = 20

func (m *Model) askLevels() tea.Cmd {
	l := &m.levels
	ctx, cancel := context.WithCancel(m.ctx)
	l.cancel, l.askedAt = cancel, m.now()
	l.sequence++
	source, sequence := m.source, l.sequence
	request := model.PageRequest{
		Scope: model.Scope{Parties: []model.ID{l.key.Party}, Markets: []model.ID{l.key.Market}},
		Size:  maxRecords, NewestFirst: true, Unasked: !l.loaded[l.key].readAt.IsZero(),
	}
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return levelsMsg{sequence, page, err}
	}
}

func (m *Model) handleLevels(msg levelsMsg) tea.Cmd {
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
	l.keep(l.key, loadedLevels{records, msg.page.ReadAt})
	return m.learn(records, msg.page.At())
}

// levelsOf returns the margin levels of a position in the asset of its market, and when they were read.
func (m *Model) levelsOf(p *model.Position) (levels *model.MarginLevels, readAt time.Time) {
	k := m.levels.loaded[p.Key]
	asset := m.data.instruments.Market(p.Market).Asset
	for i := range k.records {
		if asset.IsZero() || k.records[i].Asset == asset {
			return &k.records[i], k.readAt
		}
	}
	return nil, k.readAt
}
