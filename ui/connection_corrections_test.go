package ui

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
)

// TestAnAuditIsReportedOnce, at its end, however many pages it has.
func TestAnAuditIsReportedOnce(t *testing.T) {
	var log bytes.Buffer
	onScreen(t, 80, 24, func(o *Options) {
		watchAll(o)
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		rows := deskRows()
		for i := range rows {
			rows[i].SetNumber(model.RealisedPnl, model.AmountOf(int64(-i-1)))
			page := book.AuditPage{Subscription: all, Positions: rows[i : i+1], First: i == 0, Last: i == len(rows)-1}
			s.publish(book.Delta{Audits: []book.AuditPage{page}})
			if i < len(rows)-1 && log.Len() > 0 {
				t.Fatalf("after %d pages the log has %q", i+1, log.String())
			}
		}
		s.sees("Audit corrected 10 rows: ")
		if got := strings.Count(log.String(), "\n"); got != 1 {
			t.Errorf("the log has %d lines: %q", got, log.String())
		}
	})
}
