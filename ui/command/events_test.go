package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// TestEventsFollow: a position flips, is closed with a loss, and changes during an outage.
func TestEventsFollow(t *testing.T) {
	withService(t, func(s *service) {
		p := first
		s.Put(p, third)
		table, lines, csv := s.start("events", "--follow"), s.start("events", "--follow", "-o", "ndjson"), s.start("events", "--follow", "-o", "csv")
		one := s.start("events", "--follow", "-o", "ndjson", "--filter", "event:closed")
		s.after(2 * time.Second) // after the audit
		p.OpenVolume, p.UpdatedAt = -7, 946_000_001_000_000_000
		s.Update(p)
		s.after(time.Second)
		p.UnrealisedPnl = "-4"
		s.Update(p)
		s.after(time.Second)
		p.OpenVolume, p.Status, p.LossSocialisation, p.UpdatedAt = 0, 4, "12", 946_000_002_000_000_000
		s.Update(p)
		s.after(time.Second)
		table.hasPrinted("TIME  PARTY  MARKET  EVENT\n" +
			"1999-12-24T01:46:41Z  a1     b1      flipped +5 raw → -7 raw\n" +
			"1999-12-24T01:46:42Z  a1     b1      closed, was -7 raw; status DISTRESSED; loss socialised 12 raw\n")
		closed := `{"event":"closed status loss","lossSocialisationAmount":"12","lossSocialisationAmountBefore":"0","marketId":"b1","openVolume":"0","openVolumeBefore":"-7",` +
			`"partyId":"a1","positionStatus":"POSITION_STATUS_DISTRESSED","positionStatusBefore":"POSITION_STATUS_UNSPECIFIED",` +
			`"seenAt":"2000-01-01T00:00:04Z","source":"update","time":"1999-12-24T01:46:42Z","updatedAt":"946000002000000000"}` + "\n"
		printed := lines.output.take()
		flipped, rest, _ := strings.Cut(printed, "\n")
		if !strings.HasPrefix(flipped, `{"event":"flipped",`) || rest != closed {
			t.Errorf("printed\n%s", printed)
		}
		s.holds("event", flipped)
		s.holds("event", strings.TrimSpace(rest))
		one.hasPrinted(closed)
		csv.hasPrinted("event,lossSocialisationAmount,lossSocialisationAmountBefore,marketId,openVolume,openVolumeBefore,partyId,positionStatus,positionStatusBefore,seenAt,source,time,updatedAt\n" +
			"flipped,0,0,b1,-7,5,a1,POSITION_STATUS_UNSPECIFIED,POSITION_STATUS_UNSPECIFIED,2000-01-01T00:00:02Z,update,1999-12-24T01:46:41Z,946000001000000000\n" +
			"closed status loss,12,0,b1,0,-7,a1,POSITION_STATUS_DISTRESSED,POSITION_STATUS_UNSPECIFIED,2000-01-01T00:00:04Z,update,1999-12-24T01:46:42Z,946000002000000000\n")

		s.Remove(third.Key())
		s.Cut()
		s.after(5 * time.Minute) // until audits have shown it too
		if got := table.output.take(); !strings.HasPrefix(got, "<=2000-01-01T00:00:2") || !strings.HasSuffix(got, "  a2     b1      removed, was -9,223,372,036,854,775,808 raw (found by a check)\n") {
			t.Errorf("after the connection was lost it printed %q", got)
		}
		for _, run := range []*invocation{table, lines, csv, one} {
			run.interrupt()
			run.result().exits(130)
		}
	})
}

// TestEventsWithoutDecimals: --scaled leaves numbers empty whose decimals are not known, with one warning.
func TestEventsWithoutDecimals(t *testing.T) {
	const warning = "blotter: --scaled: numbers without known decimals are left empty; set the decimals in the configuration\n"
	withService(t, func(s *service) {
		withDesk(s)
		file := filepath.Join(t.TempDir(), "day.jsonl")
		run := s.start("events", "--follow", "--scaled", "-o", "csv", "--record", file)
		s.after(time.Second)
		s.Update(sim.Position{Party: "a1", Market: "b1", OpenVolume: 250, UpdatedAt: time.Now().UnixNano()})
		s.after(time.Second)
		if got := run.errors.take(); got != "" {
			t.Errorf("all numbers are known, and it warns %q", got)
		}
		for size := range int64(2) {
			s.Update(sim.Position{Party: "a1", Market: "b2", OpenVolume: 10 + size, UpdatedAt: time.Now().UnixNano()})
			s.after(time.Second)
		}
		run.interrupt()
		run.result().exits(130).printsErrors(warning)
		s.run("events", "--replay", file, "--scaled", "-o", "ndjson").exits(0).printsErrors(warning)
		s.holds("events", s.run("events", "--replay", file, "--scaled", "-o", "json", "--filter", "market:b2").exits(0).printsErrors(warning).output)
		s.holds("selectedEvents", s.run("events", "--replay", file, "--names", "-o", "json").exits(0).output)
		s.run("events", "--replay", file, "-o", "ndjson").exits(0).printsErrors("")
		s.run("events", "--replay", file, "--scaled", "-o", "ndjson", "--market", "b1").exits(0).printsErrors("")
	})
}

