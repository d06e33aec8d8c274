package system

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// logOf runs a test with a log in a bubble, and returns what the log has at the end, without the times.
func logOf(t *testing.T, test func(log *slog.Logger)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	synctest.Test(t, func(t *testing.T) {
		log, err := OpenLog(path)
		if err != nil {
			t.Fatal(err)
		}
		test(log.Logger())
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^time=\S+ `).ReplaceAllString(string(text), "")
}

func TestEqualLinesOfTheLogAreCounted(t *testing.T) {
	got := logOf(t, func(log *slog.Logger) {
		for range 10 {
			for range 8800 {
				log.Warn("unhandled frame", "type", 11)
			}
			log.Info("connected")
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
		log.Warn("unhandled frame", "type", 11)
	})
	want := `level=WARN msg="unhandled frame" type=11
level=INFO msg=connected
level=WARN msg="unhandled frame" type=11 again="… 87,999 more in 10s"
level=INFO msg=connected again="… 9 more in 10s"
level=WARN msg="unhandled frame" type=11
`
	if got != want {
		t.Errorf("the log has\n%s\nnot\n%s", got, want)
	}
}

func TestDifferentLinesOfTheLogAreLimited(t *testing.T) {
	got := logOf(t, func(log *slog.Logger) {
		for i := range 50_000 {
			log.Warn("frame", "number", i)
			if i%1000 == 0 {
				synctest.Wait() // the queue is written
			}
		}
		time.Sleep(11 * time.Second)
		log.Info("connected")
	})
	if lines := strings.Count(got, "\n"); lines != maxLogBurst+2 {
		t.Errorf("the log has %d lines", lines)
	}
	if want := "level=WARN msg=\"too many lines for the log: … 49,000 more in 10s\"\nlevel=INFO msg=connected\n"; !strings.HasSuffix(got, want) {
		t.Errorf("the log ends with %s", got[max(0, len(got)-300):])
	}
}

func TestLongLineOfTheLogIsCut(t *testing.T) {
	got := logOf(t, func(log *slog.Logger) { log.Warn(strings.Repeat("a", 1<<20)) })
	if len(got) > maxLogLine+10 || !strings.HasSuffix(got, "a…\n") {
		t.Errorf("the line has %d bytes", len(got))
	}
}

// TestLogFileHasALimit: the file before it stays beside it, and no more. Another program with the same log goes on in
// the new file.
func TestLogFileHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, strings.Repeat("an old line\n", 200))
	one, err := openLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := openLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer one.close()
	defer other.close()
	one.limit, other.limit = 1000, 1000
	for i := range 1000 {
		for name, file := range map[string]*logFile{"one": one, "other": other} {
			if _, err := fmt.Fprintf(file, "line %d of %s\n", i, name); err != nil {
				t.Fatal(err)
			}
		}
	}
	var text []byte
	for _, name := range []string{path + ".1", path} {
		part, err := os.ReadFile(name)
		if err != nil || len(part) > 2*1000 { // one for each program
			t.Errorf("%s has %d bytes: %v", name, len(part), err)
		}
		if name != path && len(part) < 900 { // the second program has renamed the new file too
			t.Errorf("the file before has only %d bytes", len(part))
		}
		text = append(text, part...)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 2 {
		t.Errorf("beside the log is more than the one before: %v", entries)
	}
	for line := range bytes.Lines(text) {
		if !regexp.MustCompile(`^line \d+ of (one|other)\n$`).Match(line) {
			t.Errorf("a line is damaged: %q", line)
		}
	}
	if !bytes.Contains(text, []byte("line 999 of one\n")) || !bytes.Contains(text, []byte("line 999 of other\n")) {
		t.Errorf("the last lines are missing in\n%s", text)
	}
}

// TestLogFileThatAnotherProgramHasRenamed twice, while this one wrote less: no line of it is in a file that is gone.
func TestLogFileThatAnotherProgramHasRenamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	busy, err := openLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	quiet, err := openLogFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.close()
	defer quiet.close()
	busy.limit = 1000
	for i := range 100 {
		fmt.Fprintf(busy, "line %d of the busy program\n", i)
		if i%10 == 0 {
			fmt.Fprintf(quiet, "line %d of the other\n", i)
		}
	}
	before, _ := os.ReadFile(path + ".1")
	text, err := os.ReadFile(path)
	if want := "line 90 of the other\n"; err != nil || !strings.Contains(string(before)+string(text), want) {
		t.Errorf("%q is neither in\n%s\nnor in\n%s", want, before, text)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(quiet, "a line after all\n")
	if text, err := os.ReadFile(path); string(text) != "a line after all\n" {
		t.Errorf("after the file was removed, it has %q, %v", text, err)
	}
}

// TestLogFileThatCannotBeRenamed does not grow: its lines are lost, and the log says so.
func TestLogFileThatCannotBeRenamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.MkdirAll(filepath.Join(path+".1", "a folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		log, err := OpenLog(path)
		if err != nil {
			t.Fatal(err)
		}
		log.file.limit = 1000
		for i := range 100 {
			log.Logger().Info("a line", "number", i)
		}
		if err := log.Close(); err == nil || !strings.Contains(err.Error(), " lines could not be written") {
			t.Errorf("the error is %v", err)
		}
	})
	if info, err := os.Stat(path); err != nil || info.Size() > 1000 {
		t.Errorf("it has %d bytes: %v", info.Size(), err)
	}
}
