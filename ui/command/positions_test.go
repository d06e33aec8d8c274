package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// line is a position as -o ndjson has it.
func line(p sim.Position) string {
	text := func(amount string) string {
		if amount == "" {
			return "0"
		}
		return amount
	}
	values := map[string]string{
		"averageEntryPrice": text(p.AverageEntryPrice), "lossSocialisationAmount": text(p.LossSocialisation),
		"marketId": p.Market, "openVolume": fmt.Sprint(p.OpenVolume), "partyId": p.Party, "updatedAt": fmt.Sprint(p.UpdatedAt),
		"positionStatus": map[sim.Status]string{0: "POSITION_STATUS_UNSPECIFIED", 4: "POSITION_STATUS_DISTRESSED"}[p.Status],
		"realisedPnl":    text(p.RealisedPnl), "unrealisedPnl": text(p.UnrealisedPnl),
	}
	for f := range model.FieldCount {
		values[f.Name()] = text(values[f.Name()]) // the simulated service sends no other numbers
	}
	line, _ := json.Marshal(values)
	return string(line) + "\n"
}

var (
	first  = sim.Position{Party: "a1", Market: "b1", OpenVolume: 5, AverageEntryPrice: "10", UnrealisedPnl: "-3", UpdatedAt: 1}
	second = sim.Position{Party: "a1", Market: "b2", Status: 4, RealisedPnl: "170141183460469231731687303715884105728", UpdatedAt: 2}
	third  = sim.Position{Party: "a2", Market: "b1", OpenVolume: -9223372036854775808, LossSocialisation: "1", UpdatedAt: 3}
)

func TestPositions(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(third, second, first)
		s.run("positions", "-o", "ndjson").exits(0).prints(line(first) + line(second) + line(third)).printsErrors("")
		s.run("positions", "-o", "json", "--party", "a1", "--market", "b2").exits(0).prints("[\n" + strings.TrimSpace(line(second)) + "\n]\n")
		s.run("positions", "-o", "ndjson", "--party", "a2", "--party", "a1", "--market", "b1").prints(line(first) + line(third))
		s.run("positions", "-o", "json", "--party", "ab").exits(0).prints("[]\n").printsErrors("")
		s.run("positions", "--columns", "party,market,size,entry,unrealised,realised,loss,status,updated").exits(0).prints("PARTY  MARKET                    SIZE raw  ENTRY raw  UNREALISED raw                                          REALISED raw  LOSS SOCIALISED raw  STATUS      UPDATED\n" +
			"a1     b1                              +5         10              -3                                                     0                    0              1\n" +
			"a1     b2                               0          0               0  +170,141,183,460,469,231,731,687,303,715,884,105,728                    0  DISTRESSED  2\n" +
			"a2     b1      -9,223,372,036,854,775,808          0               0                                                     0                    1              3\n")
		var sent []string
		for _, request := range s.Requests() {
			sent = append(sent, strings.TrimPrefix(request.URI, "/api/v2/stream/positions"))
		}
		if len(sent) != 7 || sent[0] != "" || sent[1] != "?partyId=a1" {
			t.Errorf("the requests are %q", sent)
		}
	})
}

// TestPositionsOfASlowService: the row is printed, or the exit code is 3. An empty list is never printed.
func TestPositionsOfASlowService(t *testing.T) {
	withService(t, func(s *service) {
		s.SetStreamResponse(1, sim.Response{Status: 200, Open: true})
		run := s.start("positions", "-o", "ndjson", "--party", "a1", "--market", "b1")
		s.after(10 * time.Second)
		s.Raw([]byte(`{"result":{"snapshot":{"lastPage":true,"positions":[{"partyId":"a1","marketId":"b1","openVolume":"5"},{"partyId":"a1","marketId":"b2","openVolume":"6"}]}}}`))
		got := run.result().exits(0).took(10 * time.Second)
		if !strings.Contains(got.output, `"marketId":"b1"`) || strings.Contains(got.output, `"marketId":"b2"`) {
			t.Errorf("printed %q", got.output)
		}
		s.Silence()
		s.run("positions", "-o", "json", "--party", "a1", "--market", "b1").exits(3).took(15 * time.Second).prints("").
			printsErrors("blotter: no complete snapshot within 15s: no response\n")
	})
}

