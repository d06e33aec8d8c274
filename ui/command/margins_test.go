package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/ui/command/cli"
)

// marginRecord is the margin record of a party. One with a higher number is newer.
func marginRecord(i int) sim.MarginLevels {
	return sim.MarginLevels{
		Party: fmt.Sprintf("a%d", i), Market: "b1", Asset: "c1",
		Maintenance: fmt.Sprint(i), Search: "11", Initial: "12", Release: "14", Timestamp: int64(i + 1),
	}
}

// marginLine is the record as -o ndjson has it.
func marginLine(i int) string {
	return fmt.Sprintf(`{"asset":"c1","collateralReleaseLevel":"14","initialMargin":"12","maintenanceMargin":"%d",`+
		`"marginFactor":"0","marginMode":"MARGIN_MODE_CROSS_MARGIN","marketId":"b1","orderMargin":"0","partyId":"a%d","searchLevel":"11","timestamp":"%d"}`+"\n", i, i, i+1)
}

// marginLines are the records from one to another, in that order.
func marginLines(from, to int) string {
	var b strings.Builder
	for i := from; ; {
		b.WriteString(marginLine(i))
		switch {
		case i < to:
			i++
		case i > to:
			i--
		default:
			return b.String()
		}
	}
}

func withRecords(s *service, n int) {
	for i := range n {
		s.PutMargins(marginRecord(i))
	}
}

func TestMargins(t *testing.T) {
	withService(t, func(s *service) {
		s.run("margins", "-o", "json").exits(0).prints("[]\n").printsErrors("")
		withRecords(s, 40)
		s.run("margins", "-o", "ndjson", "--page-size", "7").exits(0).prints(marginLines(39, 0)).printsErrors("")
		s.run("margins", "-o", "ndjson", "--page-size", "7", "--oldest-first").exits(0).prints(marginLines(0, 39)).printsErrors("")
		s.run("margins", "-o", "ndjson", "--page-size", "2").exits(0).prints(marginLines(39, 0))
		s.run("margins", "-o", "ndjson", "--limit", "9", "--page-size", "4").exits(0).prints(marginLines(39, 31))
		s.run("margins", "-o", "ndjson", "--party", "a3", "--party", "a5").exits(0).prints(marginLine(5) + marginLine(3))
		s.run("margins", "-o", "csv", "--party", "a3").prints("asset,collateralReleaseLevel,initialMargin,maintenanceMargin,marginFactor,marginMode,marketId,orderMargin,partyId,searchLevel,timestamp\nc1,14,12,3,0,MARGIN_MODE_CROSS_MARGIN,b1,0,a3,11,4\n")
	})
}

func TestErrorsOfMargins(t *testing.T) {
	withService(t, func(s *service) {
		withRecords(s, 20)
		s.SetMarginResponse(2, sim.Response{Status: 503, Body: "down"})
		got := s.run("margins", "-o", "ndjson").exits(0).prints(marginLines(19, 0))
		got.printsErrors("blotter: http://sim.test: margin levels: the service responded with 503: down; trying again\n")
		s.Lag(time.Minute + time.Second/2)
		s.SetMarginResponse(1, sim.Response{Status: 429, Body: "slow down"})
		log := filepath.Join(t.TempDir(), "log")
		s.run("margins", "-o", "ndjson", "--page-size", "7", "--log-file", log).exits(0).prints(marginLines(19, 0)).
			printsErrors("blotter: http://sim.test: margin levels: the service responded with 429: slow down; trying again\n" +
				"blotter: the node is behind by 1m0s: margin levels may be old\n")
		if text, err := os.ReadFile(log); err != nil || strings.Count(string(text), "429") != 1 {
			t.Errorf("the log has %q (%v)", text, err)
		}
		s.Lag(0)
		s.SetMarginResponse(sim.Always, sim.Response{Status: 503, Body: "down"})
		got = s.run("margins", "--timeout", "6s").exits(3).took(6 * time.Second).prints("")
		if !strings.HasSuffix(got.errors, "\nblotter: not all margin levels within 6s: http://sim.test: the service responded with 503: down\n") {
			t.Errorf("no response in time: %q", got.errors)
		}
		s.SetMarginResponse(0, sim.Response{})
		s.SetMarginResponse(1, sim.Response{Status: 401, Body: `{"code":16,"message":"who are you"}`})
		s.run("margins").exits(4).took(0).prints("").printsErrors("blotter: http://sim.test: the service responded with 401: who are you\n")
		s.SetMarginResponse(1, sim.Response{Status: 403, Body: "limited", Header: map[string][]string{"Ratelimit-Retry-After": {"600"}}})
		got = s.run("margins").exits(3).took(0).prints("")
		if !strings.Contains(got.errors, "the next request is allowed in 10m0s") {
			t.Errorf("a ban: %q", got.errors)
		}
	})
}

