package margins

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/modeltest"
)

// began is a time of records.
var began = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// pageAt returns a page with the records of markets, at these seconds after began; a market without one is not there.
func pageAt(seconds map[int]int) *endpoint.Page {
	page := new(endpoint.Page)
	for market := range 10 {
		if at, ok := seconds[market]; ok {
			row := model.MarginLevels{}
			row.Party, row.Market = model.MakeID("aa"), model.MakeID(fmt.Sprintf("%04x", market))
			row.Timestamp = model.AmountOf(began.Add(time.Duration(at) * time.Second).UnixNano())
			page.Rows, page.Cursors = append(page.Rows, row), append(page.Cursors, fmt.Sprint(market))
		}
	}
	return page
}

// secondsOf returns the records as pageAt gets them.
func secondsOf(rows []model.MarginLevels) map[int]int {
	seconds := make(map[int]int)
	for i := range rows {
		var market int
		fmt.Sscanf(rows[i].Market.String(), "%x", &market)
		at, _ := rows[i].Timestamp.Time()
		seconds[market] = int(at.Sub(began) / time.Second)
	}
	return seconds
}

// TestASinglePageWithoutABlock is read over two connections, and both are read again if a record differs by five
// seconds or more.
func TestASinglePageWithoutABlock(t *testing.T) {
	same := map[int]int{1: 100, 2: 100, 3: 100}
	with := func(market, at int) map[int]int {
		changed := maps.Clone(same)
		changed[market] = at
		return changed
	}
	without := maps.Clone(same)
	delete(without, 3)
	for why, c := range map[string]struct {
		readings []map[int]int
		limit    int
		block    int64
		want     map[int]int
		requests int
		warning  string
	}{
		"equal":                   {[]map[int]int{same, same}, 0, 0, same, 2, ""},
		"four seconds":            {[]map[int]int{same, with(2, 104)}, 0, 0, with(2, 104), 2, ""},
		"the first is older":      {[]map[int]int{same, with(2, 105), with(2, 105), with(2, 105)}, 0, 0, with(2, 105), 4, ""},
		"the second is older":     {[]map[int]int{with(2, 105), same, with(2, 105), with(2, 105)}, 0, 0, with(2, 105), 4, ""},
		"one node stays behind":   {[]map[int]int{same, with(2, 105), same, with(2, 106)}, 0, 0, with(2, 106), 4, "1 of 3 margin levels"},
		"both are older again":    {[]map[int]int{same, with(2, 105), same, same}, 0, 0, with(2, 105), 4, "1 of 3 margin levels"},
		"one lacks a record":      {[]map[int]int{without, same, without, same}, 0, 0, same, 4, "1 of 3 margin levels"},
		"one has lost all":        {[]map[int]int{{}, same, {}, same}, 0, 0, same, 4, "3 of 3 margin levels"},
		"a record that has come":  {[]map[int]int{without, same, same, same}, 0, 0, same, 4, ""},
		"as far as the limit":     {[]map[int]int{same, with(3, 110), same, with(3, 110)}, 3, 0, with(3, 110), 4, "1 of 3 margin levels"},
		"a node that names block": {[]map[int]int{same, same}, 3, 7, same, 1, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s.respond = func(query endpoint.PageQuery, number int) (*endpoint.Page, error) {
				page := pageAt(c.readings[number-1])
				page.Block.Height, page.HasNext = c.block, c.limit > 0
				if query.OwnConnection != (number%2 == 0) {
					t.Errorf("%s: request %d has a connection of its own: %t", why, number, query.OwnConnection)
				}
				return page, nil
			}
			walked, err := s.lister().Walk(t.Context(), model.PageRequest{Size: 20}, c.limit)
			if got := secondsOf(walked.Records); err != nil || !maps.Equal(got, c.want) {
				t.Errorf("%s: the records are %v, want %v; %v", why, got, c.want, err)
			}
			if len(s.queries) != c.requests || walked.IsIncomplete != (c.warning != "") || !strings.Contains(walked.Warning, c.warning) {
				t.Errorf("%s: %d requests, incomplete %t, %q", why, len(s.queries), walked.IsIncomplete, walked.Warning)
			}
		})
	}
}

