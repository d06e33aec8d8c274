package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model/filter"
)

// TestUntilAPositionMatches at once or after an update, also with --filter.
func TestUntilAPositionMatches(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first, second)
		s.run("positions", "--until", "status:distressed", "-o", "ndjson").exits(0).prints(line(second)).printsErrors("")

		run := s.start("positions", "--until", "size>5r|side:short", "--filter", "market:b1", "-o", "ndjson", "--timeout", "1h")
		s.after(10 * time.Minute)
		run.hasPrinted("")
		grown := first
		grown.OpenVolume, grown.UpdatedAt = 6, 10
		s.Update(grown, sim.Position{Party: "a1", Market: "b2", OpenVolume: 7, UpdatedAt: 11})
		run.result().exits(0).prints(line(grown)).printsErrors("")
	})
}

func TestUntilNothingMatches(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		s.run("positions", "--until", "side:short", "--timeout", "1m").exits(5).took(time.Minute).prints("").
			printsErrors("blotter: no position has matched within 1m0s\n")
		s.HoldSnapshot(0)
		s.run("positions", "--until", "side:long", "--timeout", "1m").exits(3).prints("")
		s.Release()
	})
}

// TestAFilterThatIsNotComplete is refused before a request is sent: with a variable of a script that is not set it
// would match everything.
func TestAFilterThatIsNotComplete(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		for filter, want := range map[string]string{
			"party:":                   `"party:" is not complete: a text must follow, as in party:desk-1`,
			"status:distressed party:": `"party:" is not complete: a text must follow, as in party:desk-1`,
			"side:":                    `"side:" is not complete: long, short or flat must follow`,
			"!":                        `"!" is not complete: a term must follow, as in !eth`,
			`""`:                       `"\"\"" is not complete: there is no text to search for`,
		} {
			s.run("positions", "--until", filter).exits(2).prints("").printsErrors("blotter: --until: " + want + "\n")
			for _, command := range [][]string{{"positions"}, {"margins"}, {"events", "--follow"}, {"positions", "--until", "eth"}} {
				s.run(append(command, "--filter", filter)...).exits(2).prints("").printsErrors("blotter: --filter: " + want + "\n")
			}
		}
		s.run("positions", "--until", "").exits(2).prints("").printsErrors("blotter: --until: is empty, and would match any position\n")
		if sent := s.Requests(); len(sent) > 0 {
			t.Errorf("the requests are %v", sent)
		}
		s.run("positions", "--filter", "", "-o", "ndjson").exits(0).prints(line(first)).printsErrors("")
		s.run("positions", "--filter", "eth or btc").exits(0).
			printsErrors("blotter: the filter: \"or\" is searched as a text; eth|btc finds one of the two\n")
		s.run("positions", "--filter=-desk-2").exits(0).
			printsErrors("blotter: the filter: \"-desk-2\" is searched as a text; !desk-2 leaves out what matches\n")
	})
}

// TestUntilIgnoresStaleRows, whether they matched before or match because of their age.
func TestUntilIgnoresStaleRows(t *testing.T) {
	withService(t, func(s *service) {
		old := first
		old.UpdatedAt = time.Now().UnixNano()
		s.Put(old)
		run := s.start("positions", "--until", "age>1m", "-o", "ndjson", "--timeout", "1h")
		s.after(30 * time.Second)
		s.listener.Kill()
		s.after(10 * time.Minute)
		run.hasPrinted("")
		s.listener.Revive()
		s.after(10 * time.Minute)
		run.result().exits(0).prints(line(old))

		run = s.start("positions", "--until", "side:short", "--timeout", "10m")
		s.after(time.Minute)
		s.listener.Kill()
		got := run.result().exits(3).prints("")
		if !strings.Contains(got.errors, "no position has matched within 10m0s, but some positions are stale: http://sim.test: ") {
			t.Errorf("standard error has %s", got.errors)
		}
	})
}

