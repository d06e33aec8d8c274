package margins

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/model"
)

// The blocks of the nodes behind an address.
const (
	currentBlock = 160
	lateBlock    = 100
)

// behindOneAddress makes a service respond as two nodes would: the current one, and one that does not have the records
// that were put after this call. A letter of turns is the node of a request, the last one that of all further requests:
// C is the current one, L the late one, and E one that has lost all records. A small letter is the same node without
// its block.
func (s *service) behindOneAddress(turns string) {
	late, empty := newService(s.t), newService(s.t)
	for _, m := range slices.Backward(s.Margins()) {
		late.PutMargins(m)
	}
	s.turns = turns
	s.respond = func(query endpoint.PageQuery, number int) (*endpoint.Page, error) {
		turn := s.turns[min(number-s.turned, len(s.turns))-1:][:1]
		node, height := s, int64(currentBlock)
		switch strings.ToUpper(turn) {
		case "L":
			node, height = late, lateBlock
		case "E":
			node, height = empty, lateBlock
		}
		page, err := node.read(s.t.Context(), query)
		if err == nil && turn == strings.ToUpper(turn) {
			page.Block.Height = height
		}
		return page, err
	}
}

// TestEndOfAWalk: it counts if a node reports it that is not behind. The current node has 10 records, the late one the
// 6 oldest of them, and pages have 4.
func TestEndOfAWalk(t *testing.T) {
	for _, c := range []struct {
		turns, why string
		records    int
		requests   int
		warning    string
	}{
		{"C", "one node", 10, 4, ""},
		{"c", "one node without blocks", 10, 4, ""},
		{"LLC", "the end is asked for again, and a current node has more", 10, 5, ""},
		{"llc", "two late ones, then a current one, without blocks", 10, 5, ""},
		{"CLLLC", "only the third try reaches the current node again", 10, 7, ""},
		{"CCCL", "the current node has reported the end before", 10, 4, ""},
		{"CL", "only the first page is from the current node", 6, 7,
			"the list of margin levels may not be complete: its end is from a node at block 100, and another node is at block 160"},
		{"CCE", "a node has lost everything", 7, 8,
			"the list of margin levels may not be complete: its end is from a node at block 100, and another node is at block 160"},
		{"cce", "a node without blocks has lost everything", 7, 8,
			"the list of margin levels may not be complete: its end is from a node that does not have all records of the pages before"},
		{"ccl", "a node without blocks that does not have the last record", 7, 8,
			"the list of margin levels may not be complete: its end is from a node that does not have all records of the pages before"},
	} {
		t.Run(c.why, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newService(t)
				s.put(6, 1)
				s.behindOneAddress(c.turns)
				for market := 6; market < 10; market++ {
					s.PutMargins(record(market, int64(market+1)))
				}
				walked, err := s.lister().Walk(t.Context(), model.PageRequest{Size: 4}, 0)
				if err != nil || len(walked.Records) != c.records || walked.Warning != c.warning || len(s.queries) != c.requests {
					t.Errorf("%d records after %d requests, %q, %v", len(walked.Records), len(s.queries), walked.Warning, err)
				}
				if s.queries[0].OwnConnection || !s.queries[len(s.queries)-1].OwnConnection {
					t.Errorf("the queries are %+v", s.queries) // a new connection may reach another node
				}
				if walked.IsIncomplete != (c.warning != "") {
					t.Errorf("incomplete %t", walked.IsIncomplete)
				}
			})
		})
	}
}

// TestEndOfAnEmptyList is asked for again, too.
func TestEndOfAnEmptyList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.behindOneAddress("LC")
		s.put(3, 1)
		if got, warning := s.walk(model.PageRequest{Size: 4}, 0); len(got) != 3 || warning != "" {
			t.Errorf("%q and the warning %q", got, warning)
		}
		s = newService(t)
		if got, warning := s.walk(model.PageRequest{Size: 4}, 0); len(got) != 0 || warning != "" || len(s.queries) != 2 {
			t.Errorf("%q and the warning %q after %d requests", got, warning, len(s.queries))
		}
		s = newService(t)
		s.respond = func(_ endpoint.PageQuery, number int) (*endpoint.Page, error) { return madeUp(number > 1, false), nil }
		if got, _ := s.walk(model.PageRequest{Size: 4}, 0); len(got) != 0 {
			t.Errorf("%q of a service that reports more than nothing", got)
		}
	})
}

