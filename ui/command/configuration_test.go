package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"blotter/model"
	"blotter/ui/command/cli"
)

// sandbox is the surroundings of a program under test.
type sandbox struct {
	folder      string
	environment map[string]string
	flags       flags
}

func newSandbox(t *testing.T) *sandbox {
	folder := t.TempDir()
	return &sandbox{folder: folder, environment: map[string]string{"XDG_CONFIG_HOME": folder}}
}

// write puts a file into the folder and returns its path.
func (w *sandbox) write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(w.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *sandbox) configure(t *testing.T) (*configuration, error) {
	t.Helper()
	p := newProgram(Process{Output: new(bytes.Buffer), Errors: new(bytes.Buffer), Getenv: func(name string) string { return w.environment[name] }})
	p.flags = w.flags
	c, err := p.configure(t.Context())
	if err == nil {
		t.Cleanup(c.close)
	}
	return c, err
}

const hexID = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789"

func TestFlagsOverrideEnvironmentAndFile(t *testing.T) {
	w := newSandbox(t)
	w.write(t, "blotter/config.toml", "[service]\nbase_urls = ['http://file', 'http://file2']\n[watch]\nparties = ['one']\nmarkets = ['"+hexID+"']\n"+
		"[[party]]\nid = 'id-1'\nname = 'one'\n[[party]]\nid = 'id-2'\nname = 'two'")
	check := func(service string, addresses []string, scope model.Scope) {
		t.Helper()
		c, err := w.configure(t)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(c.feed.BaseURLs, addresses) || c.service != service || !c.scope.Equal(scope) {
			t.Errorf("got %q %q %v", c.service, c.feed.BaseURLs, c.scope)
		}
	}
	market := []model.ID{model.MakeID(strings.ToLower(hexID))}
	check("file", []string{"http://file", "http://file2"}, model.Scope{Parties: []model.ID{model.MakeID("id-1")}, Markets: market})
	w.environment["BLOTTER_BASE_URL"] = "http://environment"
	check("environment", []string{"http://environment"}, model.Scope{Parties: []model.ID{model.MakeID("id-1")}, Markets: market})
	w.flags.baseURLs = []string{"http://flag/path"}
	w.flags.parties = []string{"two", "id-2", "unknown"}
	check("flag", []string{"http://flag/path"}, model.Scope{Parties: []model.ID{model.MakeID("id-2"), model.MakeID("unknown")}, Markets: market})
}

func TestWarningOfUnknownNames(t *testing.T) {
	withService(t, func(s *service) {
		file := s.environment["XDG_CONFIG_HOME"] + "/names.toml"
		if err := os.WriteFile(file, []byte("[[party]]\nid = 'a1'\nname = 'desk-1'"), 0o600); err != nil {
			t.Fatal(err)
		}
		positions := []string{"positions", "-o", "ndjson", "--config", file}
		s.run(append(positions, "--party", "de5c")...).exits(0).
			printsErrors("blotter: --party: \"de5c\" is not in the configuration; sent as typed\n")
		got := s.run(append(positions, "--party", "desk1")...).exits(4)
		if want := "blotter: --party: \"desk1\" is not in the configuration; sent as typed; did you mean desk-1?\n"; !strings.HasPrefix(got.errors, want) {
			t.Errorf("a mistyped name: %q", got.errors)
		}
		for _, known := range []string{"desk-1", "a1", "network", hexID} {
			s.run(append(positions, "--party", known)...).exits(0).printsErrors("")
		}
		s.run(append(positions, "--market", "b1")...).exits(0).printsErrors("") // there are no names of markets
	})
}

func TestPathOfTheConfiguration(t *testing.T) {
	w := newSandbox(t)
	name := func(want string) {
		t.Helper()
		c, err := w.configure(t)
		if err != nil {
			t.Fatal(err)
		}
		if c.service != want {
			t.Errorf("got %s, want %s", c.service, want)
		}
	}
	w.environment["BLOTTER_BASE_URL"] = "http://nobody"
	name("nobody") // no file is needed
	w.write(t, "blotter/config.toml", "[service]\nname = 'folder'")
	name("folder")
	w.environment["BLOTTER_CONFIG"] = w.write(t, "b.toml", "[service]\nname = 'environment'")
	name("environment")
	w.flags.config = w.write(t, "c.toml", "[service]\nname = 'flag'")
	name("flag")
	w.flags.config = filepath.Join(w.folder, "missing.toml")
	if _, err := w.configure(t); err == nil || cli.Message(err) != "blotter: the configuration: "+w.flags.config+" cannot be read: no such file or directory" {
		t.Error(err)
	}
}

func TestErrorWithoutAnAddress(t *testing.T) {
	_, err := newSandbox(t).configure(t)
	want := "blotter: no address of a service: set --base-url, $BLOTTER_BASE_URL or base_urls under [service] in the configuration file, or use --demo"
	if err == nil || cli.Message(err) != want || cli.ExitCode(err) != cli.ExitUsage {
		t.Error(err)
	}
}

func TestDemo(t *testing.T) {
	w := newSandbox(t)
	w.write(t, "blotter/config.toml", "[watch]\nparties = ['elsewhere']")
	w.flags.demo = true
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	var parties []string
	for _, id := range c.scope.Parties {
		parties = append(parties, c.instruments.Party(id).Name)
	}
	if got := strings.Join(parties, " "); got != "desk-1 desk-2 desk-3 desk-4 desk-5 desk-6 desk-7" {
		t.Errorf("the parties of the demo are %s, want its desks, without the network and those of the file", got)
	}
	if len(c.file.Alerts) != 1 {
		t.Errorf("%d alerts in the demo, want one", len(c.file.Alerts))
	}
	w.flags.parties = []string{"desk-1"}
	if c, err = w.configure(t); err != nil {
		t.Fatal(err)
	}
	if !c.demo || len(c.scope.Parties) != 1 || len(c.scope.Parties[0].String()) != 64 {
		t.Errorf("%+v", c.scope)
	}
}

func TestLogFile(t *testing.T) {
	w := newSandbox(t)
	w.environment["BLOTTER_BASE_URL"] = "http://a"
	w.flags.logFile = filepath.Join(w.folder, "none", "log")
	if _, err := w.configure(t); err == nil || cli.ExitCode(err) != cli.ExitUsage {
		t.Error(err)
	}
	w.flags.logFile = filepath.Join(w.folder, "log")
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	c.feed.Logger.Log(context.Background(), 0, "hostile \x1b[31m \u202e text")
	c.close()
	text, err := os.ReadFile(w.flags.logFile)
	if err != nil || !strings.Contains(string(text), `hostile \x1b[31m \u202e text`) {
		t.Errorf("%q %v", text, err)
	}
}
