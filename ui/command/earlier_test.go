package command

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"blotter/feed/sim"
	"blotter/ui/command/saved"
)

var update = flag.Bool("update", false, "write the screens of testdata anew; read them before keeping them")

// TestFilesOfAnEarlierVersion starts the program with a configuration, names and a state that an earlier version has
// written, and compares the screen with that of this version.
func TestFilesOfAnEarlierVersion(t *testing.T) {
	const folder = "testdata/earlier"
	w := newSandbox(t)
	for _, name := range []string{"config.toml", "config.names.toml", "state.json"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, filepath.Join("blotter", name), string(text))
	}
	c, err := w.configure(t)
	if err != nil || c.namesProblem != nil {
		t.Fatal(err, c.namesProblem)
	}
	state, problem := saved.NewStateFile(filepath.Join(w.folder, "blotter", "state.json"), "mainnet").Open()
	if problem != nil {
		t.Fatal(problem)
	}
	screens := &profileSwitch{settings: newProgram(Process{Getenv: os.Getenv}).settings, screen: new(screenFlags), ctx: t.Context()}
	on := setup{options: screens.screenOptions(c, state)}
	on.run(t, func(s *dashboardTest) {
		s.Node.Update(btc, eth, sim.Position{Party: "a3", Market: "b2", OpenVolume: 7000, UnrealisedPnl: "70"},
			sim.Position{Party: "a3", Market: "b1", RealisedPnl: "-5100", UpdatedAt: 946_000_000_000_000_000})
		s.AwaitUpdates().matches(filepath.Join(folder, "start.txt"))
		s.Press("1").matches(filepath.Join(folder, "view-1.txt"))
		s.Press("2").matches(filepath.Join(folder, "view-2.txt"))
		s.Press("5").matches(filepath.Join(folder, "view-5.txt"))
	})
}

// TestExampleOfAnEarlierVersion: a copy of its config.example.toml gives a key to an action that has it no more by
// default, and lacks an action that is new. The program starts, each key does what the file says, and a message tells
// of the other.
func TestExampleOfAnEarlierVersion(t *testing.T) {
	text, err := os.ReadFile("testdata/earlier/example.toml")
	if err != nil {
		t.Fatal(err)
	}
	w := newSandbox(t)
	w.write(t, "blotter/config.toml", string(text))
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	screens := &profileSwitch{settings: newProgram(Process{Getenv: os.Getenv}).settings, screen: new(screenFlags), ctx: t.Context()}
	on := setup{options: screens.screenOptions(c, nil)}
	on.run(t, func(s *dashboardTest) {
		s.AwaitUpdates().Shows("resync has x now; what if has no key.")
		s.Press("x").Shows("Reading everything again.")
		s.Type(":", "w", "h", "a", "t", " ", "i", "f").Shows("▌        what if")
	})
}

// matches compares the screen with that in a file.
func (s *dashboardTest) matches(file string) {
	s.t.Helper()
	matchesFile(s.t, s.Screen(), file)
}

// matchesFile compares what is shown with a file.
func matchesFile(t *testing.T, shown, file string) {
	t.Helper()
	shown += "\n"
	if *update {
		if err := os.WriteFile(file, []byte(shown), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if shown != string(want) {
		t.Errorf("%s: the screen is\n%s\nwant\n%s", file, shown, want)
	}
}
