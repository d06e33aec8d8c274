package command

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"blotter/ui/command/cli"
)

// simulated is blotter simulate on a port of the system.
type simulated struct {
	t              *testing.T
	output, errors capture
	stop           context.CancelFunc
	code           chan int
}

// simulate runs it until the test ends.
func simulate(t *testing.T, arguments ...string) *simulated {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &simulated{t: t, stop: stop, code: make(chan int, 1)}
	go func() {
		s.code <- Run(ctx, Process{
			Arguments: append([]string{"simulate", "--listen", "127.0.0.1:0"}, arguments...),
			Output:    &s.output, Errors: &s.errors, Getenv: func(string) string { return "" },
		})
	}()
	t.Cleanup(func() {
		stop()
		s.code <- <-s.code
	})
	return s
}

// waitFor waits for output that a pattern matches, and returns its first group.
func (s *simulated) waitFor(pattern string) string {
	s.t.Helper()
	text := ""
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		text += s.output.take()
		if found := regexp.MustCompile(pattern).FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}
	s.t.Fatalf("it printed %q %q", text, s.errors.take())
	return ""
}

// run runs a command line in real time.
func run(t *testing.T, arguments ...string) *result {
	t.Helper()
	var output, errors capture
	folder := t.TempDir()
	code := Run(t.Context(), Process{
		Arguments: arguments, Output: &output, Errors: &errors,
		Getenv: func(name string) string { return map[string]string{"XDG_CONFIG_HOME": folder}[name] },
	})
	others, audits := withoutAudits(errors.take())
	return &result{t: t, line: strings.Join(arguments, " "), code: code, output: output.take(), errors: others, audits: audits}
}

func TestSimulateWritesAConfiguration(t *testing.T) {
	folder := t.TempDir()
	file, certificate := filepath.Join(folder, "market.toml"), filepath.Join(folder, "market.pem")
	s := simulate(t, "--rate", "0", "--tls", "--tls-cert", certificate, "--write-config", file)
	if got := s.waitFor(`watch them with: (.*)\n`); got != "blotter --config "+file {
		t.Errorf("it prints to run %q", got)
	}
	got := run(t, "positions", "--config", file).exits(0).printsErrors("")
	if lines := strings.Split(got.output, "\n"); len(lines) < 50 || !strings.Contains(lines[1], "/") || !strings.Contains(got.output, "desk-1") {
		t.Errorf("names are missing in\n%s", got.output)
	}
	s.stop()
	s.waitFor(`(\d+ streams, .* pages of margin levels\n)`)
	if code := <-s.code; code != cli.ExitInterrupted {
		t.Errorf("exit code %d", code)
	} else {
		s.code <- code
	}
}

func TestSimulatePrintsTheKeyForItsCertificate(t *testing.T) {
	certificate := filepath.Join(t.TempDir(), "market.pem")
	s := simulate(t, "--rate", "0", "--tls", "--tls-cert", certificate)
	if got := s.waitFor(`ca_file = "(.*)"\n`); got != certificate {
		t.Errorf("it prints to trust %q", got)
	}
}

func TestSimulateReplacesOnlyItsOwnConfiguration(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	const own = "[service]\nname = 'mine'\n"
	if err := os.WriteFile(file, []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "simulate", "--listen", "127.0.0.1:0", "--write-config", file).exits(cli.ExitUsage).
		printsErrors("blotter: --write-config: " + file + " exists already, and was not written by simulate\n")
	if text, _ := os.ReadFile(file); string(text) != own {
		t.Errorf("it is now %q", text)
	}
}

func TestSimulateLogsFaults(t *testing.T) {
	withService(t, func(s *service) {
		log := filepath.Join(t.TempDir(), "log")
		delete(s.environment, "BLOTTER_BASE_URL")
		following := s.start("positions", "--demo", "--chaos", "7", "-o", "ndjson", "--follow", "--log-file", log)
		s.after(3 * time.Minute)
		following.interrupt()
		following.result().exits(cli.ExitInterrupted)
		text, _ := os.ReadFile(log)
		faults := regexp.MustCompile(`(?m)^time=\S+ level=INFO msg=fault kind=(.+)$`).FindAllStringSubmatch(string(text), -1)
		if len(faults) < 8 {
			t.Errorf("the log has %d faults:\n%.2000s", len(faults), text)
		}
		for _, line := range []string{"level=INFO msg=\"positions stream: connected\"", "msg=\"positions stream: snapshot is whole\" positions=", "level=WARN"} {
			if !strings.Contains(string(text), line) {
				t.Errorf("the log does not have %s:\n%.2000s", line, text)
			}
		}
	})
}

func TestChaosNeedsDemo(t *testing.T) {
	withService(t, func(s *service) {
		s.run("positions", "--chaos", "7").exits(cli.ExitUsage).
			printsErrors("blotter: --chaos: needs --demo\n")
	})
}

// certificateIn is the certificate file of a simulate that runs with these arguments.
func certificateIn(t *testing.T, arguments ...string) string {
	t.Helper()
	return simulate(t, append([]string{"--rate", "0", "--tls"}, arguments...)...).waitFor(`ca_file = "(.*)"\n`)
}

func TestSimulateReplacesOnlyItsOwnCertificate(t *testing.T) {
	folder := t.TempDir()
	own, link := filepath.Join(folder, "own.pem"), filepath.Join(folder, "link.pem")
	if err := os.WriteFile(own, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(folder, "new.pem"), link); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, path := range []string{own, link, folder} {
		run(t, "simulate", "--listen", "127.0.0.1:0", "--tls", "--tls-cert", path).exits(cli.ExitUsage).prints("").
			printsErrors("blotter: --tls-cert: " + path + " exists already, and was not written by simulate\n")
	}
	if text, _ := os.ReadFile(own); string(text) != "mine" {
		t.Errorf("it is now %q", text)
	}
	if _, err := os.Stat(filepath.Join(folder, "new.pem")); err == nil {
		t.Error("it wrote through a link")
	}
}

func TestCertificateCanBeReadByItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "market.pem")
	for range 2 { // the second time over the first
		if got := certificateIn(t, "--tls-cert", path); got != path {
			t.Errorf("the certificate is in %s", got)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info.Mode(), err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	first, second := certificateIn(t), certificateIn(t)
	if first == second || !strings.HasPrefix(first, os.TempDir()) {
		t.Errorf("without a name they are %s and %s", first, second)
	}
}

func TestSimulateWarnsOfOtherMachines(t *testing.T) {
	const warning = "blotter: --listen: other machines can reach this service\n"
	for address, want := range map[string]string{"0.0.0.0:0": warning, "[::]:0": warning, "127.0.0.1:0": "", ":0": "", "localhost:0": ""} {
		s := simulate(t, "--rate", "0", "--listen", address)
		s.waitFor(` (at) http://`)
		if got := s.errors.take(); got != want {
			t.Errorf("%s: it warns of %q", address, got)
		}
	}
}

// TestSimulateHasSeveralNodes: of a few commands in a row, some reach the node without data, and some the correct one.
func TestSimulateHasSeveralNodes(t *testing.T) {
	s := simulate(t, "--rate", "0", "--nodes", "2", "--empty")
	address := s.waitFor(`at (http://\S+);`)
	outputs := map[bool]int{}
	for range 10 {
		got := run(t, "positions", "-o", "csv", "--base-url", address)
		outputs[strings.Count(got.output, "\n") > 100]++
	}
	if outputs[true] == 0 || outputs[false] == 0 {
		t.Errorf("outputs, by whether they have all positions: %v", outputs)
	}
}
