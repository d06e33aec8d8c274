package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/command/saved"
	"blotter/ui/persist"
)

// makeScreenGroup keeps a group of one position in the state of the service, as the screen does.
func (s *service) makeScreenGroup(name, party, market string) {
	s.t.Helper()
	s.environment["XDG_STATE_HOME"] = s.t.TempDir()
	file := saved.NewStateFile(filepath.Join(s.environment["XDG_STATE_HOME"], "blotter", "state.json"), "sim.test")
	key := model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}
	if err := file.Remember(persist.State{Groups: []persist.Group{{Name: name, Positions: []model.Key{key}}}}); err != nil {
		s.t.Fatal(err)
	}
}

// TestFilterOfAGroupOfTheScreen: commands and --plain know the groups that were made there. A group that is nowhere is
// an error.
func TestFilterOfAGroupOfTheScreen(t *testing.T) {
	withService(t, func(s *service) {
		s.Put(first, second, third)
		s.run("positions", "-o", "ndjson", "--filter", "group:hot").exits(2).prints("").
			printsErrors("blotter: --filter: no group has \"hot\" in its name; there are none: the configuration has no [[group]], and none was made on the screen\n")
		s.makeScreenGroup("hot", "a1", "b1")
		s.run("positions", "-o", "ndjson", "--filter", "group:hot").exits(0).prints(line(first)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--until", "group:hot").exits(0).prints(line(first)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "group:cold").exits(2).prints("").
			printsErrors("blotter: --filter: no group has \"cold\" in its name; groups: hot\n")
		s.run("--plain", "--no-state", "--filter", "group:hot").exits(2)
		run := s.start("--plain", "--filter", "group:hot")
		s.after(3 * time.Second)
		run.interrupt()
		result := run.result()
		result.exits(130)
		s.after(2 * time.Second) // a tick that is under way comes to its end
		if !strings.Contains(result.output, "1 position with the filter group:hot.") {
			t.Errorf("it printed\n%s", result.output)
		}
	})
}

// TestConfigCheckKnowsGroupsOfTheScreen in alerts, and refuses a group that is nowhere.
func TestConfigCheckKnowsGroupsOfTheScreen(t *testing.T) {
	withService(t, func(s *service) {
		path := filepath.Join(t.TempDir(), "a.toml")
		const rule = "[[alert]]\nname = 'a'\non = 'group'\nasset = 'USDT'\nfilter = 'upnl<-5'\ngroup = 'hot'\n"
		if err := os.WriteFile(path, []byte(rule), 0o600); err != nil {
			t.Fatal(err)
		}
		s.run("config", "check", path).exits(2).
			printsErrors("blotter: " + path + ":6: alert.group: there is no group \"hot\": neither [[group]] nor one that was made on the screen\n")
		s.makeScreenGroup("Hot", "a1", "b1")
		s.run("config", "check", path).exits(0).printsErrors("")
	})
}
