package command

import (
	"path/filepath"
	"time"

	"blotter/feed/record"
	"blotter/ui/command/cli"
	"blotter/ui/replay"
)

// rewindMemory is the recording that the screen keeps of itself.
type rewindMemory struct {
	*record.Memory
	folder string // for saved files
}

// Play returns what the memory has now.
func (m rewindMemory) Play() (replay.Past, error) {
	player, err := m.Memory.Play()
	if err != nil {
		return nil, err
	}
	return player, nil
}

// Place returns the path of a file that is named after the present time.
func (m rewindMemory) Place() (path string, ok bool) {
	return filepath.Join(m.folder, time.Now().Format("blotter-20060102-150405.zst")), true
}

// rewound returns a feed that is recorded in memory as the configuration has it, for rewind, until the configuration is
// closed.
func (c *configuration) rewound(source record.Feed) (record.Feed, error) {
	if !c.hasRewind() {
		return source, nil
	}
	memory, err := c.newMemory(0)
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, memory.Close)
	c.memory = memory
	return record.NewTap(source, memory), nil
}

func (c *configuration) hasRewind() bool {
	return c.file.Screen.Rewind != 0 && c.file.Screen.RewindMemory != 0
}

// newMemory returns a memory for rewind as the configuration has it, for the given number of players at the same time;
// 0 is no limit.
func (c *configuration) newMemory(players int) (*record.Memory, error) {
	return record.NewMemory(record.MemoryOptions{
		Header:   record.Header{Version: cli.Version().Number, Service: c.service, Scope: c.scope},
		Duration: c.file.Screen.Rewind, Bytes: c.file.Screen.RewindMemory << 20, Rows: c.feed.Limits.Rows, Players: players,
		Secrets: c.feed.Secrets, OnPanic: c.feed.OnPanic,
	})
}
