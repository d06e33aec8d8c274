package command

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// finds checks what blotter doctor prints, less the columns.
func (r *result) finds(want ...string) *result {
	r.t.Helper()
	var got []string
	for line := range strings.Lines(r.output) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		r.t.Errorf("%s found\n%s\nnot\n%s", r.line, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return r
}

const unwell = "blotter: no address works: see above\n"

func TestDoctorOnAGoodService(t *testing.T) {
	play(t, func(s *service) {
		for i := range 120 {
			s.Put(sim.Position{Party: fmt.Sprintf("a%d", i), Market: "b1", OpenVolume: 5})
		}
		s.PutMargins(sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "1", Search: "1", Initial: "1", Release: "1"})
		s.after(90 * time.Second)
		file := s.environment["XDG_CONFIG_HOME"] + "/blotter/config.toml"
		got := s.run("doctor").exits(0).complains("")
		size := between(got.output, "in a snapshot of ", " kB")
		got.finds(
			"ok configuration "+file+"; the address from $BLOTTER_BASE_URL",
			"ok address http://sim.test",
			"ok TLS none: whoever is on the way can read along",
			"ok credentials none are sent, and none were asked for",
			"ok margin levels answered after 0s, with a record",
			"ok node "+between(got.output, "node           ", "\n"),
			"ok positions 120 in a snapshot of "+size+" kB, begun after 0s, whole after 0s",
			"ok clock the newest position is 1m30s old by this machine's clock",
		)
	})
}

// between is the text between two others.
func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

func TestDoctorOnAWrongToken(t *testing.T) {
	play(t, func(s *service) {
		s.environment["BLOTTER_TOKEN"], s.environment["BLOTTER_BASE_URL"] = "secret", "http://127.0.0.1"
		s.AnswerMargins(sim.Always, sim.Answer{Status: 401, Body: `{"code":16,"message":"token expired"}`})
		s.run("doctor").exits(exitRefused).complains(unwell).finds(
			"ok configuration "+s.environment["XDG_CONFIG_HOME"]+"/blotter/config.toml; the address from $BLOTTER_BASE_URL; the token from $BLOTTER_TOKEN",
			"ok address http://127.0.0.1",
			"ok TLS none, and none is needed: the service is on this machine",
			"FAIL credentials the service answered 401: token expired; check the token: $BLOTTER_TOKEN, service.token_file or service.token_command",
		)
	})
}

