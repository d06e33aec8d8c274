package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blotter/feed/sim"
)

// named writes names beside the configuration of the service's surroundings, and returns their path.
func (s *service) named(text string) string {
	s.t.Helper()
	path := filepath.Join(s.environment["XDG_CONFIG_HOME"], "blotter", "config.names.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// TestPrintedNames are those beside the configuration, with any profile; those of the configuration override them.
func TestPrintedNames(t *testing.T) {
	withService(t, func(s *service) {
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
		s.run("config", "check").exits(0).printsErrors("").
			prints(path + ": no problem found; parties: 1, markets: 1, profiles: x; names and decimals of 2 parties, markets and assets are in " + names + "\n")
		shown := strings.Join(strings.Fields(s.run("config", "show").exits(0).printsErrors("").output), " ")
		for _, want := range []string{`market."b1".name = "BTC" # ` + path + ":3 ", `market."b1".size_decimals = 3 # ` + names + ":4 ", `party."a1".name = "desk-1" # ` + names + ":7"} {
			if !strings.Contains(shown, want) {
				t.Errorf("config show does not have %s, but\n%s", want, shown)
			}
		}
	})
}

func TestDamagedNamesAreReportedAndNotUsed(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 1250})
		names := s.named("[[party]]\nid = 'a1'\nname = 'desk-1'\n[[market]]\nid = 'b1'\nsize_decimals = 'x'")
		warning := "blotter: names are not used: " + names + ":6: market.size_decimals: must be a whole number from -18 to 38\n"
		if got := s.run("positions").exits(0).printsErrors(warning).output; strings.Contains(got, "desk-1") {
			t.Errorf("it prints\n%s", got)
		}
		s.run("config", "check").exits(2).prints("").printsErrors(warning)
		path := s.configured("[[party]]\nid = 'a2'\nname = 'desk-1'")
		s.named("[[party]]\nid = 'a1'\nname = 'desk-1'\n[[market]]\nid = 'b1'\nname = 'BTC'")
		clash := "blotter: a name is not used: " + names + ":3: party.name: \"desk-1\" means something else in " + path + "\n"
		if got := s.run("positions").exits(0).printsErrors(clash).output; !strings.Contains(got, "BTC") || strings.Contains(got, "desk-1") {
			t.Errorf("it prints\n%s", got)
		}
		s.run("config", "check").exits(2).printsErrors(clash)
	})
}
