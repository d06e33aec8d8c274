package endpoint

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"blotter/model"
)

// node is the progress of the node at an address, by its own headers.
type node struct {
	block model.Block
	at    time.Time     // when they came
	lag   time.Duration // how far it was behind then, by its own clock; 0 where that is too little to matter
}

// Node returns the last block that the node at an address named, and when it did. Both are zero where it named none.
func (p *Pool) Node(address string) (block model.Block, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.find(address); a != nil {
		return a.node.block, a.node.at
	}
	return model.Block{}, time.Time{}
}

// Lag returns how far the node at an address was behind at its last response: by the Date header of that response where
// it had one, so that a wrong clock of this machine does not count as a lag. It is 0 below 30 seconds.
func (p *Pool) Lag(address string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.find(address); a != nil {
		return a.node.lag
	}
	return 0
}

// updateNode records the block headers of a response.
func (p *Pool) updateNode(a *address, header http.Header) {
	block := blockOf(header)
	if block.Time.IsZero() {
		return
	}
	now := p.config.Clock.Now()
	offset, _ := clockOffset(header, now)
	lag := block.Lag(now.Add(offset))
	p.mu.Lock()
	changed := (a.node.lag > 0) != (lag > 0)
	a.node = node{block, now, lag}
	p.mu.Unlock()
	if !changed {
		return
	}
	if lag > 0 {
		line := fmt.Sprintf("the node is behind: its last block was %s old", lag.Round(time.Second))
		p.config.Logger.Warn(line, "block", block.Height, "address", a.name)
	} else {
		p.config.Logger.Info("the node is no longer behind", "block", block.Height, "address", a.name)
	}
	if p.config.OnNode != nil {
		p.config.OnNode(a.name)
	}
}

// blockOf returns the block that the headers of a response name; zero where they name none.
func blockOf(header http.Header) model.Block {
	height, err := strconv.ParseInt(header.Get("X-Block-Height"), 10, 64)
	nanoseconds, err2 := strconv.ParseInt(header.Get("X-Block-Timestamp"), 10, 64)
	if err != nil || err2 != nil {
		return model.Block{}
	}
	return model.Block{Height: height, Time: time.Unix(0, nanoseconds)}
}