// TestUntilReadsMargins, also those that change later.
func TestUntilReadsMargins(t *testing.T) {
	withService(t, func(s *service) {
		losing := first
		losing.UnrealisedPnl, losing.UpdatedAt = "-30", time.Now().UnixNano()
		s.Put(losing)
		s.PutMargins(maintenance(losing, "1000"))
		run := s.start("positions", "--until", "m%<-20", "-o", "csv", "--columns", "party,m%", "--timeout", "1h")
		s.after(10 * time.Minute)
		run.hasPrinted("")
		s.PutMargins(maintenance(losing, "100"))
		losing.UpdatedAt = time.Now().UnixNano()
		s.Update(losing)
		run.result().exits(0).prints("partyId,marginRatio\na1,-30.0\n").printsErrors("")
		// The requests are those of the dashboard: one every five seconds, and those that check whether the service
		// responds.
		requests := 0
		for _, request := range s.Requests() {
			if !isStream(request) {
				requests++
			}
		}
		if requests < 120 || requests > 170 {
			t.Errorf("there were %d requests in ten minutes", requests)
		}

		s.SetMarginResponse(sim.Always, sim.Response{Status: 500, Body: "boom"})
		run = s.start("positions", "--until", "m%<-50", "--timeout", "5m")
		for range 60 {
			s.Update(losing)
			s.after(5 * time.Second)
		}
		got := run.result().exits(3)
		if !strings.Contains(got.errors, "the margin levels could not be read: ") {
			t.Errorf("standard error has %s", got.errors)
		}
	})
}

// TestUntilCouldNotCompareARatio: the size of a position has changed since its margin levels were recorded.
func TestUntilCouldNotCompareARatio(t *testing.T) {
	withService(t, func(s *service) {
		losing := first
		losing.UnrealisedPnl, losing.UpdatedAt = "-30", time.Now().UnixNano()
		s.Put(losing)
		s.PutMargins(maintenance(losing, "1000"))
		run := s.start("positions", "--until", "m%<-20", "--timeout", "1m")
		s.after(30 * time.Second)
		losing.OpenVolume, losing.UpdatedAt = 2*losing.OpenVolume, time.Now().UnixNano()
		s.Update(losing)
		run.result().exits(3).prints("").
			printsErrors("blotter: no position has matched within 1m0s, but some margin levels are older than the size of their positions\n")
	})
}

// TestUntilWarnsOnceOfAnOutage, and ends when it is interrupted.
func TestUntilWarnsOnceOfAnOutage(t *testing.T) {
	withService(t, func(s *service) {
		s.listener.Kill()
		const warning = "blotter: http://sim.test: connection refused: nothing listens there; trying again\n"
		got := s.run("positions", "--until", "eth", "--timeout", "10m").exits(3)
		if !strings.HasPrefix(got.errors, warning) || strings.Count(got.errors, "\n") != 2 {
			t.Errorf("standard error has %s", got.errors)
		}
		run := s.start("positions", "--until", "eth", "--timeout", "1h")
		s.after(time.Minute)
		run.interrupt()
		run.result().exits(130).took(time.Minute).printsErrors(warning)
	})
}

func TestErrorsOfUntil(t *testing.T) {
	withService(t, func(s *service) {
		for _, test := range []struct{ arguments, want string }{
			{"--until statis:x", `--until: unknown field "statis"; did you mean status? as a name: "statis:x"; fields: ` + strings.Join(filter.Fields(), " ")},
			{"--until eth --follow -o ndjson", "--until and --follow cannot be used together"},
			{"--until eth --replay x", "--until and --replay cannot be used together"},
			{"--until=", "--until: is empty, and would match any position"},
		} {
			s.run(append([]string{"positions"}, strings.Fields(test.arguments)...)...).exits(2).prints("").printsErrors("blotter: " + test.want + "\n")
		}
		s.SetStreamResponse(sim.Always, sim.Response{Status: 401, Body: "token expired"})
		s.run("positions", "--until", "eth", "--timeout", "1h").exits(4)
	})
}
