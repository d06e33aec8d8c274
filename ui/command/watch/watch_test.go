package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/modeltest"
	"blotter/ui/command/cli"
	"blotter/ui/export"
)

// script is a source that sends deltas, and then nothing. It has pages of margin levels, and then fails to read more.
type script struct {
	deltas []book.Delta
	pages  []*model.Page
}

func (s *script) Watch([]model.Subscription) {}

func (s *script) Next(ctx context.Context) (book.Delta, error) {
	if len(s.deltas) == 0 {
		<-ctx.Done()
		return book.Delta{}, ctx.Err()
	}
	next := s.deltas[0]
	s.deltas = s.deltas[1:]
	return next, nil
}

func (s *script) WatchMargins(model.Scope)        {}
func (s *script) HurryMargins([]model.ID)         {}
func (s *script) RequestAudit(model.Subscription) {}
func (s *script) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	if len(s.pages) > 0 {
		page := s.pages[0]
		s.pages = s.pages[1:]
		return book.MarginsRead{Page: page, Whole: len(s.pages) == 0}, nil
	}
	select {
	case <-time.After(model.MarginRetry):
		return book.MarginsRead{Err: errors.New("no margin levels here")}, nil
	case <-ctx.Done():
		return book.MarginsRead{}, ctx.Err()
	}
}

// snapshot returns a snapshot of everything.
func snapshot(rows ...string) book.Delta {
	all := book.NewRows()
	for _, row := range modeltest.Positions(rows...) {
		all.Put(&row)
	}
	return book.Delta{Links: links(nil), Snapshots: []book.Snapshot{{AsIs: true, NotAfter: modeltest.NotAfter, Rows: all}}}
}

func update(rows ...string) book.Delta {
	return book.Delta{
		Links:   links(nil),
		Updates: []book.Updates{{Positions: modeltest.Positions(rows...), NotAfter: modeltest.NotAfter}},
	}
}

// links is the state of one subscription, which is complete if it has no problem.
func links(problem *model.Problem) []model.Link {
	return []model.Link{{Committed: problem == nil, MessageAt: time.Now(), Problem: problem}}
}

// watched is a watch of all positions that match a query, with the warnings that it gives.
type watched struct {
	*Watch
	*script
	warnings []string
}

func start(t *testing.T, query string, deltas ...book.Delta) *watched {
	t.Helper()
	parsed, err := filter.Parse(query)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{script: &script{deltas: deltas}}
	w.Watch = New(w.script, model.Scope{}.Subscriptions(nil, 1), Options{
		Query: parsed, Instruments: model.NewInstruments(nil, nil, nil), Zone: time.UTC, Limit: 100,
		Warn: func(err error) { w.warnings = append(w.warnings, err.Error()) },
	})
	return w
}

func (w *watched) shown() string {
	var markets []string
	for _, row := range w.Rows() {
		markets = append(markets, row.Key().Market.String())
	}
	return strings.Join(markets, " ")
}

func TestSnapshotHasTheRowsThatMatch(t *testing.T) {
	w := start(t, "market:b|d", snapshot("b 1", "c 2", "d 3"))
	if err := w.Snapshot(t.Context(), time.Second); err != nil || w.shown() != "b d" || len(w.warnings) > 0 {
		t.Errorf("%v; the markets are %s; the warnings are %v", err, w.shown(), w.warnings)
	}
}

// TestTheWarningOfRowsLeftOutCountsNoRowTwice: it names the limit, because a row that is left out may come again.
func TestTheWarningOfRowsLeftOutCountsNoRowTwice(t *testing.T) {
	w := start(t, "")
	for i := range w.Limit {
		w.Apply(update(fmt.Sprint(i, " 1")))
	}
	w.Apply(update("b 1"))
	w.Apply(update("b 2"))
	w.WarnOfRowsLeftOut()
	want := "there are more positions than 100: the others are left out; feed.rows in the configuration is the limit"
	if !slices.Equal(w.warnings, []string{want}) {
		t.Errorf("the warnings are %q, want %q", w.warnings, want)
	}
}

