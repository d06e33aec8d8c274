//go:build unix

package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/ui/command/cli"
	"blotter/ui/command/credentials"
)

// makeFIFO makes a FIFO without a writer.
func makeFIFO(t *testing.T, folder string) string {
	fifo := filepath.Join(folder, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip("no FIFOs here: ", err)
	}
	t.Cleanup(func() { // ends a reader that still waits
		if file, err := os.OpenFile(fifo, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			file.Close()
		}
	})
	return fifo
}

func TestInterruptEndsReadingOfTheConfiguration(t *testing.T) {
	fifo := makeFIFO(t, t.TempDir())
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, command := range []string{"config check", "config show", "positions"} {
		var errors capture
		code := Run(ctx, Process{
			Arguments: append(strings.Fields(command), "--config", fifo), Input: strings.NewReader(""), Output: io.Discard, Errors: &errors,
			Getenv: func(string) string { return "" },
		})
		if got := errors.take(); code != cli.ExitInterrupted || got != "" {
			t.Errorf("%s: exit code %d, %q", command, code, got)
		}
	}
}

// TestTimeoutEndsReadingOfFiles: here they are FIFOs without a writer.
func TestTimeoutEndsReadingOfFiles(t *testing.T) {
	t.Parallel() // it takes real time
	w := newSandbox(t)
	fifo := makeFIFO(t, w.folder)
	service := "[service]\nbase_urls = ['https://127.0.0.1:1']\n"
	pair := "client_certificate = 'fifo'\nclient_key = 'fifo'"
	for file, want := range map[string]string{
		fifo: "the configuration: " + fifo + " cannot be read: the timeout is over",
		w.write(t, "a.toml", service+"token_file = 'fifo'"):                             ":3: service.token_file: " + fifo + " cannot be read: the timeout is over",
		w.write(t, "b.toml", service+"ca_file = 'fifo'"):                                ":3: service.ca_file: " + fifo + " cannot be read: the timeout is over",
		w.write(t, "c.toml", service+pair):                                              ":3: service.client_certificate: " + fifo + " cannot be read: the timeout is over",
		w.write(t, "d.toml", service+"token_command = ['sh', '-c', 'sleep 20 & wait']"): ":3: service.token_command: no token: the timeout is over",
	} {
		for _, command := range []string{"positions", "margins", "doctor"} {
			t.Run(command+" "+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				got := run(t, command, "--config", file, "--timeout", "200ms").exits(cli.ExitUnavailable).prints("")
				if !strings.HasSuffix(got.errors, want+"\n") {
					t.Errorf("%s wrote to standard error\n%s\nnot\n%s", got.line, got.errors, want)
				}
			})
		}
	}
}

// TestTimeoutIncludesReadingTheConfiguration and not when the configuration has been read.
func TestTimeoutIncludesReadingTheConfiguration(t *testing.T) {
	for _, command := range []string{"positions", "margins", "doctor"} {
		withService(t, func(s *service) {
			s.Silence()
			s.SetMarginResponse(sim.Always, sim.Response{})
			s.readsConfigFor = 5 * time.Second
			s.run(command, "--timeout", "15s").exits(cli.ExitUnavailable).took(15 * time.Second)
		})
	}
}

func TestErrorWhereOutputCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no full disk here")
	}
	defer full.Close()
	for _, line := range []string{"--help", "help positions", "--version", "doctor --demo", "positions --demo", "margins --demo"} {
		ctx := t.Context()
		var errors capture
		code := Run(ctx, Process{
			Arguments: strings.Fields(line), Input: strings.NewReader(""), Output: full, Errors: &errors,
			Getenv: func(string) string { return "" },
		})
		if got, want := auditLine.ReplaceAllString(errors.take(), ""), "blotter: writing the output: no space left on device\n"; code != cli.ExitFailed || got != want {
			t.Errorf("%s: exit code %d, %q", line, code, got)
		}
	}
}

// TestBlockedLogDelaysNothing: here the log is a FIFO without a reader.
func TestBlockedLogDelaysNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no FIFOs here: ", err)
	}
	run(t, "positions", "--demo", "--log-file", path).exits(cli.ExitUsage).prints("") // no reader has it open
	fifo, err := syscall.Open(path, syscall.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fifo) })
	for size := 1 << 16; size > 0; size /= 2 { // until there is no room
		for err := error(nil); err == nil; {
			_, err = syscall.Write(fifo, make([]byte, size))
		}
	}
	got := run(t, "positions", "--demo", "-o", "ndjson", "--log-file", path).exits(cli.ExitDone)
	if !strings.Contains(got.output, "\n") || !strings.HasSuffix(got.errors, " could not be written: the disk is full or slow\n") {
		t.Errorf("%d bytes, %q", len(got.output), got.errors)
	}
}

// TestAFIFOInPlaceOfKeysIsRefusedAtOnce, and does not wait for a writer.
func TestAFIFOInPlaceOfKeysIsRefusedAtOnce(t *testing.T) {
	fifo := makeFIFO(t, t.TempDir())
	if err := newKeysFiles().readAll(t.Context(), []string{fifo})[fifo].err; err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
	if _, err := credentials.HostKey(fifo); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
}
