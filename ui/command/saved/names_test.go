package saved

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"blotter/model"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
	"blotter/ui/persist"
)

func given(section, id, key, value string) persist.GivenName {
	return persist.GivenName{NameField: persist.NameField{Section: section, ID: model.MakeID(id), Key: key}, Value: value}
}

// TestNamesAreAddedToTheFile, together with those that are there already.
func TestNamesAreAddedToTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blotter", "config.names.toml")
	file := &NamesFile{path: path}
	if err := file.Keep([]persist.GivenName{given("party", "a1", "name", "desk-1"), given("market", "b1", "size_decimals", "3")}); err != nil {
		t.Fatal(err)
	}
	another := &NamesFile{path: path} // of another blotter
	if err := another.Keep([]persist.GivenName{given("party", "a2", "name", "desk-2")}); err != nil {
		t.Fatal(err)
	}
	if err := file.Keep([]persist.GivenName{given("market", "b1", "name", "BTC"), given("party", "a1", "name", "")}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, sections, _ := strings.Cut(string(text), "\n\n"); sections != "[[party]]\nid = \"a2\"\nname = \"desk-2\"\n\n[[market]]\nid = \"b1\"\nname = \"BTC\"\nsize_decimals = 3\n" {
		t.Errorf("it has\n%s", text)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	expectNothingElse(t, path)
}

// expectNothingElse checks that a folder has only the file with the names and its lock.
func expectNothingElse(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 || entries[1].Name() != filepath.Base(path)+".lock" {
		t.Errorf("beside it is something else: %v, %v", entries, err)
	}
}

// TestNameThatIsTaken: two programs give one name to two parties. The second one is told which name that is, and saves
// the other names, now and later.
func TestNameThatIsTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	one, two := &NamesFile{path: path}, &NamesFile{path: path}
	if err := one.Keep([]persist.GivenName{given("party", "a1", "name", "desk-1")}); err != nil {
		t.Fatal(err)
	}
	err := two.Keep([]persist.GivenName{given("party", "a2", "name", "desk-1"), given("party", "a3", "name", "desk-3")})
	if err == nil || !strings.Contains(err.Error(), `"desk-1"`) || strings.Contains(err.Error(), "desk-3") {
		t.Errorf("the error is %v", err)
	}
	if err := two.Keep([]persist.GivenName{given("party", "a2", "name", "desk-2")}); err != nil {
		t.Errorf("the next save: %v", err)
	}
	text, _ := os.ReadFile(path)
	for id, name := range map[string]string{"a1": "desk-1", "a2": "desk-2", "a3": "desk-3"} {
		if !strings.Contains(string(text), fmt.Sprintf("id = %q\nname = %q\n", id, name)) {
			t.Errorf("%s is not %s in\n%s", id, name, text)
		}
	}
}

// TestNamesOfSeveralProgramsAtOnce: none is lost.
func TestNamesOfSeveralProgramsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	synctest.Test(t, func(t *testing.T) {
		const blotters, each = 4, 10
		var all sync.WaitGroup
		for b := range blotters {
			all.Go(func() {
				file := &NamesFile{path: path}
				for i := range each {
					id := fmt.Sprintf("a%d%d", b, i)
					if err := file.Keep([]persist.GivenName{given("party", id, "name", "desk-"+id)}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), "name = \"desk-") != blotters*each {
			t.Errorf("%v:\n%s", err, text)
		}
	})
}

// TestNamesAreWrittenAfterALock of another program, with the next ones.
func TestNamesAreWrittenAfterALock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	synctest.Test(t, func(t *testing.T) {
		file := &NamesFile{path: path}
		unlock, err := system.LockFile(path + ".lock")
		if err != nil {
			t.Fatal(err)
		}
		err = file.Keep([]persist.GivenName{given("party", "a1", "name", "desk-1")})
		if want := path + ".lock is locked: another blotter is writing; try again"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		unlock()
		if err := file.Keep([]persist.GivenName{given("party", "a2", "name", "desk-2")}); err != nil {
			t.Error(err)
		}
		if text, _ := os.ReadFile(path); strings.Count(string(text), "name = \"desk-") != 2 {
			t.Errorf("it has\n%s", text)
		}
	})
}

// TestNamesAreWrittenAfterAnError with the next ones: none is lost, and no other file is replaced.
func TestNamesAreWrittenAfterAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	file := &NamesFile{path: path}
	for i, text := range []string{"my shopping list", config.NamesMark + "[[party", config.NamesMark + "[[party]]\nid = 'a9'\nname = 'desk-0'\nsize = 3", ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		name := "desk-" + string(rune('1'+i))
		if err := file.Keep([]persist.GivenName{given("party", "a"+string(rune('1'+i)), "name", name)}); err == nil || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q: the error is %v", text, err)
		}
		if after, _ := os.ReadFile(path); string(after) != text {
			t.Errorf("%q was replaced by %q", text, after)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := file.Keep(nil); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	for _, name := range []string{"desk-1", "desk-2", "desk-3", "desk-4"} {
		if !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("%s is lost: %s", name, text)
		}
	}
}