func TestErrorsOfASnapshot(t *testing.T) {
	down := &model.Problem{Address: "http://a", Words: "connection refused"}
	busy := &model.Problem{Address: "http://a", Status: 429, Words: "slow down"}
	unsent := &model.Problem{Address: "http://a", Words: "the token is not sent", NotSent: true}
	for name, test := range map[string]struct {
		link model.Link
		code int
		want string
	}{
		"no response": {model.Link{}, cli.ExitUnavailable, "no complete snapshot within 10s: no response"},
		"one page": {model.Link{StagedRows: 20, StagedPages: 1}, cli.ExitUnavailable,
			"no complete snapshot within 10s: received 20 positions on 1 page"},
		"no last page": {model.Link{Partial: true, StagedRows: 20, StagedPages: 1}, cli.ExitUnavailable,
			"no complete snapshot within 10s: PARTIAL: the service has sent 20 positions and not the last page of its snapshot"},
		"nor after an outage": {model.Link{Committed: true, Partial: true, StagedRows: 1}, cli.ExitUnavailable,
			"no complete snapshot within 10s: PARTIAL: the service has sent 1 position and not the last page of its snapshot"},
		"outage": {model.Link{Problem: down}, cli.ExitUnavailable, "no complete snapshot within 10s: http://a: connection refused"},
		"refused": {model.Link{Phase: model.Refused, Problem: &model.Problem{Address: "http://a", Status: 401, Words: "who?"}},
			cli.ExitRefused, "http://a: the service responded with 401: who?"},
		"refused without a status": {model.Link{Phase: model.Refused, Problem: down}, cli.ExitRefused, "http://a: connection refused"},
		"refused on this side":     {model.Link{Phase: model.Refused, Problem: unsent}, cli.ExitUsage, "http://a: the token is not sent"},
		"limited for longer": {model.Link{ByService: true, RetryAt: time.Date(2000, 1, 1, 0, 1, 0, 0, time.UTC), Problem: busy},
			cli.ExitUnavailable,
			"http://a: the service responded with 429: slow down; the next request is allowed in 1m0s, which is longer than the rest of the timeout"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			w := start(t, "", book.Delta{Links: []model.Link{test.link}})
			if err := w.Snapshot(ctx, 10*time.Second); err == nil || err.Error() != test.want || cli.ExitCode(err) != test.code {
				t.Errorf("%s: %v (exit code %d)", name, err, cli.ExitCode(err))
			}
		})
	}
}

// TestOneWarningOfEachOutage, however many deltas it takes.
func TestOneWarningOfEachOutage(t *testing.T) {
	broken := links(&model.Problem{Address: "http://a", Words: "connection refused"})
	broken[0].StaleSince = time.Now()
	w := start(t, "", book.Delta{Links: broken}, book.Delta{Links: broken}, snapshot("b 1"), book.Delta{Links: broken}, book.Delta{})
	applied := 0
	ended := errors.New("enough")
	err := w.Follow(t.Context(), w.script, func() error {
		if applied++; applied == 5 {
			return ended
		}
		return nil
	})
	want := "http://a: connection refused; trying again"
	if err != ended || !slices.Equal(w.warnings, []string{want, want}) {
		t.Errorf("%v; the warnings are %q", err, w.warnings)
	}
}

// TestSnapshotsWithoutALastPageAreFollowed, with one warning for each.
func TestSnapshotsWithoutALastPageAreFollowed(t *testing.T) {
	partial := update("b 1")
	partial.Updates[0].BeginsPartial = true
	partial.Links = []model.Link{{Partial: true, StagedRows: 1, MessageAt: time.Now()}}
	w := start(t, "", partial, partial, snapshot("b 1", "c 2"), partial)
	if err := w.Begin(t.Context(), time.Second); err != nil || w.shown() != "b" {
		t.Errorf("%v; the markets are %s", err, w.shown())
	}
	ended := errors.New("enough")
	err := w.Follow(t.Context(), w.script, func() error {
		if len(w.deltas) == 0 {
			return ended
		}
		return nil
	})
	want := "PARTIAL: the service has sent 1 position and not the last page of its snapshot; positions may be missing"
	if err != ended || !slices.Equal(w.warnings, []string{want}) || w.shown() != "b c" {
		t.Errorf("%v; the warnings are %q; the markets are %s", err, w.warnings, w.shown())
	}
}