// TestWalkWithoutTimeToAskAgain has the records that it has read, instead of an error at the deadline.
func TestWalkWithoutTimeToAskAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.put(6, 1)
		s.behindOneAddress("CL")
		s.put(6, 11)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		walked, err := s.lister().Walk(ctx, model.PageRequest{Size: 3}, 0)
		if err != nil || len(walked.Records) == 0 || !walked.IsIncomplete {
			t.Errorf("%d records, incomplete %t, %v", len(walked.Records), walked.IsIncomplete, err)
		}
	})
}

// TestWalkAmongNodesOfWhichOneIsLate: each connection reaches a node at random. A walk either has all records, or says
// that it may not.
func TestWalkAmongNodesOfWhichOneIsLate(t *testing.T) {
	complete := 0
	const walks = 30
	for seed := range uint64(walks) {
		play(t, sim.Config{}, func(n *network) {
			n.StartReplicas(0, time.Minute, 0)
			n.RouteConnections(seed)
			for market := range 300 {
				n.PutMargins(record(market, time.Now().UnixNano()))
				time.Sleep(time.Second)
			}
			ctx, cancel := context.WithTimeout(n.t.Context(), time.Minute)
			defer cancel()
			walked, err := n.lister.Walk(ctx, model.PageRequest{Size: 100}, 0)
			if err != nil || len(walked.Records) < 300 && !walked.IsIncomplete {
				n.t.Errorf("seed %d: %d records, incomplete %t, %v", seed, len(walked.Records), walked.IsIncomplete, err)
			}
			if len(walked.Records) == 300 {
				complete++
			}
		})
	}
	if complete < walks*9/10 {
		t.Errorf("%d of %d walks have all records", complete, walks)
	}
}

// TestRefreshReadsTheEndAgain if a node that is behind has reported it, or if fewer records came than before, and else
// not.
func TestRefreshReadsTheEndAgain(t *testing.T) {
	const once, again = "oldest", "oldest, oldest after"
	for _, c := range []struct {
		turns, why string // of the second pass that reads everything
		queries    string
		records    int
		whole      int
	}{
		{"C", "a current node", once, 10, 2},
		{"c", "a node without blocks", once, 10, 2},
		{"LC", "a node that is behind, then a current one", again, 10, 2},
		{"lc", "fewer records, then all", again, 10, 2},
		{"c", "no node with a block", once, 10, 2},
		{"L", "nodes that are behind", again, 6, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s.put(6, 1)
			s.behindOneAddress("C")
			for market := 6; market < 10; market++ {
				s.PutMargins(record(market, int64(market+1)))
			}
			r := s.refresh(model.Scope{})
			defer r.stop()
			r.pass(walkEvery - time.Second)
			clear(r.records)
			s.mu.Lock()
			if strings.ToLower(c.turns) == c.turns {
				r.newest = 0
			}
			s.turns, s.turned = c.turns, len(s.queries)
			s.mu.Unlock()
			r.ended = 0
			got := r.pass(2 * time.Second)
			if got != c.queries || len(r.records) != c.records || r.whole != c.whole || r.ended != c.whole-1 {
				t.Errorf("%s: the queries are %s, with %d records; %d passes are whole, %d have ended", c.why, got, len(r.records), r.whole, r.ended)
			}
			if isBehind := errors.Is(r.err, errBehind); isBehind != (c.whole == 1) {
				t.Errorf("%s: the problem is %v", c.why, r.err)
			}
			s.mu.Lock()
			s.turns, s.turned = "C", len(s.queries)
			s.mu.Unlock()
			if r.pass(againAfter + model.MarginRefresh); r.whole != 2 || len(r.records) != 10 || r.err != nil {
				t.Errorf("%s: later, %d passes are whole, with %d records, and the problem is %v", c.why, r.whole, len(r.records), r.err)
			}
		})
	}
}

// TestRefreshReadsTheBeginningAgain if the node that has sent it is behind: new records are there.
func TestRefreshReadsTheBeginningAgain(t *testing.T) {
	for _, c := range []struct {
		turns, queries string
		wantsAll       bool
	}{
		{"C", "newest", true},
		{"LC", "newest, newest", true},
		{"L", "newest, newest", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s.put(6, 1)
			s.behindOneAddress("C")
			r := s.refresh(model.Scope{})
			defer r.stop()
			r.pass(time.Second)
			s.PutMargins(record(3, 100))
			s.mu.Lock()
			s.turns, s.turned = c.turns, len(s.queries)
			s.mu.Unlock()
			r.ended = 0
			if got := r.pass(model.MarginRefresh); got != c.queries || (r.err == nil) != c.wantsAll || (r.ended == 1) != c.wantsAll {
				t.Errorf("%s: the queries are %s; %d passes have ended, and the problem is %v", c.turns, got, r.ended, r.err)
			}
			if c.wantsAll {
				r.wantAll()
			}
		})
	}
}
