package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed"
	"blotter/feed/endpoint"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui"
	"blotter/ui/store"
)

// corpus is a folder with recordings of faults, each with the positions at its end.
const corpus = "../../feed/record/testdata"

// TestReplayPrintsThePositionsAtTheEnd of each recording of the corpus.
func TestReplayPrintsThePositionsAtTheEnd(t *testing.T) {
	recordings, err := filepath.Glob(corpus + "/chaos-*.zst")
	if err != nil || len(recordings) == 0 {
		t.Fatalf("there are no recordings: %v", err)
	}
	for _, recording := range recordings {
		text, err := os.ReadFile(strings.TrimSuffix(recording, ".zst") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]string
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		withService(t, func(s *service) {
			var rows []struct{ PartyID, MarketID, OpenVolume, AverageEntryPrice, UnrealisedPnl, RealisedPnl, UpdatedAt string }
			printed := s.run("positions", "--replay", recording, "-o", "json").exits(0).output
			if err := json.Unmarshal([]byte(printed), &rows); err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				key := r.PartyID + "/" + r.MarketID
				got := strings.Join([]string{r.OpenVolume, r.AverageEntryPrice, r.UnrealisedPnl, r.RealisedPnl, r.UpdatedAt, ""}, " ")
				if !strings.HasPrefix(want[key], got) {
					t.Errorf("%s: %s is %s, want %s", recording, key, got, want[key])
				}
			}
			if len(rows) != len(want) || len(s.Requests()) > 0 {
				t.Errorf("%s: %d rows, want %d; requests: %v", recording, len(rows), len(want), s.Requests())
			}
		})
	}
}

// TestReplayWithOtherFlags: a part of the scope, a filter, columns and totals.
func TestReplayWithOtherFlags(t *testing.T) {
	withService(t, func(s *service) {
		file := corpus + "/chaos-1.zst"
		all := strings.Count(s.run("positions", "--replay", file, "-o", "ndjson").exits(0).output, "\n")
		network := s.run("positions", "--replay", file, "-o", "csv", "--party", "network", "--columns", "party").exits(0).output
		if n := strings.Count(network, "\nnetwork"); n == 0 || n+1 != strings.Count(network, "\n") || n >= all {
			t.Errorf("of %d positions those of the network are\n%s", all, network)
		}
		totals := s.run("positions", "--replay", file, "-o", "csv", "--totals", "--filter", "party:network").exits(0).output
		if !strings.Contains(totals, fmt.Sprintf(",%d,", strings.Count(network, "\nnetwork"))) {
			t.Errorf("the totals are\n%s", totals)
		}
		s.run("positions", "--replay", file, "--follow", "-o", "ndjson").exits(2).printsErrors("blotter: --replay and --follow cannot be used together\n")
		s.run("positions", "--replay", file, "--demo").exits(2).printsErrors("blotter: --replay: no service is used: leave out --base-url and --demo\n")
		s.run("positions", "--replay", file+".gone").exits(2)
	})
}

// TestReplayOfMarketsNarrowedToAParty: of a recording of two markets, the positions of any party in them can be
// printed.
func TestReplayOfMarketsNarrowedToAParty(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "markets.zst")
		elsewhere := sim.Position{Party: "a1", Market: "b3", OpenVolume: 1, UpdatedAt: 4}
		s.Put(first, second, third, elsewhere)
		run := s.start("positions", "--follow", "-o", "ndjson", "--market", "b1", "--market", "b2", "--record", file)
		s.after(2 * time.Second)
		now, gone := second, third
		now.OpenVolume, now.UpdatedAt = 99, 9
		s.Update(now)
		gone.OpenVolume, gone.UpdatedAt = 0, 10
		s.Update(gone)
		s.after(2 * time.Second)
		run.interrupt()
		run.result().exits(130)

		s.run("positions", "--replay", file, "--party", "a1", "-o", "ndjson").exits(0).prints(line(first) + line(now)).printsErrors("")
		s.run("positions", "--replay", file, "--party", "a2", "--party", "a1", "--market", "b2", "-o", "ndjson").exits(0).prints(line(now)).printsErrors("")
		s.run("positions", "--replay", file, "--party", "a2", "-o", "ndjson").exits(0).prints(line(gone)).printsErrors("")
		if got := kinds(s.run("events", "--replay", file, "--party", "a1", "-o", "ndjson").exits(0).output); got != "opened" {
			t.Errorf("the events of a1 are: %s", got)
		}
		if got := kinds(s.run("events", "--replay", file, "--party", "a2", "-o", "ndjson").exits(0).output); got != "closed" {
			t.Errorf("the events of a2 are: %s", got)
		}
		s.run("positions", "--replay", file, "--party", "a1", "--market", "b3").exits(2).
			printsErrors("blotter: --market: \"b3\" was not recorded; it was recorded with --market b1, b2\n")
		s.run("positions", "--replay", file, "--market", "b3").exits(3).
			printsErrors("blotter: the recording has no complete snapshot of these positions; it was recorded with --market b1, b2\n")
		s.run("events", "--replay", file, "--market", "b3", "-o", "ndjson").exits(3).prints("").
			printsErrors("blotter: the recording has no complete snapshot of these positions; it was recorded with --market b1, b2\n")
	})
}