func TestPositionsAreRetried(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		for _, status := range []int{408, 429, 500, 503} {
			s.SetStreamResponse(2, sim.Response{Status: status, Body: `{"code":13,"message":"not \u001b[31mnow"}`})
			s.run("positions", "-o", "ndjson").exits(0).prints(line(first)).
				printsErrors(fmt.Sprintf("blotter: http://sim.test: the service responded with %d: not ␛[31mnow; trying again\n", status))
		}
		s.SetStreamResponse(1, sim.Response{Status: 200, Body: `{"result":{"snapshot":{"positions":[{"partyId":"x"}]}}}`})
		if got := s.run("positions", "-o", "ndjson").exits(0).prints(line(first)); !strings.HasSuffix(got.errors, "; trying again\n") {
			t.Errorf("half a snapshot: %q", got.errors)
		}
		s.SetStreamResponse(1, sim.Response{Status: 403, Body: "limited", Header: map[string][]string{"Ratelimit-Retry-After": {"5"}}})
		s.run("positions", "-o", "ndjson").exits(0).prints(line(first))
	})
}

func TestPositionsAreRetriedUntilTheEnd(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		s.SetStreamResponse(sim.Always, sim.Response{Status: 503, Body: "down"})
		run := s.start("positions", "-o", "ndjson")
		s.after(6 * time.Second)
		s.SetStreamResponse(0, sim.Response{})
		run.result().exits(0).prints(line(first))
	})
}

func TestErrorsOfPositionsAtTheTimeout(t *testing.T) {
	withService(t, func(s *service) {
		s.SetStreamResponse(sim.Always, sim.Response{Status: 503, Body: "down"})
		s.run("positions", "--timeout", "7s").exits(3).took(7 * time.Second).prints("").
			printsErrors("blotter: http://sim.test: the service responded with 503: down; trying again\n" +
				"blotter: no complete snapshot within 7s: http://sim.test: the service responded with 503: down\n")
		s.SetStreamResponse(0, sim.Response{})
		s.SetStreamResponse(1, sim.Response{Status: 403, Body: "limited", Header: map[string][]string{"Ratelimit-Retry-After": {"600"}}})
		s.run("positions").exits(3).took(0).prints("").
			printsErrors("blotter: http://sim.test: the service responded with 403: limited; the next request is allowed in 10m0s, which is longer than the rest of the timeout\n")
	})
	withService(t, func(s *service) {
		for i := range 60 {
			s.Put(sim.Position{Party: fmt.Sprintf("a%d", i), Market: "b1"})
		}
		s.HoldSnapshot(1)
		s.run("positions").exits(3).took(15 * time.Second).prints("").
			printsErrors("blotter: no complete snapshot within 15s: received 50 positions on 1 page\n")
	})
}

func TestPositionsThatTheServiceRefuses(t *testing.T) {
	withService(t, func(s *service) {
		for status, body := range map[int]string{400: "no such party", 401: "who are you", 403: "not yours", 404: "", 301: "moved", 204: ""} {
			s.SetStreamResponse(1, sim.Response{Status: status, Body: body})
			words := cmp.Or(body, strings.ToLower(http.StatusText(status)))
			s.run("positions").exits(4).took(0).prints("").printsErrors(fmt.Sprintf("blotter: http://sim.test: the service responded with %d: %s\n", status, words))
		}
		s.environment["BLOTTER_TOKEN"] = "s3cret"
		if got := s.run("positions").exits(2).took(0); !strings.Contains(got.errors, "token is not sent without TLS") {
			t.Errorf("a token in clear: %q", got.errors)
		}
	})
}

func TestPositionsFollow(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first, second)
		run := s.start("positions", "-o", "ndjson", "--follow")
		s.after(time.Second)
		run.hasPrinted(line(first) + line(second))
		changed := first
		changed.OpenVolume, changed.UpdatedAt = 6, 10
		s.Update(changed, second)
		s.after(time.Second)
		run.hasPrinted(line(changed))

		s.Remove(second.Key())
		s.Put(third)
		s.Cut()
		s.after(5 * time.Second)
		run.hasPrinted(`{"marketId":"b2","partyId":"a1","removed":true}` + "\n" + line(third))

		s.SetStreamResponse(1, sim.Response{Status: 401, Body: "token expired"})
		s.Cut()
		s.after(5 * time.Second)
		run.result().exits(4).prints("")
	})
}

// TestHelpShowsTheLineOfARemovedPosition, because scripts must expect it.
func TestHelpShowsTheLineOfARemovedPosition(t *testing.T) {
	withService(t, func(s *service) {
		if got := s.run("help", "scripts").exits(0); !strings.Contains(got.output, `"removed":true`) {
			t.Errorf("it prints\n%s", got.output)
		}
	})
}

