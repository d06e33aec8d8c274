package metrics

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"blotter/model"
)

func scrape(t *testing.T, source Source) string {
	t.Helper()
	response := httptest.NewRecorder()
	Handler(source).ServeHTTP(response, httptest.NewRequest("GET", "/metrics", nil))
	if response.Code != 200 {
		t.Fatalf("%d %s", response.Code, response.Body)
	}
	return response.Body.String()
}

// checkLines checks that a scrape has these lines.
func checkLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("there is no %s in\n%s", line, text)
		}
	}
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		party := model.MakeID("a1")
		now := time.Now()
		link := model.Link{
			Subscription: model.Subscription{Key: model.Key{Party: party}},
			Phase:        model.Live, Committed: true, MessageAt: now, StagedRows: 50,
			Attempt: 3, Tries: 7, Audits: 2, UnauditedRows: 8, LateBy: 95 * time.Second, Messages: 1 << 40, Bytes: 9, Changes: 4, LeftOut: 5, Unrequested: 6,
			Lag: model.Lag{By: 90 * time.Second, Shown: model.LagOfUpdates},
		}
		connecting := model.Link{Subscription: model.Subscription{Key: model.Key{Market: model.MakeID("m1\xff")}}}
		book := new(Book)
		source := Source{
			Links:       func() []model.Link { return []model.Link{link, connecting} },
			Instruments: model.NewInstruments([]model.Party{{ID: party, Name: "desk-1"}}, nil, nil),
			Book:        book, Version: "1.2.3",
		}
		book.Rows.Store(49)
		book.Corrections.Add(1)
		book.AlertRules.Store(3)
		book.RowsWaiting.Store(8)
		book.UnsentRows.Store(17)
		time.Sleep(2500 * time.Millisecond)
		text := scrape(t, source)
		checkLines(t, text,
			`blotter_build_info{version="1.2.3"} 1`,
			`blotter_rows 49`,
			`blotter_unsent_rows 17`,
			`blotter_corrections_total 1`,
			`blotter_alert_rules 3`,
			`blotter_alert_waiting_rows 8`,
			`blotter_subscription_freshness{freshness="BEHIND",market="",party="desk-1"} 1`,
			`blotter_subscription_freshness{freshness="LIVE",market="",party="desk-1"} 0`,
			`blotter_subscription_freshness{freshness="CONNECTING",market="m1�",party=""} 1`,
			`blotter_subscription_phase{market="",party="desk-1",phase="live"} 1`,
			`blotter_subscription_phase{market="",party="desk-1",phase="refused"} 0`,
			`blotter_subscription_phase{market="m1�",party="",phase="connecting"} 1`,
			`blotter_subscription_last_received_seconds{market="",party="desk-1"} 2.5`,
			`blotter_subscription_behind_seconds{market="",party="desk-1"} 90`,
			`blotter_subscription_late_seconds{market="",party="desk-1"} 95`,
			`blotter_subscription_out_of_date{market="",party="desk-1"} 1`,
			`blotter_subscription_retry{market="",party="desk-1"} 3`,
			`blotter_subscription_tries_total{market="",party="desk-1"} 7`,
			`blotter_subscription_audits_total{market="",party="desk-1"} 2`,
			`blotter_subscription_messages_total{market="",party="desk-1"} 1.099511627776e+12`,
			`blotter_subscription_bytes_total{market="",party="desk-1"} 9`,
			`blotter_subscription_snapshot_rows{market="",party="desk-1"} 50`,
			`blotter_subscription_unaudited_rows{market="",party="desk-1"} 8`,
			`blotter_subscription_waiting_changes{market="",party="desk-1"} 4`,
			`blotter_subscription_left_out_rows{market="",party="desk-1"} 5`,
			`blotter_subscription_unrequested_rows{market="",party="desk-1"} 6`,
		)
		if strings.Contains(text, `last_received_seconds{market="m1�"`) {
			t.Error("there is a time since the last message of a stream without messages")
		}
		if problems, err := promlint.New(strings.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
			t.Error(err, problems)
		}

		source.Book = nil
		if text := scrape(t, source); strings.Contains(text, "blotter_rows") || strings.Contains(text, "corrections") {
			t.Errorf("there are figures of a book that the source does not have:\n%s", text)
		}
		link.Phase, link.StaleSince = model.Refused, now
		checkLines(t, scrape(t, source),
			`blotter_subscription_freshness{freshness="STALE",market="",party="desk-1"} 1`,
			`blotter_subscription_phase{market="",party="desk-1",phase="refused"} 1`)
	})
}
