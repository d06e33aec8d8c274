//go:build unix

package command

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/ui/command/cli"
)

// TestTheEndOfTheReaderEndsTheCommand, also on a service that sends nothing more.
func TestTheEndOfTheReaderEndsTheCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "market.toml")
	s := simulate(t, "--rate", "0", "--write-config", file)
	s.waitFor(`(watch them with)`)
	for line, hasOutput := range map[string]bool{"positions -o ndjson --follow": true, "--plain": true, "events --follow": false} {
		t.Run(line, func(t *testing.T) {
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer write.Close()
			var errors capture
			folder := t.TempDir()
			code := make(chan int, 1)
			go func() {
				code <- Run(t.Context(), Process{
					Arguments: append(strings.Fields(line), "--config", file), Input: strings.NewReader(""), Output: write, Errors: &errors,
					Getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": folder}[name] },
				})
			}()
			if hasOutput {
				if first, err := bufio.NewReader(read).ReadString('\n'); err != nil {
					t.Fatalf("it wrote %q: %v", first, err)
				}
			}
			read.Close()
			select {
			case got := <-code:
				words := errors.take() // unaudited rows may be said
				if got != cli.ExitDone || words != "" && !strings.Contains(words, "are not verified") {
					t.Errorf("exit code %d, and it wrote %q", got, words)
				}
			case <-time.After(time.Minute):
				t.Error("it still runs a minute after its reader has ended")
			}
		})
	}
}
