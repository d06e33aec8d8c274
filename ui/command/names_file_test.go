package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui"
	"blotter/ui/command/config"
)

func given(section, id, key, value string) ui.GivenName {
	return ui.GivenName{NameKey: ui.NameKey{Section: section, ID: model.MakeID(id), Key: key}, Value: value}
}

// TestNamesAreKeptForTheNextRun, together with those that are there already.
func TestNamesAreKeptForTheNextRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blotter", "config.names.toml")
	file := &namesFile{path: path}
	if err := file.Keep([]ui.GivenName{given("party", "a1", "name", "desk-1"), given("market", "b1", "size_decimals", "3")}); err != nil {
		t.Fatal(err)
	}
	another := &namesFile{path: path} // of another blotter
	if err := another.Keep([]ui.GivenName{given("party", "a2", "name", "desk-2")}); err != nil {
		t.Fatal(err)
	}
	if err := file.Keep([]ui.GivenName{given("market", "b1", "name", "BTC"), given("party", "a1", "name", "")}); err != nil {
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
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("beside it is something else: %v", entries)
	}
}

// TestNamesOfSeveralBlottersAtOnce: none is lost.
func TestNamesOfSeveralBlottersAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	synctest.Test(t, func(t *testing.T) {
		const blotters, each = 4, 10
		var all sync.WaitGroup
		for b := range blotters {
			all.Go(func() {
				file := &namesFile{path: path}
				for i := range each {
					id := fmt.Sprintf("a%d%d", b, i)
					if err := file.Keep([]ui.GivenName{given("party", id, "name", "desk-"+id)}); err != nil {
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

// TestALockThatWasLeftBehind is named, and the names are saved with the next ones.
func TestALockThatWasLeftBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	synctest.Test(t, func(t *testing.T) {
		file := &namesFile{path: path}
		if err := os.WriteFile(path+".lock", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		err := file.Keep([]ui.GivenName{given("party", "a1", "name", "desk-1")})
		if want := path + ".lock is there: remove it if no other blotter is saving names"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		os.Remove(path + ".lock")
		if err := file.Keep([]ui.GivenName{given("party", "a2", "name", "desk-2")}); err != nil {
			t.Error(err)
		}
		if text, _ := os.ReadFile(path); strings.Count(string(text), "name = \"desk-") != 2 {
			t.Errorf("it has\n%s", text)
		}
	})
}

// TestNamesThatCannotBeWrittenAreWrittenWithTheNext: nothing is lost, and nothing else is replaced.
func TestNamesThatCannotBeWrittenAreWrittenWithTheNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.names.toml")
	file := &namesFile{path: path}
	for i, text := range []string{"my shopping list", config.NamesMark + "[[party", config.NamesMark + "[[party]]\nid = 'a9'\nname = 'desk-0'\nsize = 3", ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		name := "desk-" + string(rune('1'+i))
		if err := file.Keep([]ui.GivenName{given("party", "a"+string(rune('1'+i)), "name", name)}); err == nil || !strings.HasPrefix(err.Error(), path) {
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

// named writes names beside the configuration of the service's surroundings, and returns their path.
func (s *service) named(text string) string {
	s.t.Helper()
	path := filepath.Join(s.environment["XDG_CONFIG_HOME"], "blotter", "config.names.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// TestScriptsUseTheNames, with any profile; what the configuration says comes first.
func TestScriptsUseTheNames(t *testing.T) {
	play(t, func(s *service) {
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 1250}, sim.Position{Party: "a2", Market: "b1", OpenVolume: 7})
		path := s.configured("[[market]]\nid = 'b1'\nname = 'BTC'\n[profile.x]\nscreen.page_size = 3")
		names := s.named("[[market]]\nid = 'b1'\nname = 'mine'\nsize_decimals = 3\n[[party]]\nid = 'a1'\nname = 'desk-1'")
		for _, arguments := range []string{"", "--profile x"} {
			got := s.run(append([]string{"positions", "--party", "desk-1"}, strings.Fields(arguments)...)...).exits(0).output
			if !strings.Contains(got, "BTC") || !strings.Contains(got, "1.250") || strings.Contains(got, "mine") || strings.Contains(got, "0.007") {
				t.Errorf("it prints\n%s", got)
			}
		}
		s.run("__complete", "positions", "--party", "d").exits(0).prints("desk-1\ta1\n:4\n")
		s.run("config", "check").exits(0).complains("").
			prints(path + ": no problem found; parties: 1, markets: 1, profiles: x; with 2 names and decimals of " + names + "\n")
		shown := strings.Join(strings.Fields(s.run("config", "show").exits(0).complains("").output), " ")
		for _, want := range []string{`market."b1".name = "BTC" # ` + path + ":3 ", `market."b1".size_decimals = 3 # ` + names + ":4 ", `party."a1".name = "desk-1" # ` + names + ":7"} {
			if !strings.Contains(shown, want) {
				t.Errorf("config show does not have %s, but\n%s", want, shown)
			}
		}
	})
}

// TestDamagedNamesAreReportedAndNotUsed.
func TestDamagedNamesAreReportedAndNotUsed(t *testing.T) {
	play(t, func(s *service) {
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 1250})
		names := s.named("[[party]]\nid = 'a1'\nname = 'desk-1'\n[[market]]\nid = 'b1'\nsize_decimals = 'x'")
		warning := "blotter: names are not used: " + names + ":6: market.size_decimals: must be a whole number from 0 to 38\n"
		if got := s.run("positions").exits(0).complains(warning).output; strings.Contains(got, "desk-1") {
			t.Errorf("it prints\n%s", got)
		}
		s.run("config", "check").exits(2).prints("").complains(warning)
		path := s.configured("[[party]]\nid = 'a2'\nname = 'desk-1'")
		s.named("[[party]]\nid = 'a1'\nname = 'desk-1'\n[[market]]\nid = 'b1'\nname = 'BTC'")
		clash := "blotter: a name is not used: " + names + ":3: party.name: \"desk-1\" means something else in " + path + "\n"
		if got := s.run("positions").exits(0).complains(clash).output; !strings.Contains(got, "BTC") || strings.Contains(got, "desk-1") {
			t.Errorf("it prints\n%s", got)
		}
		s.run("config", "check").exits(2).complains(clash)
	})
}
