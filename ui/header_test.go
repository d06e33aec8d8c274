package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/alerts"
	"blotter/ui/store"
)

// TestTheStateHasRoomBeforeNames: on a narrow screen the names of the service and of the program are cut or left out.
func TestTheStateHasRoomBeforeNames(t *testing.T) {
	quiet := func(l *model.Link) {
		l.MessageAt, l.VerifiedAt, l.PostponedUntil = time.Now().Add(-3*time.Minute), time.Now().Add(-time.Minute), time.Now().Add(time.Minute)
	}
	stale := func(l *model.Link) {
		l.StaleSince = time.Now().Add(-12 * time.Second)
	}
	behind := func(l *model.Link) {
		l.Lag = model.Lag{By: 2 * time.Minute, Shown: model.LagOfBlock}
	}
	partial := func(l *model.Link) {
		l.Partial, l.StagedRows = true, 50
	}
	for _, c := range []struct {
		width int
		state func(*model.Link)
		keys  []string
		want  string
	}{
		{40, func(*model.Link) {}, nil, " mainnet  LIVE 0s, not verified"},
		{60, func(*model.Link) {}, nil, " mainnet  LIVE 0s, not verified  all parties"},
		{40, quiet, nil, " QUIET 3m, not verified  all parties"},
		{40, stale, nil, " mainnet  STALE 12s      as of "},
		{40, stale, []string{"f"}, " mainnet  STALE 12s  FROZEN 0s"},
		{40, behind, nil, " mainnet  BEHIND 2m  all parties"},
		{40, partial, nil, " mainnet  PARTIAL 0s  all pa"},
		{80, quiet, nil, " blotter  mainnet  QUIET 3m, not verified  all parties"},
		{120, quiet, []string{"f"}, " blotter  mainnet  QUIET 3m, not verified  FROZEN 0s  all parties  "},
	} {
		onScreen(t, c.width, 24, watchAll, func(s *screen) {
			delta := whole(all, deskRows()...)
			delta.Audits = nil
			c.state(&delta.Links[0])
			s.publish(delta)
			s.press(c.keys...)
			if first := s.lines()[0]; !strings.HasPrefix(first, c.want) {
				t.Errorf("the first line of %d cells is\n%s\nwant\n%s", c.width, first, c.want)
			}
		})
	}
}

// TestAllPartiesAreThoseOfTheTrader, if the trader may see only some: one by its name, several by how many they are.
func TestAllPartiesAreThoseOfTheTrader(t *testing.T) {
	for _, c := range []struct {
		part model.Scope
		keys []string
		want string
	}{
		{model.Scope{Parties: []model.ID{desk1}}, nil, "  desk-1  "},
		{model.Scope{Parties: []model.ID{desk1, desk2}}, nil, "  your 2 parties  "},
		{model.Scope{Parties: []model.ID{desk1, desk2}}, []string{"g", "P"}, "  your 2 parties › desk-1  "},
		{model.Scope{Markets: []model.ID{ethMarket}}, nil, "  all parties in ETH/USDT  "},
		{model.Scope{Parties: []model.ID{desk1}, Markets: []model.ID{ethMarket, btcMarket}}, nil, "  desk-1 in your 2 markets  "},
	} {
		onScreen(t, 80, 24, func(o *Options) {
			watchAll(o)
			o.Extent = store.Part(c.part, 0, model.Scope.Subscriptions)
		}, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press(c.keys...)
			s.firstLine(c.want)
		})
	}
}

// TestAlertsLeaveRoomForTheState: names of alerts and other words are cut or left out, but not how old the rows are.
func TestAlertsLeaveRoomForTheState(t *testing.T) {
	broken := func(s *screen) {
		deskThen()(s)
		brokenLink(model.Waiting, 0, "connection lost (reset by peer)")(s)
	}
	loss, distress := ruleOf("loss of a day", "upnl<0", ""), ruleOf("distressed or worse", "status:distressed", "")
	for _, c := range []struct {
		width    int
		show     func(*screen)
		isReplay bool
		want     []string
	}{
		{80, deskThen(), false, []string{" mainnet  LIVE 1s  ALERT loss of a day 3, distresse…, 4 new  all parties"}},
		{80, broken, false, []string{" mainnet  STALE 47s  ALERT 4  ", "  as of 14:01:21 CET"}},
		{80, deskThen("/", "d", "e", "s", "k", "enter", "f"), false, []string{" mainnet  LIVE 1s  ALERT 4  FROZEN 0s  all parties › [desk]"}},
		{80, deskThen("f"), true, []string{"  REPLAY 14:02:08, was LIVE 1s  ALERT 4  FROZEN 0s  all parties"}},
		{60, deskThen("f"), true, []string{" REPLAY 14:02:08, was LIVE 1s  ALERT 4  FROZEN 0s"}},
		{60, broken, false, []string{" STALE 47s  ALERT 4  ", "  as of 14:01:21"}},
		{40, broken, false, []string{" STALE 47s  ALERT 4  "}},
		{40, deskThen("f"), true, []string{" REPLAY 14:02, was LIVE  ALERT 4  FROZEN"}},
		{38, deskThen("f"), true, []string{"REPLAY 14:02:08  ALERT 4  FROZEN"}},
	} {
		onScreen(t, c.width, 24, func(o *Options) {
			watchAll(o)
			o.Alerts = []alerts.Rule{loss, distress}
			if c.isReplay {
				o.Replay = &fakeReplay{speed: 1}
			}
		}, func(s *screen) {
			c.show(s)
			for _, want := range c.want {
				s.firstLine(want)
			}
		})
	}
}
