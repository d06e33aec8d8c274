package ui

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/alerts"
	"blotter/ui/store"
)

// aBusyConnection has the page of a stream that sends, of which an audit has corrected three rows.
func aBusyConnection(s *screen) {
	s.publish(whole(all, deskRows()...))
	wrong, lost := worse("-50130"), position(desk2, dogeMarket, "700", "38410", "10", "0", model.StatusUnspecified, 60)
	s.publish(book.Delta{Audits: []book.AuditPage{{
		Subscription: all, Positions: append(deskRows()[2:], wrong, lost), First: true, Last: true, IsBelieved: true,
		NotAfter: time.Now().Add(time.Hour).UnixNano(),
	}}})
	link := liveLink(all)
	link.Since, link.Tries, link.Audits = time.Now().Add(-47*time.Minute), 3, 12
	link.Block = model.Block{Height: 70_123_456, Time: time.Now().Add(-time.Second)}
	link.BlockAt = time.Now()
	for range 7 {
		link.Messages, link.Bytes = link.Messages+120, link.Bytes+51_300
		link.MessageAt = time.Now()
		s.publish(book.Delta{Links: []model.Link{link}})
		s.pass(time.Second)
	}
	s.press("i")
}

func TestConnectionPageFollowsTheStream(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("i")
		s.sees("─ connection", "all parties · all markets  LIVE 0s", "received     0 messages, 0 B\n", "checks       none yet")
		link := liveLink(all)
		link.Auditing, link.Audits = true, 1
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("1 check, 0 corrections; one is under way")
		for range 60 {
			link.Messages, link.Bytes, link.MessageAt = link.Messages+3, link.Bytes+2000, time.Now()
			s.publish(book.Delta{Links: []model.Link{link}})
			s.pass(time.Second)
		}
		s.sees("180 messages, 3.0 a second; 120.0 kB, 2.0 kB a second")
		s.pass(11 * time.Second)
		s.sees("180 messages, 0.0 a second; 120.0 kB, 0 B a second")
	})
}

func TestConnectionPageShowsWhatTheServiceRefused(t *testing.T) {
	deskScreen(t, func(s *screen) {
		link := liveLink(all)
		link.Phase, link.Since, link.StaleSince = model.Refused, time.Now().Add(-time.Minute), time.Now().Add(-2*time.Minute)
		link.Problem = &model.Problem{Address: link.Address, Status: 404, Words: "not found", Refuse: true, Advice: "check the path of the address"}
		link.Attempt, link.RetryAt = 2, time.Now().Add(90*time.Second)
		s.publish(book.Delta{Links: []model.Link{link}})
		s.sees("STALE 2m", "Refused (404): not found; check the path of the address. Retry 2 in 2m.")
		s.press("i")
		s.sees("state        refused since 14:01:07 CET, 1m ago", "stale since  14:00:07 CET", "problem      responded with 404: not found",
			"next         Retry 2 in 2m", "advice       check the path of the address")
	})
}

func TestATextThatIsNoPartyIsNamed(t *testing.T) {
	unknown := func(o *Options) { o.Scope = model.Scope{Parties: []model.ID{desk1, model.MakeID("desk-99")}} }
	onScreen(t, 120, 24, unknown, func(s *screen) {
		delta := whole(s.m.store.Subscriptions()[0], deskRows()[:2]...)
		delta.Links = append(delta.Links, model.Link{
			Subscription: s.m.store.Subscriptions()[1], Phase: model.Refused,
			Problem: &model.Problem{Status: 400, Words: "not a valid hex id", Refuse: true, Advice: "check the party and the market"},
		})
		s.publish(delta)
		s.sees(`REFUSED`, ` "desk-99" is no name in the configuration and no identifier. Press p to choose another.`+"\n")
		s.seesNot("not a valid hex id")
		delta.Links[1].Problem.Status = 404 // which is not about the query
		s.publish(book.Delta{Links: delta.Links})
		s.sees("Refused (404): not a valid hex id; check the party and the market.")
	})
}

