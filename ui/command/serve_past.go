package command

import (
	"errors"

	"blotter/feed/access"
	"blotter/feed/hub"
	"blotter/ui/replay"
)

// maxPlayers is how many traders of a desk can be in the past at the same time: each has a book of its own then.
const maxPlayers = 16

// traderMemory is the past that a desk keeps for all traders, of which a trader sees what it may.
type traderMemory struct {
	*hub.Session
	rights  access.Rights
	service string
}

// Play returns what the desk has now. It is an error if too many traders are in the past.
func (m traderMemory) Play() (replay.Past, error) {
	player, err := m.Session.Play()
	if err != nil {
		return nil, err
	}
	return access.NewPast(player, m.rights, m.service), nil
}

// Place returns none: a trader writes no file of the server.
func (traderMemory) Place() (path string, ok bool) { return "", false }

// Save refuses to write a file of the server.
func (traderMemory) Save(string) error { return errors.New("a desk writes no files for traders") }