func TestDoctorFails(t *testing.T) {
	const stuck = "; margin levels are answered, so it is the stream that is stuck: ask whoever runs the service"
	for name, test := range map[string]struct {
		arguments string
		arrange   func(*service)
		code      int
		last      string
	}{
		"wrong port": {code: exitUnavailable, arrange: func(s *service) { s.listener.Kill() },
			last: "FAIL connection connection refused: nothing listens there; check the host and port, and that the service runs"},
		"no such name": {code: exitUnavailable, arrange: func(s *service) {
			s.dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.DNSError{Err: "no such host", Name: "sim.test", IsNotFound: true}
			}
		}, last: `FAIL name no host is called "sim.test"; check the spelling, and the name servers of this machine`},
		"token without TLS": {code: exitUsage, arrange: func(s *service) { s.environment["BLOTTER_TOKEN"] = "secret" },
			last: "FAIL credentials the token is not sent without TLS to a host that is not this machine; use an https:// address"},
		"wrong path": {code: exitRefused, arrange: func(s *service) { s.environment["BLOTTER_BASE_URL"] = "http://sim.test/wrong" },
			last: "FAIL positions the service answered 404: Not Found; check the path of the address: the operations are looked for below it"},
		"ban": {code: exitUnavailable, arrange: func(s *service) {
			s.AnswerMargins(1, sim.Answer{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		}, last: "FAIL margin levels the service answered 403: banned; wait 10m0s: the service limits this address"},
		"HTML": {code: exitUnavailable, arrange: func(s *service) {
			s.AnswerMargins(1, sim.Answer{Status: 200, Body: "<html>Hello</html>"})
			s.AnswerStreams(1, sim.Answer{Status: 200, Body: "<html>Hello</html>"})
		}, last: `FAIL positions the answer is not JSON; it begins with "<html>Hello</html>"; check that it is a trading data service that answers there`},
		"no operation answers": {code: exitRefused, arrange: func(s *service) {
			s.AnswerMargins(1, sim.Answer{Status: 404, Body: "nothing"})
			s.AnswerStreams(1, sim.Answer{})
		}, last: "FAIL positions the stream stays silent; ask whoever runs the service"},
		"positions are missing": {code: exitRefused, arrange: func(s *service) { s.AnswerStreams(1, sim.Answer{Status: 404, Body: "nothing"}) },
			last: "FAIL positions the service answered 404: nothing"},
		"no stream": {code: exitUnavailable, arrange: func(s *service) { s.AnswerStreams(1, sim.Answer{}) },
			last: "FAIL positions the stream stays silent" + stuck},
		"half a snapshot": {code: exitUnavailable, arrange: func(s *service) {
			for i := range 120 {
				s.Put(sim.Position{Party: fmt.Sprintf("a%d", i), Market: "b1", OpenVolume: 5})
			}
			s.HoldSnapshot(1)
		}, last: "FAIL positions the snapshot stopped after 50 positions" + stuck},
		"quiet pair": {arguments: "--party a1 --market b1", arrange: func(*service) {},
			last: "ok positions silent for 3s: there is no such position, which is how a service says so"},
		"clock ahead": {arrange: func(s *service) {
			s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5, UpdatedAt: time.Now().Add(time.Hour).UnixNano()})
		}, last: "warn clock the newest position is 1h0m0s ahead of this machine's clock; set the clock of this machine, or have that of the service set"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *service) {
				test.arrange(s)
				got := s.run(append([]string{"doctor", "--timeout", "14s"}, strings.Fields(test.arguments)...)...).exits(test.code)
				lines := strings.Split(strings.TrimSpace(got.output), "\n")
				if last := strings.Join(strings.Fields(lines[len(lines)-1]), " "); last != test.last {
					t.Errorf("the last of its lines is\n%s\nnot\n%s\n%s", last, test.last, got.errors)
				}
				if wrong := test.code != 0; wrong != (got.errors != "") || strings.Count(got.errors, "\n") > 1 {
					t.Errorf("standard error has %q", got.errors)
				}
				s.Speak()
				s.Release()
			})
		})
	}
}

func TestDoctorWherePositionsAloneAreWell(t *testing.T) {
	play(t, func(s *service) {
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5})
		for _, test := range []struct {
			answer sim.Answer
			code   int
			says   string
		}{
			{sim.Answer{Status: 404, Body: "nothing"}, exitRefused, "the service answered 404: nothing\n"},
			{sim.Answer{Status: 500, Body: "broken"}, exitUnavailable, "the service answered 500: broken; the service has a fault of its own: ask whoever runs it\n"},
			{sim.Answer{Status: 200, Body: "[]"}, exitUnavailable, "check that it is a trading data service that answers there\n"},
		} {
			s.AnswerMargins(1, test.answer)
			got := s.run("doctor").exits(test.code).complains("blotter: positions are well, margin levels are not: see above\n")
			if !strings.Contains(got.output, "FAIL margin levels  ") || !strings.Contains(got.output, test.says) ||
				!strings.Contains(got.output, "ok   positions      1 in a snapshot") {
				t.Errorf("it says\n%s", got.output)
			}
		}
	})
}

