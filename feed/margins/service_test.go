package margins

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"testing"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// service is a simulated service that is called without a network, because some tests send very many requests. What
// depends on connections is tested with a Pool, in pool_test.go.
type service struct {
	*sim.Node
	t       *testing.T
	before  func()               // called before each request
	respond respondFunc          // called first
	rewrite func(*endpoint.Page) // changes each page of the node

	mu      sync.Mutex
	queries []endpoint.PageQuery // all queries so far
	kinds   []endpoint.Kind
	turns   string // see behindOneAddress
	turned  int    // how many queries there were before
}

// respondFunc responds to a request, of which the first is number 1. The node responds if it returns nothing.
type respondFunc func(query endpoint.PageQuery, number int) (*endpoint.Page, error)

func newService(t *testing.T) *service {
	return &service{Node: sim.New(sim.Config{}), t: t}
}

func (s *service) lister() *Lister { return New(s, slog.New(slog.DiscardHandler)) }

// Page responds as package endpoint does.
func (s *service) Page(ctx context.Context, kind endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
	s.mu.Lock()
	before := s.before
	s.mu.Unlock()
	if before != nil {
		before()
	}
	s.mu.Lock()
	s.queries, s.kinds = append(s.queries, query), append(s.kinds, kind)
	try := len(s.queries)
	s.mu.Unlock()
	if s.respond != nil {
		if page, err := s.respond(query, try); page != nil || err != nil {
			return page, err
		}
	}
	page, err := s.read(ctx, query)
	if err == nil && s.rewrite != nil {
		s.rewrite(page)
	}
	return page, err
}

// read reads from the node.
func (s *service) read(ctx context.Context, query endpoint.PageQuery) (*endpoint.Page, error) {
	count, cursor := "pagination.first", "pagination.after"
	if query.Backward {
		count, cursor = "pagination.last", "pagination.before"
	}
	values := url.Values{count: {strconv.Itoa(query.Size)}, "pagination.newestFirst": {strconv.FormatBool(query.NewestFirst)}}
	for name, value := range map[string]string{
		cursor: query.Cursor, "partyId": query.Key.Party.String(), "marketId": query.Key.Market.String(),
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	request := httptest.NewRequest(http.MethodGet, wire.MarginPath+"?"+values.Encode(), nil).WithContext(ctx)
	response := httptest.NewRecorder()
	s.ServeHTTP(response, request)
	if response.Code != http.StatusOK {
		return nil, &endpoint.StatusError{Status: response.Code, Words: wire.ErrorText(response.Body.Bytes())}
	}
	page, err := wire.ReadMarginPage(response.Body, 1<<30)
	if err != nil {
		return nil, err
	}
	return &endpoint.Page{MarginPage: page}, nil
}

// fails responds with an error from one request until before another; requests count from 1.
func (s *service) fails(from, until int, err error) {
	s.respond = func(_ endpoint.PageQuery, try int) (*endpoint.Page, error) {
		if from <= try && try < until {
			return nil, err
		}
		return nil, nil
	}
}

// always is a request that is never reached, for fails.
const always = 1 << 40

// page reads a page. An error fails the test.
func (s *service) page(request model.PageRequest) *model.Page {
	s.t.Helper()
	page, err := s.lister().Page(s.t.Context(), request)
	if err != nil {
		s.t.Fatal(err)
	}
	return page
}

// walk reads all pages. An error fails the test.
func (s *service) walk(request model.PageRequest, limit int) (records []string, warning string) {
	s.t.Helper()
	walked, err := s.lister().Walk(s.t.Context(), request, limit)
	if err != nil {
		s.t.Fatal(err)
	}
	return namesOf(walked.Records), walked.Warning
}

// shows asserts which records are on a page.
func (s *service) shows(page *model.Page, want []string) {
	s.t.Helper()
	if got := namesOf(page.Rows); !slices.Equal(got, want) {
		s.t.Errorf("the page has %q, want %q", got, want)
	}
}

// fill puts the given number of records of each party into the service, with times in random order. With ties, four
// records on average have the same time.
func (s *service) fill(random *rand.Rand, each int, ties bool, parties ...string) {
	times := random.Perm(each * len(parties))
	for i, party := range parties {
		for j := range each {
			at := int64(times[i*each+j] + 1)
			if ties {
				at = at/4 + 1
			}
			s.PutMargins(sim.MarginLevels{Party: party, Market: fmt.Sprintf("%04x", j), Asset: "ee", Maintenance: "1", Timestamp: at})
		}
	}
}

// list returns the list of the parties in the requested order, by the records of the service; of all if there are
// none.
func (s *service) list(newestFirst bool, parties ...string) []string {
	records := slices.DeleteFunc(s.Margins(), func(m sim.MarginLevels) bool {
		return len(parties) > 0 && !slices.Contains(parties, m.Party)
	})
	if !newestFirst {
		slices.Reverse(records)
	}
	if len(parties) > 1 { // records of one time are in the order of the lists
		slices.SortStableFunc(records, func(a, b sim.MarginLevels) int {
			order := cmp.Compare(a.Timestamp, b.Timestamp)
			if newestFirst {
				order = -order
			}
			return cmp.Or(order, cmp.Compare(slices.Index(parties, a.Party), slices.Index(parties, b.Party)))
		})
	}
	var names []string
	for _, m := range records {
		names = append(names, fmt.Sprintf("%s/%s %d", m.Party, m.Market, m.Timestamp))
	}
	return names
}

// namesOf returns rows as "party/market timestamp".
func namesOf(rows []model.MarginLevels) []string {
	var names []string
	for i := range rows {
		names = append(names, fmt.Sprintf("%s/%s %s", rows[i].Party, rows[i].Market, rows[i].Timestamp))
	}
	return names
}

// ofParties returns a scope.
func ofParties(parties ...string) (scope model.Scope) {
	for _, party := range parties {
		scope.Parties = append(scope.Parties, model.MakeID(party))
	}
	return scope
}

// record returns the record of a market, at a time.
func record(market int, at int64) sim.MarginLevels {
	return sim.MarginLevels{Party: "aa", Market: fmt.Sprintf("%04x", market), Asset: "ee", Timestamp: at}
}

// madeUp returns a page of one party's records, the first of market 0, with these cursors.
func madeUp(hasNext, hasPrevious bool, cursors ...string) *endpoint.Page {
	page := &endpoint.Page{MarginPage: wire.MarginPage{Cursors: cursors, HasNext: hasNext, HasPrevious: hasPrevious}}
	for i := range cursors {
		var row model.MarginLevels
		row.Party, row.Market = model.MakeID("aa"), model.MakeID(fmt.Sprintf("%04x", i))
		row.Timestamp = model.AmountOf(int64(i + 1))
		page.Rows = append(page.Rows, row)
	}
	return page
}

func statusOf(err error) int {
	if status, ok := errors.AsType[*endpoint.StatusError](err); ok {
		return status.Status
	}
	return 0
}
