package saved

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/model/modeltest"
	"blotter/ui/persist"
)

// saveVariable names the file that the test program saves names in until it is killed.
const saveVariable = "BLOTTER_TEST_SAVE"

func TestMain(m *testing.M) {
	if path := os.Getenv(saveVariable); path != "" {
		saveUntilKilled(path)
	}
	os.Exit(m.Run())
}

// saveUntilKilled saves names as fast as it can, and writes a byte after each time.
func saveUntilKilled(path string) {
	file := &NamesFile{path: path}
	for i := 0; ; i++ {
		if err := file.Keep([]persist.GivenName{given("party", "a1", "name", fmt.Sprint("killed-", i))}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if _, err := os.Stdout.WriteString("."); err != nil {
			os.Exit(1)
		}
	}
}

// TestKillWhileNamesAreSaved: a program that is killed while it saves a name leaves nothing locked, no damaged file,
// and no temporary file for longer than an hour. The names of others are not lost.
func TestKillWhileNamesAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	kills := modeltest.Times(100)
	for i := range kills {
		saving := exec.Command(os.Args[0])
		saving.Env = append(os.Environ(), saveVariable+"="+path)
		saving.Stderr = os.Stderr
		output, err := saving.StdoutPipe()
		if err == nil {
			err = saving.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = output.Read(make([]byte, 1+i%5)) // it is in the middle of the next one
		if killErr := saving.Process.Kill(); err != nil || killErr != nil {
			t.Fatal(err, killErr)
		}
		_ = saving.Wait()
		file := &NamesFile{path: path}
		id := fmt.Sprint("b", i)
		if err := file.Keep([]persist.GivenName{given("party", id, "name", "desk-"+id)}); err != nil {
			t.Fatalf("after %d kills: %v", i+1, err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	hourAgo := time.Now().Add(-61 * time.Minute)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".blotter-") {
			name := filepath.Join(filepath.Dir(path), entry.Name())
			if err := os.Chtimes(name, hourAgo, hourAgo); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := (&NamesFile{path: path}).Keep(nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "name = \"desk-") != kills {
		t.Errorf("%v: it has\n%s", err, text)
	}
	expectNothingElse(t, path)
}