// lookedAt are the lines about positions, less the columns.
func (r *result) lookedAt() (lines []string) {
	for line := range strings.Lines(r.output) {
		if line = strings.Join(strings.Fields(line), " "); strings.Contains(line, " positions ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// TestDoctorTriesEverySubscription, and not the first alone.
func TestDoctorTriesEverySubscription(t *testing.T) {
	play(t, func(s *service) {
		names := "[[market]]\nid = 'b1'\nname = 'BTC/USDT'\n"
		for _, n := range []string{"1", "2", "3"} {
			names += "[[party]]\nid = 'a" + n + "'\nname = 'desk-" + n + "'\n"
		}
		if err := os.WriteFile(s.environment["XDG_CONFIG_HOME"]+"/blotter/config.toml", []byte(names), 0o600); err != nil {
			t.Fatal(err)
		}
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5}, sim.Position{Party: "a2", Market: "b1", OpenVolume: 5})
		s.after(time.Second)
		got := s.run("doctor", "--party", "desk-1", "--party", "desk-2", "--party", "desk-3", "--market", "b1").exits(0).complains("").took(3 * time.Second)
		lines := got.lookedAt()
		for i, want := range []string{"ok positions desk-1 · BTC/USDT: 1 in a snapshot of ", "ok positions desk-2 · BTC/USDT: 1 in a snapshot of ",
			"ok positions desk-3 · BTC/USDT: silent for 3s: there is no such position"} {
			if len(lines) != 3 || !strings.HasPrefix(lines[i], want) {
				t.Fatalf("it says\n%s", got.output)
			}
		}
		if strings.Count(got.output, "the newest position is") != 1 {
			t.Errorf("it says\n%s", got.output)
		}
		for _, test := range []struct {
			answers []sim.Answer
			code    int
			summary string
		}{
			{[]sim.Answer{{Status: 503}}, exitUnavailable, "blotter: of 3 subscriptions that were tried, 1 failed: see above\n"},
			{[]sim.Answer{{Status: 503}, {Status: 400}}, exitRefused, "blotter: of 3 subscriptions that were tried, 2 failed: see above\n"},
			{[]sim.Answer{{Status: 503}, {Status: 400}, {Status: 503}}, exitRefused, unwell},
			{[]sim.Answer{{}}, exitUnavailable, "blotter: of 3 subscriptions that were tried, 1 failed: see above\n"},
		} {
			for _, answer := range test.answers {
				s.AnswerStreams(1, answer)
			}
			got := s.run("doctor", "--timeout", "14s", "--party", "desk-1", "--party", "desk-2", "--party", "desk-3").exits(test.code).complains(test.summary)
			if failed := strings.Count(got.output, "FAIL positions      "); failed != len(test.answers) || len(got.lookedAt()) != 3 {
				t.Errorf("%d failed, of\n%s", failed, got.output)
			}
		}
	})
}

func TestDoctorTriesTheFirstOfManySubscriptions(t *testing.T) {
	play(t, func(s *service) {
		arguments := []string{"doctor"}
		for i := range 30 {
			arguments = append(arguments, "--party", fmt.Sprintf("a%d", i))
		}
		for status, tried := range map[int]int{200: 10, 500: 5} { // an address that fails is spared
			if status != 200 {
				s.AnswerMargins(1, sim.Answer{Status: status})
			}
			before := s.Counters().StreamsOpened
			lines := s.run(arguments...).lookedAt()
			note := fmt.Sprintf("ok positions only the first %d of 30 subscriptions are tried", tried)
			if len(lines) != tried+1 || lines[0] != note || !strings.HasPrefix(lines[tried], fmt.Sprintf("ok positions a%d: 0 in a snapshot", tried-1)) {
				t.Errorf("it says\n%s", strings.Join(lines, "\n"))
			}
			if opened := s.Counters().StreamsOpened - before; opened != int64(tried) {
				t.Errorf("%d streams were opened", opened)
			}
		}
	})
}

func TestDoctorSendsNoTokenInClear(t *testing.T) {
	play(t, func(s *service) {
		s.environment["BLOTTER_TOKEN"] = "secret"
		s.run("doctor").exits(exitUsage)
		if sent := s.Requests(); len(sent) > 0 {
			t.Errorf("%v was sent", sent)
		}
	})
}

func TestDoctorOnACertificateThatSignsItself(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "market.toml")
	s := simulate(t, "--rate", "0", "--tls", "--tls-cert", filepath.Join(folder, "market.pem"), "--write-config", file)
	address := s.says(` at (https://\S+);`)
	got := run(t, "doctor", "--base-url", address).exits(exitUnavailable).complains(unwell)
	want := "FAIL TLS            the certificate is signed by an authority that is not known here; name it with ca_file\n"
	if !strings.HasSuffix(got.output, want) {
		t.Errorf("it says\n%s", got.output)
	}
	got = run(t, "doctor", "--config", file).exits(0).complains("")
	for _, want := range []string{"configuration  " + file + "; the address from service.base_urls\n", "TLS            TLS 1.3, with the certificate of \"blotter simulate\", good until 20"} {
		if !strings.Contains(got.output, want) {
			t.Errorf("it does not say %q:\n%s", want, got.output)
		}
	}
}
