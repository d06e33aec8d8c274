package command

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPlain: lines of words without a terminal, narrowed by flags, and of a recording.
func TestPlain(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(t.TempDir(), "day.jsonl")
		p := first
		s.Put(p, third)
		run := s.start("--plain", "--party", p.Party, "--record", file)
		s.after(10 * time.Second)
		written := run.output.take()
		for _, line := range []string{"Live.", ": 1 open position.", "The worst:", p.Market + " " + p.Party + ": unrealised PnL "} {
			if !strings.Contains(written, line) {
				t.Errorf("it did not write %q:\n%s", line, written)
			}
		}
		if strings.Contains(written, "\x1b") || strings.Contains(written, third.Party+":") {
			t.Errorf("it wrote %q", written)
		}
		p.OpenVolume, p.UpdatedAt = -7, 1_000_000_000
		s.Update(p)
		s.after(2 * time.Second)
		written = run.output.take()
		if !strings.HasPrefix(written, "Flipped to short, "+p.Market+" "+p.Party+": size -7 raw, ") || strings.Count(written, "\n") != 1 {
			t.Errorf("it wrote %q", written)
		}
		run.interrupt()
		run.result().exits(130).printsErrors("")

		again := s.run("replay", file, "--plain").exits(0).printsErrors("")
		if !strings.Contains(again.output, "Flipped to short, "+p.Market) || !strings.HasSuffix(again.output, "\nThe recording has ended.\n") {
			t.Errorf("of the recording it wrote\n%s", again.output)
		}
		ended := s.run("replay", file, "--plain", "--from", "2099-01-01T00:00").exits(0).printsErrors("")
		if !strings.Contains(ended.output, ": 1 open position.") || !strings.HasSuffix(ended.output, "\nThe recording has ended.\n") {
			t.Errorf("of the end of the recording it wrote\n%s", ended.output)
		}
		s.after(2 * time.Second) // a tick that is under way comes to its end
	})
}

// TestPlainNeedsAnAddress: without one it shows no form on the terminal.
func TestPlainNeedsAnAddress(t *testing.T) {
	withService(t, func(s *service) {
		s.start("--plain", "--base-url", "").result().exits(2)
	})
}
