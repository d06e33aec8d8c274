package endpoint

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"blotter/model"
)

// Node is what a response says about the node that sent it. One address can have several nodes: another response may
// come from another one.
type Node struct {
	Block model.Block // its last block; zero if the response names none
	At    time.Time   // when the response came
	// Lag is how far the node was behind then: by the service's clock, or by a newer block that another response of the
	// address has named before. It is 0 if that is less than 30 seconds or not known.
	Lag time.Duration
}

// NewestBlock returns the newest block that a response of the address has named, and when that response came. Both are
// zero if none has named one.
func (p *Pool) NewestBlock(address string) (block model.Block, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.find(address); a != nil {
		return a.newest.Block, a.newest.At
	}
	return model.Block{}, time.Time{}
}

// When all blocks of an address count as old: at least oldBlocks responses have named one within oldWithin, and each of
// these was older than oldFrom. So all nodes behind the address may be behind.
const (
	oldBlocks = 5
	oldWithin = 2 * time.Minute
	oldFrom   = time.Minute
	oldKept   = 100 // at most
)

// blockAges are what the latest responses of an address have said about how old the blocks of its nodes are.
type blockAges struct {
	old       []Node    // those that have named an old block, since currentAt
	currentAt time.Time // when the last one came that has named a current one
}

func (b *blockAges) add(node Node, age time.Duration) {
	if age < oldFrom {
		*b = blockAges{currentAt: node.At}
		return
	}
	b.old = append(b.old, node)
	over := max(len(b.old)-oldKept, 0)
	for over < len(b.old) && node.At.Sub(b.old[over].At) > oldWithin {
		over++
	}
	b.old = slices.Delete(b.old, 0, over)
}

// newest returns the time of the newest block, if all are old; else zero.
func (b *blockAges) newest(now time.Time) (newest time.Time) {
	count := 0
	for _, node := range b.old {
		if now.Sub(node.At) <= oldWithin {
			count, newest = count+1, Later(newest, node.Block.Time)
		}
	}
	if count < oldBlocks || now.Sub(b.currentAt) <= oldWithin {
		return time.Time{}
	}
	return newest
}

// NewestIfOld returns the time of the newest block that responses of the address have named lately, if all these blocks
// are old; else zero.
func (p *Pool) NewestIfOld(address string) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.find(address); a != nil {
		return a.ages.newest(time.Now())
	}
	return time.Time{}
}

// observe returns what a response says about its node, and remembers the newest block of the address and the time of
// the service. The request was sent at the given time.
func (a *address) observe(header http.Header, sent time.Time) Node {
	now := time.Now()
	offset, hasDate := clockOffset(header, now)
	if isCached := header.Get("Age") != ""; hasDate && !isCached { // a cached response may be older than the request
		a.serviceClock.observe(offset, now.Sub(sent))
	}
	node := Node{Block: blockOf(header), At: now}
	if node.Block.Time.IsZero() {
		return node
	}
	// The Date of the response counts if it has one: a wrong clock of this machine is not a lag.
	node.Lag = node.Block.Lag(now.Add(offset))
	a.ages.add(node, node.Lag)
	if a.newest.Block.Height > node.Block.Height {
		node.Lag = max(node.Lag, node.Block.Lag(a.newest.Block.Time))
	} else {
		a.newest = node
	}
	return node
}

// blockOf returns the block that the headers of a response name; zero if they name none.
func blockOf(header http.Header) model.Block {
	height, err := strconv.ParseInt(header.Get("X-Block-Height"), 10, 64)
	nanoseconds, err2 := strconv.ParseInt(header.Get("X-Block-Timestamp"), 10, 64)
	if err != nil || err2 != nil {
		return model.Block{}
	}
	return model.Block{Height: height, Time: time.Unix(0, nanoseconds)}
}