func TestPositionsInterrupted(t *testing.T) {
	withService(t, func(s *service) {
		s.HoldSnapshot(0)
		run := s.start("positions", "--timeout", "1h")
		s.after(10 * time.Second)
		run.interrupt()
		run.result().exits(130).took(10 * time.Second).prints("").printsErrors("")
		s.Release()

		s.Put(first)
		run = s.start("positions", "-o", "ndjson", "--follow")
		s.after(time.Minute)
		run.interrupt()
		run.result().exits(130).took(time.Minute).printsErrors("")

		s.SetMarginResponse(sim.Always, sim.Response{})
		run = s.start("positions", "--sort", "m%", "--timeout", "1h")
		s.after(time.Minute)
		run.interrupt()
		run.result().exits(130).took(time.Minute).prints("").printsErrors("")
	})
}

// TestUnauditedPositionsAreSaid on standard error, and that a check has compared them.
func TestUnauditedPositionsAreSaid(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		unaudited := "blotter: 1 position is not verified: changes while the stream connected may be missing\n"
		if got := s.run("positions").exits(0).audits; got != unaudited {
			t.Errorf("it writes %q", got)
		}
		run := s.start("positions", "-o", "ndjson", "--follow")
		s.after(time.Second / 2)
		lost := first
		lost.OpenVolume = 77
		s.Put(lost) // is not sent
		s.after(time.Minute)
		run.interrupt()
		if got, want := run.result().audits, unaudited+"blotter: a check has compared all positions, with 1 correction\n"; got != want {
			t.Errorf("it writes %q, want %q", got, want)
		}
		s.Remove(lost.Key())
		if got := s.run("positions").exits(0).audits; got != "" {
			t.Errorf("without positions it writes %q", got)
		}
	})
}

func TestReaderOfTheOutputHasEnded(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		s.outputFails = syscall.EPIPE
		s.run("positions").exits(0).printsErrors("")
		s.run("margins").exits(0).printsErrors("")
	})
}

func TestInterruptWhileTheOutputIsNotRead(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		s.blocked = make(chan struct{})
		run := s.start("positions")
		s.after(time.Minute)
		run.interrupt()
		run.result().exits(130).took(time.Minute + grace)
		close(s.blocked)
	})
}

func TestCaptivePortal(t *testing.T) {
	withService(t, func(s *service) {
		page := "<html>\n<title>Please\x1b]0; log in</title>\n" + strings.Repeat("x", 1<<20) + "</html>"
		s.SetStreamResponse(sim.Always, sim.Response{Status: 200, Body: page})
		s.SetMarginResponse(sim.Always, sim.Response{Status: 200, Body: page})
		for _, command := range []string{"positions", "margins"} {
			got := s.run(command).exits(3).took(15 * time.Second).prints("")
			if strings.Count(got.errors, "\n") != 2 || strings.Count(got.errors, `the response is HTML, not JSON: "Please␛]0; log in"`) != 2 {
				t.Errorf("%s: %q", command, got.errors)
			}
		}
	})
}

// TestOneNodeThatHasLostItsPositions: positions reads one more stream, of another node, before it prints nothing.
func TestOneNodeThatHasLostItsPositions(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		s.StartReplicas(0, 0)
		s.EmptyReplica(1)
		s.Route([]int{1, 0}, []int{0})
		s.run("positions", "-o", "ndjson", "--party", first.Party).exits(0).prints(line(first))
	})
}

// TestNoPositions: a service without any is read twice. If that does not work, it is said.
func TestNoPositions(t *testing.T) {
	withService(t, func(s *service) {
		s.run("positions", "-o", "ndjson").exits(0).prints("").printsErrors("")
		if streams := s.Counters().StreamsOpened; streams != 2 {
			t.Errorf("%d streams were opened, want 2", streams)
		}
		s.Put(first)
		s.run("positions", "-o", "ndjson", "--filter", "status:distressed").exits(0).prints("").printsErrors("")
	})
	withService(t, func(s *service) {
		run := s.start("positions", "-o", "ndjson", "--timeout", "20s")
		s.after(time.Millisecond)
		s.SetStreamResponse(sim.Always, sim.Response{Status: 503, Body: "{}"})
		s.after(10 * time.Second)
		run.result().exits(0).prints("").
			printsErrors("blotter: the service sends no positions, and a second stream that shows that did not come in time\n")
	})
}