// TestWriteChanges of a position that changes, one that no longer matches, and one that is gone.
func TestWriteChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		partial := update("c 1 @12")
		partial.Updates[0].BeginsPartial = true
		w := start(t, "size>3r", snapshot("b 5 @10", "c 6 @10", "d 7 @10"), update("b 8 @11"), update("c 1 @12"), snapshot("b 8 @11"), partial)
		if err := w.Snapshot(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var output bytes.Buffer
		lines := export.NewPositionLines(export.Options{Instruments: w.Instruments, Columns: []string{"market", "size"}})
		if err := w.WriteChanges(ctx, w.script, w.Rows(), &output, lines, func(int) {}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		want := `{"marketId":"b","openVolume":"8"}
{"marketId":"c","partyId":"a","removed":true}
{"marketId":"d","partyId":"a","removed":true}
`
		if output.String() != want || w.Figures.Rows.Load() != 1 || w.Figures.UnsentRows.Load() != 1 {
			t.Errorf("%d rows, %d not sent again:\n%s", w.Figures.Rows.Load(), w.Figures.UnsentRows.Load(), &output)
		}
	})
}

func TestUntil(t *testing.T) {
	for name, test := range map[string]struct {
		query string
		code  int
		want  string // the error
	}{
		"a match":        {"size>7r", cli.ExitDone, ""},
		"no match":       {"size>9r", cli.ExitNoMatch, "no position has matched within 30s"},
		"margins needed": {"m%<-20", cli.ExitUnavailable, "no position has matched within 30s, but the margin levels could not be read: no margin levels here"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			w := start(t, test.query, snapshot("b 5 @10"), update("b 8 @11"))
			err := w.Until(ctx, w.script, 30*time.Second)
			if cli.ExitCode(err) != test.code || err != nil && err.Error() != test.want {
				t.Errorf("%s: %v (exit code %d)", name, err, cli.ExitCode(err))
			}
		})
	}
}

// TestUntilReadsAllPagesOfMarginLevelsAtOnce, also if no position changes meanwhile.
func TestUntilReadsAllPagesOfMarginLevelsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 10 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		w := start(t, "m%<1", snapshot("b 5 @10"))
		key := modeltest.Positions("b 5 @10")[0].Key
		for page := range 100 {
			levels := model.MarginLevels{
				MarginKey:   model.MarginKey{Key: model.Key{Party: key.Party, Market: model.MakeID(fmt.Sprint(page))}, Asset: model.MakeID("usdt")},
				Maintenance: model.AmountOf(5), Timestamp: model.AmountOf(time.Now().UnixNano()),
			}
			if page == 99 {
				levels.Key, levels.Timestamp = key, model.AmountOf(10)
			}
			w.pages = append(w.pages, &model.Page{ReadAt: time.Now(), Rows: []model.MarginLevels{levels}})
		}
		if err := w.Until(ctx, w.script, timeout); err != nil {
			t.Error(err)
		}
	})
}

// behind makes a delta one of a node that is behind.
func behind(delta book.Delta, by time.Duration) book.Delta {
	delta.Links[0].Address = "http://a"
	delta.Links[0].Lag = model.Lag{By: by, Shown: model.LagOfRows}
	return delta
}

