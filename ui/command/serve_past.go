package command

import (
	"errors"
	"fmt"
	"sync"

	"blotter/feed/access"
	"blotter/feed/record"
	"blotter/ui/replay"
)

// maxPlayers is how many traders of a desk can be in the past at the same time: each has a book of its own then.
const maxPlayers = 16

// traderMemory is the memory of a desk, of which a trader sees what it may.
type traderMemory struct {
	*record.Memory
	rights  access.Rights
	service string
	players chan struct{} // has room for those who are in the past
}

// Play returns what the memory has now. It is an error if too many traders are in the past.
func (m traderMemory) Play() (replay.Past, error) {
	select {
	case m.players <- struct{}{}:
	default:
		return nil, fmt.Errorf("%d traders of this desk are in the past already: try again later", cap(m.players))
	}
	leave := sync.OnceFunc(func() { <-m.players })
	player, err := m.Memory.Play()
	if err != nil {
		leave()
		return nil, err
	}
	return traderPast{access.NewPast(player, m.rights, m.service), leave}, nil
}

// Save refuses: a trader writes no file of the server.
func (traderMemory) Save() (string, error) {
	return "", errors.New("a desk writes no files for traders")
}

// traderPast is the past that a trader sees.
type traderPast struct {
	*access.Past
	leave func()
}

// Close ends the player, and makes room for another trader.
func (p traderPast) Close() {
	p.Past.Close()
	p.leave()
}
