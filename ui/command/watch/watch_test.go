package watch

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/modeltest"
	"blotter/ui/command/exit"
	"blotter/ui/export"
)

// script is a source that sends deltas, and then nothing.
type script struct {
	deltas []book.Delta
}

func (s *script) Watch([]model.Subscription) {}

func (s *script) Next(ctx context.Context, _ bool) (book.Delta, error) {
	if len(s.deltas) == 0 {
		<-ctx.Done()
		return book.Delta{}, ctx.Err()
	}
	next := s.deltas[0]
	s.deltas = s.deltas[1:]
	return next, nil
}

func (s *script) Page(context.Context, model.PageRequest) (*model.Page, error) {
	return nil, errors.New("no margin levels here")
}

// snapshot returns a snapshot of everything.
func snapshot(rows ...string) book.Delta {
	all := book.NewRows()
	for _, row := range modeltest.Positions(rows...) {
		all.Put(&row)
	}
	return book.Delta{Links: links(nil), Snapshots: []book.Snapshot{{Rows: all}}}
}

func update(rows ...string) book.Delta {
	return book.Delta{
		Links:   links(nil),
		Updates: []book.Updates{{Positions: modeltest.Positions(rows...), NotAfter: modeltest.NotAfter}},
	}
}

// links is the state of one subscription, which is complete where it has no problem.
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
	w := &watched{script: &script{deltas}}
	w.Watch = New(w.script, model.Scope{}.Subscriptions(nil, 1), Options{
		Query: parsed, Instruments: model.NewInstruments(nil, nil, nil), Zone: time.UTC, Limit: 100,
		Warn: func(err error) { w.warnings = append(w.warnings, err.Error()) },
	})
	return w
}

func (w *watched) shown() string {
	var markets []string
	for _, row := range w.Rows() {
		markets = append(markets, row.Market.String())
	}
	return strings.Join(markets, " ")
}

func TestSnapshotHasTheRowsThatMatch(t *testing.T) {
	w := start(t, "market:b|d", snapshot("b 1", "c 2", "d 3"))
	if err := w.Snapshot(t.Context(), time.Second); err != nil || w.shown() != "b d" || len(w.warnings) > 0 {
		t.Errorf("%v; the markets are %s; the warnings are %v", err, w.shown(), w.warnings)
	}
}

func TestErrorsOfASnapshot(t *testing.T) {
	down := &model.Problem{Address: "http://a", Words: "connection refused"}
	busy := &model.Problem{Address: "http://a", Status: 429, Words: "slow down"}
	for name, test := range map[string]struct {
		link model.Link
		code int
		want string
	}{
		"no response": {model.Link{}, exit.CodeUnavailable, "no complete snapshot within 10s: no response"},
		"one page": {model.Link{StagedRows: 20, StagedPages: 1}, exit.CodeUnavailable,
			"no complete snapshot within 10s: received 20 positions on 1 page"},
		"no last page": {model.Link{Partial: true, StagedRows: 20, StagedPages: 1}, exit.CodeUnavailable,
			"no complete snapshot within 10s: PARTIAL: the service has sent 20 positions and not the last page of its snapshot"},
		"nor after an outage": {model.Link{Committed: true, Partial: true, StagedRows: 1}, exit.CodeUnavailable,
			"no complete snapshot within 10s: PARTIAL: the service has sent 1 position and not the last page of its snapshot"},
		"outage": {model.Link{Problem: down}, exit.CodeUnavailable, "no complete snapshot within 10s: http://a: connection refused"},
		"refused": {model.Link{Phase: model.Refused, Problem: &model.Problem{Address: "http://a", Status: 401, Words: "who?"}},
			exit.CodeRefused, "http://a: the service responded with 401: who?"},
		"refused on this side": {model.Link{Phase: model.Refused, Problem: down}, exit.CodeUsage, "http://a: connection refused"},
		"limited for longer": {model.Link{ByService: true, RetryAt: time.Date(2000, 1, 1, 0, 1, 0, 0, time.UTC), Problem: busy},
			exit.CodeUnavailable,
			"http://a: the service responded with 429: slow down; the next request is allowed in 1m0s, which is longer than the rest of the timeout"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			w := start(t, "", book.Delta{Links: []model.Link{test.link}})
			if err := w.Snapshot(ctx, 10*time.Second); err == nil || err.Error() != test.want || exit.CodeOf(err) != test.code {
				t.Errorf("%s: %v (exit code %d)", name, err, exit.CodeOf(err))
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
	err := w.Follow(t.Context(), func() error {
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
	err := w.Follow(t.Context(), func() error {
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
		w := start(t, "size>3r", snapshot("b 5 @10", "c 6 @10", "d 7 @10"), update("b 8 @11"), update("c 1 @12"), snapshot("b 8 @11"))
		if err := w.Snapshot(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var output bytes.Buffer
		lines := export.NewPositionLines(export.Options{Instruments: w.Instruments, Columns: []string{"market", "size"}})
		if err := w.WriteChanges(ctx, w.Rows(), &output, lines, func(int) {}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		want := `{"marketId":"b","openVolume":"8"}
{"marketId":"c","partyId":"a","removed":true}
{"marketId":"d","partyId":"a","removed":true}
`
		if output.String() != want || w.Figures.Rows.Load() != 1 {
			t.Errorf("%d rows:\n%s", w.Figures.Rows.Load(), &output)
		}
	})
}

func TestUntil(t *testing.T) {
	for name, test := range map[string]struct {
		query string
		code  int
		want  string // the error
	}{
		"a match":        {"size>7r", exit.CodeDone, ""},
		"no match":       {"size>9r", exit.CodeNoMatch, "no position has matched within 30s"},
		"margins needed": {"m%<-20", exit.CodeUnavailable, "no position has matched within 30s, but the margin levels could not be read: no margin levels here"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			w := start(t, test.query, snapshot("b 5 @10"), update("b 8 @11"))
			err := w.Until(ctx, w.script, 30*time.Second)
			if exit.CodeOf(err) != test.code || err != nil && err.Error() != test.want {
				t.Errorf("%s: %v (exit code %d)", name, err, exit.CodeOf(err))
			}
		})
	}
}
