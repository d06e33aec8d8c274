package command

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blotter/feed/doctor"
	"blotter/feed/sim"
	"blotter/ui/command/cli"
)

// finds asserts what blotter doctor prints, without the columns.
func (r *result) finds(want ...string) *result {
	r.t.Helper()
	var got []string
	for line := range strings.Lines(r.output) {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		r.t.Errorf("%s prints\n%s\nnot\n%s", r.line, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return r
}

const noneWorks = "blotter: no address works: see above\n"

func TestDoctorOnAServiceThatWorks(t *testing.T) {
	withService(t, func(s *service) {
		for i := range 120 {
			s.Put(sim.Position{Party: fmt.Sprintf("a%d", i), Market: "b1", OpenVolume: 5})
		}
		s.PutMargins(sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "1", Search: "1", Initial: "1", Release: "1"})
		got := s.run("doctor").exits(0).printsErrors("")
		got.finds(
			"ok configuration "+s.environment["XDG_CONFIG_HOME"]+"/blotter/config.toml; the address from $BLOTTER_BASE_URL",
			"ok address http://sim.test",
			"ok connection to 127.0.0.1:80, after 0s",
			"ok TLS not encrypted",
			"ok credentials none were sent, and none were required",
			"ok margin levels response after 0s, with a record",
			"ok node its block 1 is 0s old by this machine's clock",
			"ok positions 120, complete after 0s",
			"ok clock the service's clock agrees with this machine's",
			"ok times updatedAt in nanoseconds; timestamp in nanoseconds",
		)
	})
}

func TestDoctorOnAWrongToken(t *testing.T) {
	withService(t, func(s *service) {
		s.environment["BLOTTER_TOKEN"], s.environment["BLOTTER_BASE_URL"] = "secret", "http://127.0.0.1"
		s.SetMarginResponse(sim.Always, sim.Response{Status: 401, Body: `{"code":16,"message":"token expired"}`})
		s.run("doctor").exits(cli.ExitRefused).printsErrors(noneWorks).finds(
			"ok configuration "+s.environment["XDG_CONFIG_HOME"]+"/blotter/config.toml; the address from $BLOTTER_BASE_URL; the token from $BLOTTER_TOKEN",
			"ok address http://127.0.0.1",
			"ok connection to 127.0.0.1:80, after 0s",
			"ok TLS not encrypted, and need not be: the service is on this machine",
			"FAIL credentials the service responded with 401: token expired; check the token: $BLOTTER_TOKEN, service.token_file or service.token_command",
		)
	})
}

// TestExitCodesOfDoctor: the exit code and one line name the kind of failure.
func TestExitCodesOfDoctor(t *testing.T) {
	for name, c := range map[string]struct {
		arrange func(*service)
		code    int
		error   string
	}{
		"wrong port":        {func(s *service) { s.listener.Kill() }, cli.ExitUnavailable, noneWorks},
		"token without TLS": {func(s *service) { s.environment["BLOTTER_TOKEN"] = "secret" }, cli.ExitUsage, noneWorks},
		"wrong path":        {func(s *service) { s.environment["BLOTTER_BASE_URL"] = "http://sim.test/wrong" }, cli.ExitRefused, noneWorks},
		"ban": {func(s *service) {
			s.SetMarginResponse(1, sim.Response{Status: 403, Body: `{"message":"banned"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		}, cli.ExitUnavailable, "blotter: positions work, margin levels do not: see above\n"},
		"no stream": {func(s *service) { s.SetStreamResponse(1, sim.Response{}) }, cli.ExitUnavailable, "blotter: no address works within 14s: see above\n"},
		"no margin levels": {func(s *service) { s.SetMarginResponse(1, sim.Response{Status: 404, Body: "nothing"}) }, cli.ExitRefused,
			"blotter: positions work, margin levels do not: see above\n"},
		"a fault of margin levels": {func(s *service) { s.SetMarginResponse(1, sim.Response{Status: 500, Body: "broken"}) }, cli.ExitUnavailable,
			"blotter: positions work, margin levels do not: see above\n"},
	} {
		t.Run(name, func(t *testing.T) {
			withService(t, func(s *service) {
				c.arrange(s)
				got := s.run("doctor", "--timeout", "14s").exits(c.code).printsErrors(c.error)
				if !strings.Contains(got.output, "\nFAIL ") {
					t.Errorf("it prints\n%s", got.output)
				}
			})
		})
	}
}

func TestDoctorNamesEachSubscription(t *testing.T) {
	withService(t, func(s *service) {
		names := "[[market]]\nid = 'b1'\nname = 'BTC/USDT'\n"
		for _, n := range []string{"1", "2", "3"} {
			names += "[[party]]\nid = 'a" + n + "'\nname = 'desk-" + n + "'\n"
		}
		if err := os.WriteFile(s.environment["XDG_CONFIG_HOME"]+"/blotter/config.toml", []byte(names), 0o600); err != nil {
			t.Fatal(err)
		}
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5}, sim.Position{Party: "a2", Market: "b1", OpenVolume: 5})
		s.SetStreamResponse(1, sim.Response{Status: 503})
		s.SetStreamResponse(1, sim.Response{Status: 503})
		got := s.run("doctor", "--party", "desk-1", "--party", "desk-2", "--party", "desk-3", "--market", "b1").exits(cli.ExitUnavailable)
		got.printsErrors("blotter: of 3 subscriptions that were tried, 2 failed: see above\n")
		for _, name := range []string{"desk-1", "desk-2", "desk-3"} {
			if strings.Count(got.output, " positions      "+name+": ") != 1 {
				t.Errorf("there is no line about %s:\n%s", name, got.output)
			}
		}
		if strings.Count(got.output, "FAIL positions      desk-") != 2 {
			t.Errorf("it prints\n%s", got.output)
		}
	})
}

func TestDoctorOnASelfSignedCertificate(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "market.toml")
	s := simulate(t, "--rate", "0", "--tls", "--tls-cert", filepath.Join(folder, "market.pem"), "--write-config", file)
	address := s.waitFor(` at (https://\S+);`)
	got := run(t, "doctor", "--base-url", address).exits(cli.ExitUnavailable).printsErrors(noneWorks)
	want := "FAIL TLS            the certificate is signed by an authority that is not known here; name it with ca_file\n"
	if !strings.HasSuffix(got.output, want) {
		t.Errorf("it prints\n%s", got.output)
	}
	got = run(t, "doctor", "--config", file).exits(0).printsErrors("")
	for _, want := range []string{"configuration  " + file + "; the address from service.base_urls\n", "TLS            TLS 1.3, with the certificate of \"blotter simulate\", valid until 20"} {
		if !strings.Contains(got.output, want) {
			t.Errorf("it does not print %q:\n%s", want, got.output)
		}
	}
}

// TestDoctorEndsLinesBetweenWords on a terminal; in a pipe each finding is one line.
func TestDoctorEndsLinesBetweenWords(t *testing.T) {
	c := new(doctorCommand)
	finding := doctor.Finding{About: "margin levels", Detail: "no response in time.", Advice: "check $BLOTTER_TOKEN or service.token_file", Err: errors.New("timeout")}
	want := []string{
		"FAIL margin levels  no response in time;",
		"                    check $BLOTTER_TOKEN",
		"                    or",
		"                    service.token_file",
	}
	if got := c.lines(finding, 40); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := c.lines(finding, 0); len(got) != 1 || !strings.Contains(got[0], "; check $BLOTTER_TOKEN") {
		t.Errorf("%q", got)
	}
}