// written returns what WriteChanges writes of the deltas after the first one, as markets with sizes: "b 5, -b".
func written(t *testing.T, w *watched) string {
	t.Helper()
	if err := w.Snapshot(t.Context(), time.Second); err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	lines := export.NewPositionLines(export.Options{Instruments: w.Instruments})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(time.Minute, cancel)
	if err := w.WriteChanges(ctx, w.script, w.Rows(), &output, lines, func(int) {}); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(output.String()) {
		var row struct {
			MarketID, OpenVolume string
			Removed              bool
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Removed {
			all = append(all, "-"+row.MarketID)
		} else {
			all = append(all, row.MarketID+" "+row.OpenVolume)
		}
	}
	return strings.Join(all, ", ")
}

// TestFollowedPositionsDoNotGoBack: a state that is older than one that was written is not written, nor that a position
// is gone that an older node does not have. There is one warning, with the lag.
func TestFollowedPositionsDoNotGoBack(t *testing.T) {
	for _, by := range []time.Duration{40 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			w := start(t, "size>0", snapshot("b 5 @20", "c 2 @20", "d 1 @20"), behind(snapshot("b 3 @10", "c 4 @21"), by),
				behind(update("b 4 @11"), by), behind(update("b -4 @12"), by), snapshot("b 5 @20", "c 4 @21", "d 1 @20"),
				update("b 6 @22", "c -1 @22"), behind(snapshot("b 5 @20", "c 4 @21", "d 1 @20"), by), snapshot("b 6 @22", "d 1 @20"))
			if got, want := written(t, w), "c 4, b 6, -c"; got != want {
				t.Errorf("behind by %s: %q is written, want %q", by, got, want)
			}
			want := "http://a: the node is 40s behind"
			if by > time.Minute {
				want = "http://a: the node is 1h0m0s behind: positions may be out of date"
			}
			if !slices.Equal(w.warnings, []string{want, want}) {
				t.Errorf("the warnings are %q", w.warnings)
			}
		})
	}
}

// TestUpdatesThatComeLateAreWarnedOf once each time that they begin to come late.
func TestUpdatesThatComeLateAreWarnedOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := func(delta book.Delta, by time.Duration) book.Delta {
			link := snapshot().Links[0]
			link.LateBy, link.Address = by, "http://a"
			delta.Links = []model.Link{link}
			return delta
		}
		w := start(t, "size>0", snapshot("b 5 @20"), late(update("b 6 @21"), 12*time.Second), late(update("b 7 @22"), 14*time.Second),
			late(update("b 8 @23"), 0), late(update("b 9 @24"), 7*time.Second))
		if got, want := written(t, w), "b 6, b 7, b 8, b 9"; got != want {
			t.Errorf("%q is written, want %q", got, want)
		}
		want := []string{"http://a: the updates come late: the last ones were 12s old", "http://a: the updates come late: the last ones were 7s old"}
		if !slices.Equal(w.warnings, want) {
			t.Errorf("the warnings are %q", w.warnings)
		}
	})
}

// TestWhatWasPostponedIsWritten when the node is no longer behind, also if the position does not change again.
func TestWhatWasPostponedIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := start(t, "", snapshot("b 5 @20", "c 2 @20"), behind(snapshot("b 3 @10"), time.Hour), update(), update())
		if got := written(t, w); got != "b 3, -c" {
			t.Errorf("%q is written", got)
		}
	})
}

// TestEventsAreFoundOnce, also if an older node shows them again.
func TestEventsAreFoundOnce(t *testing.T) {
	var events []string
	w := start(t, "", snapshot("b 5 @20", "c 2 @20"), update("b -3 @21"), behind(snapshot("b 5 @20", "c 2 @20"), time.Hour),
		behind(update("b -3 @21"), time.Hour), snapshot("b -3 @21", "c 0 @22"), update("b -4 @23"))
	w.ObserveEvents(func(e event.Event) {
		events = append(events, e.Market.String()+" "+strings.Join(e.Kinds.Names(), " "))
	})
	for _, delta := range w.deltas {
		w.Apply(delta)
	}
	if got, want := strings.Join(events, ", "), "b flipped, c closed, b grown"; got != want {
		t.Errorf("the events are %q, want %q", got, want)
	}
}

