package model

import (
	"cmp"
	"time"
)

// MarginKey identifies a margin record: a party has at most one in a market and asset.
type MarginKey struct {
	Key
	Asset ID
}

// Compare orders keys by party, market, then asset.
func (k MarginKey) Compare(other MarginKey) int {
	return cmp.Or(k.Key.Compare(other.Key), k.Asset.Compare(other.Asset))
}

// Level is one of the four levels of a margin record.
type Level struct {
	Name   string
	Amount Amount
	IsNone bool // the margin mode of the record has no such level
}

// IsIsolated reports whether the margin mode is the isolated one.
func (l *MarginLevels) IsIsolated() bool { return l.ModeWord() == isolatedMode }

// Levels returns the four levels. Their amounts need not ascend.
func (l *MarginLevels) Levels() [4]Level {
	isNone := func(a Amount) bool { return l.IsIsolated() && a.IsZero() }
	return [...]Level{
		{"maintenance", l.Maintenance, false},
		{"search", l.Search, isNone(l.Search)},
		{"initial", l.Initial, false},
		{"release", l.Release, isNone(l.Release)},
	}
}

// How often margin levels are requested that the trader did not ask for.
const (
	MarginRefresh = 5 * time.Second
	MarginRetry   = 15 * time.Second // after a failure
)

// PageTurn is which page of margin levels is requested.
type PageTurn uint8

// The pages that can be requested.
const (
	FirstPage PageTurn = iota
	NextPage
	PreviousPage
	LastPage
)

// PageRequest is a request for one page of margin levels.
type PageRequest struct {
	Scope       Scope
	Size        int // the largest number of records
	NewestFirst bool
	Turn        PageTurn
	From        *Page // the page that NextPage follows or PreviousPage precedes
	Background  bool  // the trader did not make this request; requests of the trader are sent first
}

// Page is one page of margin levels, as it was when it was read. Records that change move to the newest end of the
// list.
type Page struct {
	Rows        []MarginLevels
	HasNext     bool
	HasPrevious bool
	// CutOffNext and CutOffPrevious are true if there are more records in that direction, but the service sent no
	// cursor to request them with.
	CutOffNext, CutOffPrevious bool
	Places                     []Place // where the page begins and ends in each of the lists that it was merged from
	ReadAt                     time.Time
	ServedAt                   time.Time // ReadAt by the clock of the service; zero if that is the same
	Block                      Block
	Restarted                  bool // the service did not accept the cursor any more, so this is the first page again
}

// At returns the time of the page's data by the clock of the service: that of the node's last block or, if it is not
// known, when the page was read.
func (p *Page) At() time.Time {
	if p.Block.Time.IsZero() {
		return p.Served()
	}
	return p.Block.Time
}

// Served returns when the page was read, by the clock of the service.
func (p *Page) Served() time.Time {
	if p.ServedAt.IsZero() {
		return p.ReadAt
	}
	return p.ServedAt
}

// Place is where a page begins and ends in one list of the service.
type Place struct {
	Key
	// Start is the cursor to read back from, End the cursor to read on from. Both are empty at an end of the list.
	Start, End string
}

// Block is the last block that a node has processed. The node sends it with each response. It is zero if the node
// does not send it.
type Block struct {
	Height int64
	Time   time.Time
}

// LateFrom is how old the last block of a node, or the time of an update, must be to show that the node is behind.
// Blocks come about once a second, and the clocks of two machines seldom agree to the second.
const LateFrom = 30 * time.Second

// Lag returns how far the node was behind when it sent the block, at the given time. It returns 0 if that is less
// than 30 seconds or not known.
func (b Block) Lag(at time.Time) time.Duration {
	lag := at.Sub(b.Time)
	if b.Time.IsZero() || lag < LateFrom {
		return 0
	}
	return lag
}
