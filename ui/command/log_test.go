package command

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/ui/command/cli"
)

// TestLogHasALineForEachConnectionAndError that happens between the service and the program.
func TestLogHasALineForEachConnectionAndError(t *testing.T) {
	withService(t, func(s *service) {
		log := filepath.Join(t.TempDir(), "log")
		s.Put(btc, eth)
		following := s.start("positions", "-o", "ndjson", "--follow", "--log-file", log)
		s.after(20 * time.Second) // a connection, a snapshot, audits: the first one has a line
		s.SetStreamResponse(1, sim.Response{Status: 403, Body: `{"message":"slow down"}`, Header: http.Header{"Retry-After": {"30"}}})
		s.Cut() // a loss, a ban
		s.after(40 * time.Second)
		following.interrupt()
		following.result().exits(cli.ExitInterrupted)
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		got := regexp.MustCompile(`(?m)^time=\S+ | address=\S+$`).ReplaceAllString(string(text), "")
		want := strings.Join([]string{
			`level=INFO msg="positions stream: connected"`,
			`level=INFO msg="positions stream: snapshot is whole" positions=2`,
			`level=INFO msg="audit of a positions stream has ended"`,
			`level=WARN msg="positions stream: connection lost (the response was cut short)"`,
			`level=WARN msg="positions stream: the service responded with 403: slow down" wait=30s`,
			`level=INFO msg="positions stream: connected"`,
			`level=INFO msg="positions stream: snapshot is whole" positions=2`,
			`level=INFO msg="audit of a positions stream has ended"`,
			"",
		}, "\n")
		if got != want {
			t.Errorf("the log has\n%s\nnot\n%s", got, want)
		}
	})
}

func TestWarningOfALogOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no full disk here")
	}
	withService(t, func(s *service) {
		s.Put(btc, eth)
		got := s.run("positions", "-o", "ndjson", "--log-file", "/dev/full").exits(cli.ExitDone).
			printsErrors("blotter: --log-file: /dev/full: at least 2 lines could not be written: the disk is full or slow\n")
		if rows := strings.Count(got.output, "\n"); rows != 2 {
			t.Errorf("%d rows", rows)
		}
	})
}
