//go:build unix

package terminaltest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestAKilledRecordingIsPlayed up to a moment before its end, and the end is named: a process that records is killed a
// moment after it has written some updates.
func TestAKilledRecordingIsPlayed(t *testing.T) {
	for _, moment := range []time.Duration{0, 170 * time.Millisecond, 640 * time.Millisecond} {
		t.Run(moment.String(), func(t *testing.T) {
			t.Parallel()
			position := sim.Position{Party: "a1", Market: "b1", OpenVolume: 1, UpdatedAt: 1}
			node, address := serve(t, position)
			file := filepath.Join(t.TempDir(), "killed.jsonl")
			recording := process(t, "positions", "--base-url", address, "--follow", "-o", "ndjson", "--record", file)
			output, err := recording.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := recording.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = recording.Process.Kill() })
			var printed atomic.Int64 // the newest profit that was printed
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for lines := bufio.NewScanner(output); lines.Scan(); {
					printed.Store(profitIn(t, lines.Text()))
				}
			}()
			profit := int64(0)
			// awaits updates the position until something has happened.
			awaits := func(what string, is func() bool) {
				for deadline := time.Now().Add(atTheLatest); !is(); time.Sleep(20 * time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatalf("no %s", what)
					}
					profit++
					position.UnrealisedPnl, position.UpdatedAt = strconv.FormatInt(profit, 10), profit+1
					node.Update(position)
				}
			}
			awaits("profit was printed", func() bool { return printed.Load() > 0 })
			written := printed.Load()
			awaits("profit was written", func() bool { return lastProfitIn(file) >= written })
			time.Sleep(moment)
			_ = recording.Process.Kill()
			<-ended
			_ = recording.Wait()
			replay := process(t, "positions", "--replay", file, "-o", "ndjson")
			var warnings strings.Builder
			replay.Stderr = &warnings
			rows, err := replay.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, &warnings)
			}
			if got := profitIn(t, string(rows)); got < written || got > profit {
				t.Errorf("the profit is %d, want at least %d, which was written, and at most %d", got, written, profit)
			}
			if words := warnings.String(); !strings.Contains(words, file) || !strings.Contains(words, "; the recording ends at ") {
				t.Errorf("it warns %q", words)
			}
		})
	}
}

// profits are the unrealised PnLs in a recording.
var profits = regexp.MustCompile(`"unrealisedPnl":"(\d+)"`)

// lastProfitIn returns the last profit in a recording that is being written; 0 if there is none.
func lastProfitIn(file string) int64 {
	text, _ := os.ReadFile(file)
	found := profits.FindAllSubmatch(text, -1)
	if len(found) == 0 {
		return 0
	}
	profit, _ := strconv.ParseInt(string(found[len(found)-1][1]), 10, 64)
	return profit
}

// process returns a process of the program.
func process(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	p := exec.Command(os.Args[0], arguments...)
	folder := t.TempDir()
	p.Env = append(os.Environ(), "BLOTTER_TEST_MODE=main", "XDG_CONFIG_HOME="+folder, "XDG_STATE_HOME="+folder)
	return p
}

// profitIn returns the unrealised PnL of a row.
func profitIn(t *testing.T, line string) int64 {
	t.Helper()
	var row struct{ UnrealisedPnl string }
	if err := json.Unmarshal([]byte(line), &row); err != nil {
		t.Errorf("%q: %v", line, err)
	}
	profit, err := strconv.ParseInt(row.UnrealisedPnl, 10, 64)
	if err != nil {
		t.Errorf("%q: %v", line, err)
	}
	return profit
}