// TestEventsOfEachConnectionOfARecording: they are found although the recording is played without pauses.
func TestEventsOfEachConnectionOfARecording(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.jsonl")
		p := first
		s.Put(p)
		run := s.start("events", "--follow", "-o", "ndjson", "--record", file)
		for size := range int64(8) {
			s.after(time.Minute)
			p.OpenVolume, p.UpdatedAt = 10+size, time.Now().UnixNano()
			s.Update(p)
			s.after(time.Second)
			s.Cut()
		}
		s.after(time.Minute)
		shown := run.output.take()
		run.interrupt()
		run.result().exits(130)
		if got := strings.Count(shown, "\n"); got != 8 {
			t.Fatalf("there were %d events:\n%s", got, shown)
		}
		again := s.run("events", "--replay", file, "-o", "ndjson").exits(0).printsErrors("").output
		if kinds(again) != kinds(shown) {
			t.Errorf("the recording has\n%s\nnot\n%s", again, shown)
		}
	})
}

// TestEventsOfARecordingInTheOrderOfTime: those of several subscriptions.
func TestEventsOfARecordingInTheOrderOfTime(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.jsonl")
		p, q := first, first
		q.Market = "b2"
		s.Put(p, q)
		run := s.start("events", "--follow", "-o", "ndjson", "--market", "b1", "--market", "b2", "--record", file)
		for size := range int64(40) {
			s.after(time.Minute)
			changed := &p
			if size%2 == 0 {
				changed = &q
			}
			changed.OpenVolume, changed.UpdatedAt = 10+size, time.Now().UnixNano()
			s.Update(*changed)
		}
		s.after(time.Minute)
		run.interrupt()
		run.result().exits(130)

		var before time.Time
		printed := s.run("events", "--replay", file, "-o", "ndjson").exits(0).printsErrors("").output
		for line := range strings.Lines(printed) {
			var e struct{ Time, SeenAt time.Time }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			if e.Time.Before(before) || e.SeenAt.Before(e.Time) {
				t.Errorf("an event of %s, after one of %s, was seen at %s", e.Time, before, e.SeenAt)
			}
			before = e.Time
		}
		if got := strings.Count(printed, "\n"); got != 40 {
			t.Errorf("%d events", got)
		}
	})
}

func TestEventsOfARecording(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.jsonl")
		p := first
		s.Put(p)
		run := s.start("events", "--follow", "-o", "ndjson", "--record", file)
		s.after(time.Second)
		for size := range int64(3) {
			p.OpenVolume, p.UpdatedAt = size-1, p.UpdatedAt+1
			s.Update(p)
			s.after(time.Second)
		}
		shown := run.output.take()
		run.interrupt()
		run.result().exits(130)
		if strings.Count(shown, "\n") != 3 {
			t.Fatalf("there were these events:\n%s", shown)
		}
		again := s.run("events", "--replay", file, "-o", "ndjson").exits(0).printsErrors("").output
		if kinds(again) != kinds(shown) || kinds(again) != "flipped closed opened" {
			t.Errorf("the recording has\n%s\nnot\n%s", again, shown)
		}
		s.run("events", "--replay", file, "-o", "json", "--filter", "event:loss").exits(0).prints("[]\n")
	})
}

// kinds are the kinds of events in lines of NDJSON.
func kinds(lines string) string {
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		kind, _, _ := strings.Cut(strings.TrimPrefix(line, `{"event":"`), `"`)
		all = append(all, kind)
	}
	return strings.Join(all, " ")
}

func TestEventsWithoutAResponse(t *testing.T) {
	withService(t, func(s *service) {
		s.Silence()
		s.run("events", "--follow").exits(3).took(15 * time.Second).printsErrors("blotter: no complete snapshot within 15s: no response\n")
	})
}

// TestEventsOfAPositionStayInTheirOrder: an update that came after a snapshot may be older than the time at which the
// snapshot was seen.
func TestEventsOfAPositionStayInTheirOrder(t *testing.T) {
	seen := time.Unix(1_700_000_000, 0)
	state := func(market string, size int64, updated time.Time) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID(market)}}
		p.SetNumber(model.OpenVolume, model.AmountOf(size))
		p.SetNumber(model.UpdatedAt, model.AmountOf(updated.UnixNano()))
		return p
	}
	before, opened, closed := state("a", -7, seen), state("a", 6, seen.Add(-2*time.Second)), state("a", 0, seen.Add(-time.Second))
	flip, _ := event.New(before, opened, book.ChangedBySnapshot, seen)
	closing, _ := event.New(opened, closed, book.ChangedByUpdate, seen)
	other, _ := event.New(nil, state("b", 1, seen.Add(-3*time.Second)), book.ChangedByUpdate, seen)
	events := []event.Event{flip, closing, other}
	sortByTime(events)
	var sizes []string
	for i := range events {
		after := events[i].After()
		sizes = append(sizes, after.Number(model.OpenVolume).String())
	}
	if got := strings.Join(sizes, " "); got != "1 6 0" {
		t.Errorf("the sizes after the events are %s", got)
	}
}