func TestErrorOfMarginsAtTheTimeout(t *testing.T) {
	busy := &endpoint.StatusError{Status: 429, Words: "slow down", RetryAfter: time.Second}
	err := marginsError(errors.Join(context.DeadlineExceeded, busy), "http://a", 3*time.Second)
	if want := "not all margin levels within 3s: http://a: the service responded with 429: slow down"; err.Error() != want || cli.ExitCode(err) != cli.ExitUnavailable {
		t.Errorf("%v (%d)", err, cli.ExitCode(err))
	}
}

func TestMarginsWhereTheNextPageFails(t *testing.T) {
	withService(t, func(s *service) {
		page := `{"marginLevels":{"edges":[{"node":{"partyId":"a2","marketId":"b1","asset":"c1","timestamp":"2"},"cursor":"x"},` +
			`{"node":{"partyId":"a1","marketId":"b1","asset":"c1","timestamp":"1"},"cursor":"y"}],` +
			`"pageInfo":{"hasNextPage":true,"hasPreviousPage":false,"startCursor":"x","endCursor":"y"}}}`
		s.SetMarginResponse(1, sim.Response{Status: 200, Body: page})
		s.SetMarginResponse(sim.Always, sim.Response{Status: 500, Body: "no such cursor"})
		before := len(s.Requests())
		s.run("margins", "--timeout", "1h").exits(3)
		if sent := len(s.Requests()) - before; sent != 7 {
			t.Errorf("%d requests, not one, three tries of the next page, and three of the first one again", sent)
		}

		s.SetMarginResponse(0, sim.Response{})
		s.SetMarginResponse(sim.Always, sim.Response{Status: 200, Body: page})
		got := s.run("margins", "-o", "ndjson").exits(3)
		if strings.Count(got.output, "\n") != 2 || strings.Count(got.errors, "\n") != 1 {
			t.Errorf("a cursor that is repeated: %q %q", got.output, got.errors)
		}
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 3})
		got = s.run("positions", "-o", "csv", "--columns", "party,m%").exits(3)
		if strings.Count(got.output, "\n") != 2 || !strings.Contains(got.errors, "sends none that are new") {
			t.Errorf("positions with ratios of a list without an end: %q %q", got.output, got.errors)
		}
	})
}

func TestMarginsWithoutAResponse(t *testing.T) {
	withService(t, func(s *service) {
		s.Silence()
		s.run("margins", "--timeout", "5s").exits(3).took(5 * time.Second).prints("").
			printsErrors("blotter: not all margin levels within 5s: no response\n")
	})
}

func TestMarginsInterrupted(t *testing.T) {
	withService(t, func(s *service) {
		s.Silence()
		run := s.start("margins", "--timeout", "1h")
		s.after(5 * time.Second)
		run.interrupt()
		run.result().exits(130).took(5 * time.Second).printsErrors("")
	})
}

// TestMarginsOfANodeThatIsBehind: the end that it reports does not count, because another node has newer blocks.
func TestMarginsOfANodeThatIsBehind(t *testing.T) {
	withService(t, func(s *service) {
		withRecords(s, 20)
		s.StartReplicas(0, 20*time.Second)
		for i := 20; i < 40; i++ {
			s.PutMargins(marginRecord(i))
		}
		s.after(time.Second)
		s.Route(nil, []int{1, 1, 0})
		s.run("margins", "-o", "ndjson", "--page-size", "19").exits(0).prints(marginLines(39, 0)).printsErrors("")
		s.Route(nil, []int{0, 1, 1, 1, 1, 1, 1, 1, 1})
		got := s.run("margins", "-o", "ndjson", "--page-size", "10").exits(3).prints(marginLines(19, 0))
		if want := "blotter: the list of margin levels may not be complete: its end is from a node at block "; !strings.HasPrefix(got.errors, want) {
			t.Errorf("the warning is %q", got.errors)
		}
	})
}