// TestReplayOfADamagedRecording: the end was cut off. The part before it is used, with a warning.
func TestReplayOfADamagedRecording(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "cut.jsonl")
		s.Put(first, second)
		run := s.start("positions", "--follow", "-o", "ndjson", "--record", file)
		s.after(2 * time.Second)
		now := first
		now.OpenVolume, now.UpdatedAt = 99, 9
		s.Update(now)
		s.after(2 * time.Second)
		run.interrupt()
		run.result().exits(130)
		s.run("positions", "--replay", file, "-o", "ndjson").exits(0).prints(line(now) + line(second)).printsErrors("")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(string(text), `"99"`)
		if at < 0 {
			t.Fatalf("the recording has no update:\n%s", text)
		}
		if err := os.WriteFile(file, text[:at+3], 0o600); err != nil { // in the middle of the line of the update
			t.Fatal(err)
		}
		got := s.run("positions", "--replay", file, "-o", "ndjson").exits(0).prints(line(first) + line(second))
		if !strings.Contains(got.errors, "cut.jsonl") && !strings.Contains(got.errors, "recording") {
			t.Errorf("it warns %q", got.errors)
		}
	})
}

// TestReplayOfAFileThatIsCutWhileItIsPlayed shows the rows of the time before, with that time, and says what is wrong.
// Keys go on working.
func TestReplayOfAFileThatIsCutWhileItIsPlayed(t *testing.T) {
	text, err := os.ReadFile(corpus + "/chaos-1.zst")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "day.zst")
	write := func(text []byte) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	var player *record.Player
	replayed := func(tea.Model) tea.Model {
		if player, err = record.Open(file, 0); err != nil {
			t.Fatal(err)
		}
		options := ui.Options{Service: "sim", Extent: store.Whole(0), Location: time.UTC, Instruments: testInstruments(), Now: player.Now, Replay: player}
		return ui.New(context.Background(), player, options)
	}
	setup{first: replayed}.run(t, func(s *dashboardTest) {
		defer player.Close()
		s.Press(">").Shows("REPLAY 00:01:00, was").Press("space")
		rows := s.rows()
		write(nil)
		for range 2 {
			s.Press(">").After(2*time.Second).Shows("REPLAY 00:01:00 cut off", "\n the recording cannot be read any more: the file is cut off (/").Rows(rows...)
			s.After(10 * time.Second).Lacks("cannot be read any more")
		}
		s.Press("h").Shows("─ session").Press("esc")
		write(text)
		s.Press(">").Shows("REPLAY 00:02:00 ended").Lacks("cut off", "cannot be read")
	})
}