func TestOfManyStreamsTheWorstAreShown(t *testing.T) {
	var parties []model.ID
	for i := range 200 {
		parties = append(parties, model.MakeID(strings.Repeat("x", i%7)+fmt.Sprint(i)))
	}
	onScreen(t, 80, 24, func(o *Options) { o.Scope = model.Scope{Parties: parties} }, func(s *screen) {
		var links []model.Link
		for i, of := range s.m.store.Subscriptions() {
			link := liveLink(of)
			if i == 180 {
				link.StaleSince = time.Now().Add(-time.Minute)
			}
			links = append(links, link)
		}
		s.publish(book.Delta{Links: links})
		s.press("i")
		if first := s.lines()[3]; !strings.Contains(first, "STALE 1m") {
			t.Errorf("the first stream is %q, want the stale one:\n%s", first, s.text())
		}
		s.press("G", "end")
		for range 30 {
			s.press("pgdown")
		}
		s.sees("150 more streams, none in a worse state than these.")
	})
}

func TestCorrectionsCanBeLookedUp(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		correct := func(rows ...model.Position) {
			s.publish(book.Delta{Audits: []book.AuditPage{{
				Subscription: all, Positions: rows, First: true, Last: true, IsBelieved: true, NotAfter: time.Now().Add(time.Hour).UnixNano(),
			}}})
		}
		rows := deskRows()
		rows[0] = worse("-50130")
		rows[0].SetStatus([]byte("0"))
		correct(rows...)
		s.pass(time.Minute)
		correct(rows[1:]...)
		time.Sleep(24 * time.Hour)
		s.drain()
		correct(rows...)
		s.press("i")
		s.sees("corrected by checks, newest first")
		words := strings.Join(strings.Fields(s.text()), " ")
		for i, want := range []string{
			"14:03:07 CET  ETH/USDT  desk-1  was missing, size -10.000, entry price 3,410.10, uPnL -501.30",
			"2000-01-01 14:03:07 CET  ETH/USDT  desk-1  removed, size -10.000",
			"2000-01-01 14:02:07 CET  ETH/USDT  desk-1  uPnL -449.20 → -501.30, updated 14:02:05.000 → 14:02:07.000, status DISTRESSED → none",
		} {
			_, after, found := strings.Cut(words, strings.ReplaceAll(want, "  ", " "))
			if !found {
				t.Errorf("correction %d is not %q:\n%s", i, want, s.text())
				continue
			}
			words = after
		}
	})
}

// TestStatsAreReportedEachSecond for metrics: the rows in scope, also those that are not shown, and what audits
// corrected; the rules that are on, the rows that wait for a margin record, and those that were not sent again.
func TestStatsAreReportedEachSecond(t *testing.T) {
	var stats store.Stats
	onScreen(t, 120, 40, func(o *Options) {
		watchAll(o)
		o.Alerts = []alerts.Rule{distress, ruleOf("gain", "upnl>300", "")}
		o.Alerts[1].IsOff = true
		o.OnStats = func(now store.Stats) { stats = now }
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		wrong := deskRows()[0]
		wrong.SetNumber(model.OpenVolume, model.AmountOf(7))
		s.publish(book.Delta{Audits: []book.AuditPage{{
			Subscription: all, Positions: append([]model.Position{wrong}, deskRows()[1:]...), NotAfter: time.Now().Add(time.Hour).UnixNano(), First: true, Last: true, IsBelieved: true,
		}}})
		s.pass(2 * time.Second)
		if want := (store.Stats{Rows: len(deskRows()), Corrections: 1, Rules: 1, Waiting: 1}); stats != want {
			t.Errorf("the figures are %+v, want %+v", stats, want)
		}
		partial := updatesOf(all, deskRows()[:3]...)
		partial.Updates[0].BeginsPartial = true
		s.publish(partial)
		s.pass(2 * time.Second)
		if want := len(deskRows()) - 3; stats.Unsent != want {
			t.Errorf("%d rows are not sent again, want %d", stats.Unsent, want)
		}
	})
}

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
		s.sees("A check corrected 10 rows: ")
		if got := strings.Count(log.String(), "\n"); got != 1 {
			t.Errorf("the log has %d lines: %q", got, log.String())
		}
	})
}
