package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/ui/command/system"
)

// bare removes the configuration of the service's surroundings, and returns its path.
func (s *service) bare() string {
	s.t.Helper()
	path := s.configured("")
	if err := os.Remove(path); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// TestConfigInitWritesWhatTheServiceHas, at the standard place; the file is accepted as it is.
func TestConfigInitWritesWhatTheServiceHas(t *testing.T) {
	withService(t, func(s *service) {
		path := s.bare()
		s.environment["BLOTTER_BASE_URL"], s.environment["BLOTTER_TOKEN"] = "http://localhost", "a-secret-token"
		s.Put(first, second, sim.Position{Party: "a\"\n[[x]]\u202e", Market: "b", OpenVolume: 5, AverageEntryPrice: "77"})
		s.PutMargins(sim.MarginLevels{Party: "a", Market: "b", Asset: "u"})
		s.run("config", "init").exits(0).printsErrors("").prints(path + ": written; parties: 3, markets: 3, assets: 1; put in missing names and decimals, then run blotter config check\n")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"# The parties, markets and assets of http://localhost on ", "\nbase_urls = [\"http://localhost\"]\n", "\nid = \"a\\\"\\n[[x]]\\u202E\"\n# name =\n",
			"\nasset = \"u\" # of its margin levels\n# As the service writes it, a position has the size 5 and the entry price 77.\n# price_decimals =\n",
		} {
			if !strings.Contains(string(text), want) {
				t.Errorf("it does not have %q:\n%s", want, text)
			}
		}
		if strings.Contains(string(text), "secret") {
			t.Error("it has the token")
		}
		if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("its mode is %v, %v", info.Mode(), err)
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("beside it is something else: %v", entries)
		}
		s.environment["BLOTTER_BASE_URL"], s.environment["BLOTTER_TOKEN"] = "", ""
		s.run("config", "check").exits(0).printsErrors("").prints(path + ": no problem found; parties: 3, markets: 3\n")
		s.run("positions", "-o", "ndjson", "--party", "a1").exits(0).printsErrors("")
	})
}

// TestConfigInitReplacesNoFile: not the configuration, and no other file, folder or link.
func TestConfigInitReplacesNoFile(t *testing.T) {
	withService(t, func(s *service) {
		path := s.configured("[service]\nname = 'mine'")
		folder := filepath.Dir(path)
		link := filepath.Join(folder, "link.toml")
		if err := os.Symlink(filepath.Join(folder, "nothing"), link); err != nil {
			t.Skip("no links here: ", err)
		}
		s.run("config", "init", "").exits(2).prints("").printsErrors("blotter: the name of the file is empty\n")
		s.run("config", "init").exits(2).prints("").printsErrors("blotter: " + path + " exists already, and is not replaced: name another file, or - to print\n")
		for _, there := range []string{path, folder, link} {
			s.run("config", "init", there).exits(2).prints("").printsErrors("blotter: " + there + " exists already, and is not replaced: name another file, or - to print\n")
		}
		if text, _ := os.ReadFile(path); string(text) != "[service]\nname = 'mine'" {
			t.Errorf("it is %s", text)
		}
		if err := system.CreateFile(link, []byte("x")); err == nil {
			t.Error("a link that came meanwhile is replaced")
		}
		if _, err := os.Lstat(filepath.Join(folder, "nothing")); err == nil {
			t.Error("a link was followed")
		}
		if entries, _ := os.ReadDir(folder); len(entries) != 2 {
			t.Errorf("something else is there: %v", entries)
		}
	})
}

// TestConfigInitToAnotherFile, to the file of --config, and to standard output.
func TestConfigInitToAnotherFile(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first)
		path := s.configured("[[party]]\nid = '" + first.Party + "'\nname = 'desk-1'")
		printed := s.run("config", "init", "-").exits(0).printsErrors("").output
		if !strings.Contains(printed, "\nid = \""+first.Party+"\"\nname = \"desk-1\"\n") {
			t.Errorf("it prints\n%s", printed)
		}
		new := filepath.Join(filepath.Dir(path), "new", "desk.toml")
		s.run("config", "init", new, "--party", "desk-1").exits(0).printsErrors("")
		if text, _ := os.ReadFile(new); !strings.Contains(string(text), ", narrowed by --party or --market.") {
			t.Errorf("it is %s", text)
		}
		other := filepath.Join(filepath.Dir(path), "other.toml")
		s.run("config", "init", "--config", other).exits(0).printsErrors("")
		s.run("config", "check", "--config", other).exits(0).printsErrors("")
		s.run("config", "init", "a", "b").exits(2).printsErrors("blotter: name one file: see blotter config init --help\n")
	})
}

// TestConfigInitWithoutAResponse writes nothing.
func TestConfigInitWithoutAResponse(t *testing.T) {
	withService(t, func(s *service) {
		path := s.bare()
		s.listener.Kill()
		got := s.run("config", "init", "--timeout", "5s").exits(3).prints("")
		if !strings.Contains(got.errors, "no complete snapshot within 5s: ") {
			t.Errorf("the error is %s", got.errors)
		}
		s.environment["BLOTTER_BASE_URL"] = ""
		s.run("config", "init").exits(2).printsErrors("blotter: " + errNoAddress.Error() + "\n")
		if _, err := os.Lstat(path); err == nil {
			t.Error("something was written")
		}
	})
}

// TestConfigInitOfARecording sends no request.
func TestConfigInitOfARecording(t *testing.T) {
	withService(t, func(s *service) {
		path := s.bare()
		recording := filepath.Join(t.TempDir(), "a.zst")
		s.Put(first, second)
		run := s.start("positions", "--follow", "-o", "ndjson", "--record", recording)
		s.after(time.Second)
		run.interrupt()
		run.result().exits(130)
		sent := len(s.Requests())
		s.environment["BLOTTER_BASE_URL"] = ""
		s.run("config", "init", "--replay", recording).exits(0).printsErrors("")
		if len(s.Requests()) != sent {
			t.Error("a request was sent")
		}
		text, _ := os.ReadFile(path)
		for _, want := range []string{"of the recording a.zst on ", "\n# base_urls = ", "id = \"" + first.Party + "\"", "id = \"" + second.Market + "\""} {
			if !strings.Contains(string(text), want) {
				t.Errorf("it does not have %q:\n%s", want, text)
			}
		}
		s.run("config", "check").exits(0).printsErrors("")
	})
}

func TestConfigInitWhereNoFileCanBeCreated(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, fs.FileMode(0o600)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(file, "config.toml")
	if err := system.CreateFile(path, nil); err == nil || !strings.HasPrefix(err.Error(), path+" cannot be written: ") {
		t.Errorf("the error is %v", err)
	}
}
