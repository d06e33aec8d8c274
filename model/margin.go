package model

import (
	"cmp"
	"time"
)

// MarginKey names a margin record: a party has at most one in a market and asset.
type MarginKey struct {
	Key
	Asset ID
}

// Compare orders keys by party, market, then asset.
func (k MarginKey) Compare(other MarginKey) int {
	return cmp.Or(k.Key.Compare(other.Key), k.Asset.Compare(other.Asset))
}

// MarginLevels are the four levels that a party's margin in a market is held against, as unsigned integers
// in the asset's decimals.
type MarginLevels struct {
	MarginKey
	Maintenance Amount // below it the position is closed out
	Search      Amount // below it collateral is searched for
	Initial     Amount // needed to open
	Release     Amount // above it collateral is released
	Timestamp   Amount // nanoseconds since the Unix epoch
}

// PageTurn says which page of margin levels is asked for.
type PageTurn uint8

// The pages that can be asked for.
const (
	FirstPage PageTurn = iota
	NextPage
	PreviousPage
	LastPage
)

// PageRequest asks for one page of margin levels.
type PageRequest struct {
	Scope       Scope
	Size        int // how many records at most
	NewestFirst bool
	Turn        PageTurn
	From        *Page // the page that NextPage follows or PreviousPage precedes
	Unasked     bool  // the trader did not ask for it: it gives way to what the trader asks for
}

// Page is one page of margin levels. Rows move to the newest end while one pages, so a page tells what was
// there when it was read.
type Page struct {
	Rows        []MarginLevels
	HasNext     bool
	HasPrevious bool
	// CutOffNext and CutOffPrevious tell that there are records further that way too, but the service gave no cursor
	// to ask for them by.
	CutOffNext, CutOffPrevious bool
	Places                     []Place // where the page begins and ends, one for each list that it was merged from
	ReadAt                     time.Time
	Block                      Block
	Restarted                  bool // the cursor was no longer taken, so this is the first page again
}

// At is when the page was the service's word: the time of the node's last block or, where it names none, when the page
// was read.
func (p *Page) At() time.Time {
	if p.Block.Time.IsZero() {
		return p.ReadAt
	}
	return p.Block.Time
}

// Place is where a page begins and ends in one list of the service.
type Place struct {
	Key
	// Start is the cursor from which to read back, End the one from which to read on; empty at an end of the list.
	Start, End string
}

// Block is what a node says of its own progress with each answer; zero where it says nothing.
type Block struct {
	Height int64
	Time   time.Time
}

// laggingFrom is how old a node's last block may be before the node counts as behind: blocks come about once a second.
const laggingFrom = 30 * time.Second

// Lag is how far a node is behind that said so at a time, and zero where that is too little to speak of, or where the
// node says nothing.
func (b Block) Lag(at time.Time) time.Duration {
	lag := at.Sub(b.Time)
	if b.Time.IsZero() || lag < laggingFrom {
		return 0
	}
	return lag
}