// TestASinglePageOfAnyTwoConnections: the records are the newest of all readings, and a warning comes if a record of
// the last two readings is missing or older than these by five seconds or more.
func TestASinglePageOfAnyTwoConnections(t *testing.T) {
	for seed := range uint64(modeltest.Times(200)) {
		random := rand.New(rand.NewPCG(seed, 5))
		readings := make([]map[int]int, 4)
		for i := range readings {
			readings[i] = make(map[int]int)
			for market := range 1 + random.IntN(3) {
				readings[i][market] = 100 + random.IntN(2)*random.IntN(9)
			}
		}
		s := newService(t)
		s.respond = func(_ endpoint.PageQuery, number int) (*endpoint.Page, error) { return pageAt(readings[number-1]), nil }
		walked, err := s.lister().Walk(t.Context(), model.PageRequest{Size: 20}, 0)
		newest, read, differs := make(map[int]int), 0, true
		for differs && read < 4 {
			differs = false
			for _, reading := range readings[read : read+2] {
				for market, at := range reading {
					newest[market] = max(newest[market], at)
				}
			}
			for _, reading := range readings[read : read+2] {
				for market, at := range newest {
					was, isThere := reading[market]
					differs = differs || !isThere || at-was >= 5
				}
			}
			read += 2
		}
		if got := secondsOf(walked.Records); err != nil || !maps.Equal(got, newest) || walked.IsIncomplete != differs || len(s.queries) != read {
			t.Fatalf("seed %d, of %v: %v after %d requests, incomplete %t; want %v, %d, %t; %v",
				seed, readings, got, len(s.queries), walked.IsIncomplete, newest, read, differs, err)
		}
	}
}

// TestTheOtherConnectionHasMore: then the walk goes on there.
func TestTheOtherConnectionHasMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.put(3, 1)
		s.behindOneAddress("lc")
		s.put(12, 20)
		if got, warning := s.walk(model.PageRequest{Size: 4}, 0); len(got) != 12 || warning != "" {
			t.Errorf("%q and the warning %q", got, warning)
		}
	})
}

// TestAPageWithoutABlockIsJudgedByItsRecords: if more than one of them, and more than one in a hundred, are older than
// they were read before, it is of a node that is behind.
func TestAPageWithoutABlockIsJudgedByItsRecords(t *testing.T) {
	for _, c := range []struct {
		rows, older int
		block       int64
		want        bool
	}{{10, 0, 0, false}, {10, 1, 0, false}, {10, 2, 0, true}, {10, 2, 9, false}, {200, 2, 0, false}, {200, 3, 0, true}, {199, 2, 0, true}} {
		w := walk{known: newKnown()}
		page := new(endpoint.Page)
		page.Block.Height = c.block
		for market := range c.rows {
			row := model.MarginLevels{Timestamp: model.AmountOf(began.UnixNano())}
			row.Market = model.MakeID(fmt.Sprint(market))
			if page.Rows = append(page.Rows, row); market < c.older {
				row.Timestamp = model.AmountOf(began.UnixMilli() + 1) // the service may count in other units
			}
			w.known.add(&row)
		}
		if got := w.hasOlder(page); got != c.want {
			t.Errorf("%d of %d records are older, block %d: behind %t", c.older, c.rows, c.block, got)
		}
		for i := range page.Rows {
			w.known.add(&page.Rows[i])
		}
		if got := w.hasOlder(page); got != c.want {
			t.Errorf("%d of %d records are older again, block %d: behind %t", c.older, c.rows, c.block, got)
		}
	}
}

// TestRefreshOfANodeBehindWithoutBlocks: a pass through the newest records, and one through all, does not count if it
// ends at a node that has older records than were read before; it is read again over another connection.
func TestRefreshOfANodeBehindWithoutBlocks(t *testing.T) {
	for _, c := range []struct {
		turns string
		after time.Duration
		ended bool
		err   string
	}{
		{"c", model.MarginRefresh, true, ""},
		{"lc", model.MarginRefresh, true, ""},
		{"l", model.MarginRefresh, false, "its beginning is from a node with older records than were read before"},
		{"l", walkEvery, false, "its end is from a node with older records than were read before"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s.put(10, began.UnixNano())
			s.behindOneAddress("c")
			s.put(10, began.Add(time.Minute).UnixNano())
			r := s.refresh(model.Scope{})
			defer r.stop()
			r.pass(c.after - time.Second)
			s.mu.Lock()
			s.turns, s.turned = c.turns, len(s.queries)
			s.mu.Unlock()
			before := r.ended
			r.pass(time.Second)
			r.mu.Lock()
			defer r.mu.Unlock()
			if got := fmt.Sprint(r.err); (r.ended > before) != c.ended || c.err != "" && !strings.HasSuffix(got, c.err) || c.err == "" && r.err != nil {
				t.Errorf("%s after %s: a pass has ended: %t; %s", c.turns, c.after, r.ended > before, got)
			}
		})
	}
}

// TestWalkWithALimitAmongNodesWithoutBlocks warns if a page has older records than the page before.
func TestWalkWithALimitAmongNodesWithoutBlocks(t *testing.T) {
	s := newService(t)
	s.put(6, began.UnixNano())
	s.behindOneAddress("cl")
	s.put(6, began.Add(time.Minute).UnixNano())
	_, warning := s.walk(model.PageRequest{Size: 4, NewestFirst: true}, 6)
	if want := "of which one is behind another"; !strings.Contains(warning, want) {
		t.Errorf("the warning is %q", warning)
	}
}