// TestUntilUsesNoRowsThatAreOutOfDate: they do not match, are not left in the book to be printed, and without a match
// the exit code says that some could not be compared.
func TestUntilUsesNoRowsThatAreOutOfDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 20 * time.Second
		until := func(deltas ...book.Delta) (*watched, error) {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			w := start(t, "size>0", deltas...)
			return w, w.Until(ctx, w.script, timeout)
		}
		for by, want := range map[time.Duration]string{
			time.Hour: "no position has matched within 20s, but http://a: the node is 1h0m0s behind: positions may be out of date",
			0:         "no position has matched within 20s",
		} {
			code := map[bool]int{true: cli.ExitUnavailable, false: cli.ExitNoMatch}[by > 0]
			size := map[bool]string{true: "b 5 @20", false: "b -5 @20"}[by > 0]
			if _, err := until(behind(snapshot(size), by)); err == nil || err.Error() != want || cli.ExitCode(err) != code {
				t.Errorf("behind by %s: %v (exit code %d)", by, err, cli.ExitCode(err))
			}
		}
		if w, err := until(behind(snapshot("b 5 @20"), 40*time.Second)); err != nil || w.shown() != "b" ||
			!slices.Equal(w.warnings, []string{"http://a: the node is 40s behind"}) {
			t.Errorf("a little behind: %v; the markets are %q; the warnings are %q", err, w.shown(), w.warnings)
		}
	})
}

// TestUntilLeavesOnlyUsableRows: of two streams one is out of date, and its rows match too.
func TestUntilLeavesOnlyUsableRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		scope := model.Scope{Markets: []model.ID{model.MakeID("b"), model.MakeID("c")}}
		subscriptions := scope.Subscriptions(nil, 1)
		var both book.Delta
		for i, market := range []string{"b", "c"} {
			rows := book.NewRows()
			p := modeltest.Position(market + " 5 @20")
			rows.Put(&p)
			both.Snapshots = append(both.Snapshots, book.Snapshot{AsIs: true, Subscription: subscriptions[i], Rows: rows})
			both.Links = append(both.Links, model.Link{Subscription: subscriptions[i], Committed: true, MessageAt: time.Now()})
		}
		both.Links[0].StaleSince = time.Now()
		w := start(t, "size>0", both)
		w.Watch = New(w.script, subscriptions, Options{Scope: scope, Query: w.Query, Instruments: w.Instruments, Zone: time.UTC, Warn: w.Warn})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := w.Until(ctx, w.script, time.Minute); err != nil || w.shown() != "c" {
			t.Errorf("%v; the markets are %q", err, w.shown())
		}
	})
}

// TestUntilUsesNoRowsThatWereNotSentAgain: a stream has begun anew, and the last page of its snapshot does not come.
func TestUntilUsesNoRowsThatWereNotSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		until := func(rest ...book.Delta) (*watched, error) {
			partial := update("c -5 @21")
			partial.Updates[0].BeginsPartial = true
			partial.Links = []model.Link{{Committed: true, Partial: true, MessageAt: time.Now()}}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			w := start(t, "size>0", append([]book.Delta{behind(snapshot("b 5 @20", "c 5 @20"), time.Hour), partial}, rest...)...)
			return w, w.Until(ctx, w.script, 20*time.Second)
		}
		if w, err := until(); err == nil || cli.ExitCode(err) != cli.ExitUnavailable {
			t.Errorf("%v; the markets are %q", err, w.shown())
		}
		if w, err := until(update("c 6 @22")); err != nil || w.shown() != "c" {
			t.Errorf("%v; the markets are %q", err, w.shown())
		}
	})
}

// TestTimesOfDayAreInTheZoneOfTheTrader: it is 5:30 there and 0:00 UTC, and the row has changed an hour ago.
func TestTimesOfDayAreInTheZoneOfTheTrader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		row := fmt.Sprintf("b 5 @%d", time.Now().Add(-time.Hour).UnixNano())
		for query, want := range map[string]string{"updated>05:00": "", "updated>04:00": "b"} {
			w := start(t, query, snapshot(row))
			w.Zone = time.FixedZone("IST", 5*3600+1800)
			if err := w.Snapshot(t.Context(), time.Second); err != nil || w.shown() != want {
				t.Errorf("%s: %v; the markets are %q", query, err, w.shown())
			}
		}
	})
}
