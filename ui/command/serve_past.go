package command

import (
	"errors"
	"fmt"
	"sync"

	"blotter/feed/access"
	"blotter/feed/hub"
	"blotter/ui/replay"
)

// maxPlayers is how many traders of a desk can be in the past at the same time: each has a book of its own then.
const maxPlayers = 16

// maxPlayersOfTrader is how many of them one trader has, so that others can go to the past too.
const maxPlayersOfTrader = 4

// pasts counts the sessions of each trader that are in the past.
type pasts struct {
	mu sync.Mutex
	of map[string]int
}

// begin counts a session that goes to the past, and reports whether it may.
func (p *pasts) begin(trader string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[trader] == maxPlayersOfTrader {
		return false
	}
	if p.of == nil {
		p.of = make(map[string]int)
	}
	p.of[trader]++
	return true
}

func (p *pasts) end(trader string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[trader]--; p.of[trader] == 0 {
		delete(p.of, trader)
	}
}

// traderMemory is the past that a desk keeps for all traders, of which a trader sees what it may.
type traderMemory struct {
	*hub.Session
	rights  access.Rights
	service string
	trader  string
	pasts   *pasts
}

// traderPast is the past of one session.
type traderPast struct {
	*access.Past
	end func()
}

// Close leaves the past.
func (p traderPast) Close() {
	p.Past.Close()
	p.end()
}

// Play returns what the desk has now. It is an error if too many traders are in the past, or this one in too many
// sessions.
func (m traderMemory) Play() (replay.Past, error) {
	if !m.pasts.begin(m.trader) {
		return nil, fmt.Errorf("%d of your sessions are in the past: leave it in one of them", maxPlayersOfTrader)
	}
	player, err := m.Session.Play()
	if err != nil {
		m.pasts.end(m.trader)
		return nil, err
	}
	return traderPast{access.NewPast(player, m.rights, m.service), sync.OnceFunc(func() { m.pasts.end(m.trader) })}, nil
}

// Place returns none: a trader writes no file of the server.
func (traderMemory) Place() (path string, ok bool) { return "", false }

// Save refuses to write a file of the server.
func (traderMemory) Save(string) error { return errors.New("a desk writes no files for traders") }