// TestReplayAt: the positions, margin levels and events of a time, whatever came later.
func TestReplayAt(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.zst")
		s.Put(first, second)
		s.after(2 * time.Hour)
		s.HoldSnapshot(0)
		run := s.start("positions", "--follow", "-o", "ndjson", "--record", file)
		s.after(time.Second)
		s.Release()
		s.after(time.Second)
		var times []string
		now := first
		for _, volume := range []int64{99, 0} {
			times = append(times, time.Now().Format(time.RFC3339Nano))
			s.after(time.Second)
			now.OpenVolume, now.UpdatedAt = volume, now.UpdatedAt+10
			s.Update(now)
			s.after(2 * time.Second)
		}
		run.interrupt()
		run.result().exits(130)
		larger := first
		larger.OpenVolume, larger.UpdatedAt = 99, first.UpdatedAt+10
		for i, want := range []struct{ positions, events string }{{line(first) + line(second), ""}, {line(larger) + line(second), "grown"}} {
			s.run("positions", "--replay", file, "--at", times[i], "-o", "ndjson").exits(0).prints(want.positions).printsErrors("")
			if got := kinds(s.run("events", "--replay", file, "--at", times[i], "-o", "ndjson").exits(0).output); got != want.events {
				t.Errorf("the events until %s are %q", times[i], got)
			}
		}
		s.run("positions", "--replay", file, "-o", "ndjson").exits(0).prints(line(now) + line(second)).printsErrors("")
		s.run("positions", "--replay", file, "--at", "02:00", "-o", "ndjson").exits(3) // as it begins, without a snapshot
		s.run("positions", "--replay", file, "--at", "23:59", "-o", "ndjson").exits(0).prints(line(now) + line(second)).printsErrors("")
		without := "blotter: the recording has no margin levels for this; only the dashboard records them\n"
		s.run("positions", "--replay", file, "-o", "ndjson", "--filter", "m%<0").exits(0).prints("").printsErrors(without)
		s.run("margins", "--replay", file, "-o", "ndjson").exits(0).prints("").printsErrors(without)
		for _, early := range []string{"01:59", "2000-01-01T01:59Z"} {
			want := "blotter: --at: " + early + " is before the recording, which has 2000-01-01 02:00:00 to 2000-01-01 02:00:0"
			if got := s.run("positions", "--replay", file, "--at", early).exits(2).errors; !strings.HasPrefix(got, want) { // to the last audit
				t.Errorf("%q, want %q", got, want)
			}
		}
	})
}

// TestReplayWarnsOfStalePositions, as of those of a node that was behind.
func TestReplayWarnsOfStalePositions(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.zst")
		s.Put(first, second)
		run := s.start("positions", "--follow", "-o", "ndjson", "--record", file)
		s.after(2 * time.Second)
		before := time.Now().Format(time.RFC3339Nano)
		s.after(time.Second)
		s.Cut()
		s.listener.Kill()
		s.after(19 * time.Second)
		run.interrupt()
		run.result().exits(130)
		s.run("positions", "--replay", file, "--at", before, "-o", "ndjson").exits(0).prints(line(first) + line(second)).printsErrors("")
		got := s.run("positions", "--replay", file, "-o", "ndjson").exits(0).prints(line(first) + line(second))
		if !strings.HasPrefix(got.errors, "blotter: sim.test: ") || !strings.Contains(got.errors, ": positions may be out of date, for ") {
			t.Errorf("it warns %q", got.errors)
		}
	})
}

// TestReplayPrintsMargins: margin records that were shown while the recording was made are printed, newest first.
func TestReplayPrintsMargins(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.zst")
		s.PutMargins(marginRecord(3), marginRecord(5))
		recorder, err := record.Create(record.Options{Path: file})
		if err != nil {
			t.Fatal(err)
		}
		source, err := feed.New(feed.Config{Service: endpoint.Service{BaseURLs: []string{"http://sim.test"}, Dial: s.dial}})
		if err != nil {
			t.Fatal(err)
		}
		tap := record.NewTap(source, recorder)
		if _, err := tap.Page(s.t.Context(), model.PageRequest{Size: 50, NewestFirst: true}); err != nil {
			t.Fatal(err)
		}
		before := time.Now().Format(time.RFC3339Nano)
		time.Sleep(2 * time.Second)
		s.PutMargins(marginRecord(7))
		if _, err := tap.Page(s.t.Context(), model.PageRequest{Size: 50, NewestFirst: true}); err != nil {
			t.Fatal(err)
		}
		source.Close()
		if err := recorder.Close(); err != nil {
			t.Fatal(err)
		}
		s.run("margins", "--replay", file, "-o", "ndjson").exits(0).prints(marginLine(7) + marginLine(5) + marginLine(3)).printsErrors("")
		s.run("margins", "--replay", file, "--at", before, "-o", "ndjson").exits(0).prints(marginLine(5) + marginLine(3)).printsErrors("")
		for _, command := range []string{"margins", "positions"} {
			s.run(command, "--at", before).exits(2).printsErrors("blotter: --at: needs --replay\n")
		}
		s.run("margins", "--replay", file, "-o", "ndjson", "--oldest-first", "--limit", "1").exits(0).prints(marginLine(3))
		s.run("margins", "--replay", file, "-o", "csv", "--columns", "party", "--filter", "party:a5").exits(0).prints("partyId\na5\n")
	})
}
