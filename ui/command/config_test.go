package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// configured writes the configuration of the service's surroundings, and returns its path.
func (s *service) configured(text string) string {
	s.t.Helper()
	path := filepath.Join(s.environment["XDG_CONFIG_HOME"], "blotter", "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

const twoProfiles = `
[service]
base_urls = ['http://sim.test']
token_file = 'token'
[[party]]
id = 'a1'
name = 'desk-1'
[profile.testnet]
service.base_urls = ['http://test.test']
service.headers = { X-Key = 'secret' }
watch.parties = ['desk-1']
[profile.small]
screen.page_size = 3
`

func TestConfigCheck(t *testing.T) {
	withService(t, func(s *service) {
		path := s.configured(twoProfiles)
		s.run("config", "check").exits(0).printsErrors("").
			prints(path + ": no problem found; parties: 1, markets: 0, profiles: small testnet\n")
		other := filepath.Join(t.TempDir(), "other.toml")
		if err := os.WriteFile(other, []byte("[[view]]\nnumber = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.run("config", "check", other).exits(0).printsErrors("").prints(other + ": no problem found; parties: 0, markets: 0, views: 1\n")
		s.run("config", "check", "--profile", "x").exits(2).prints("").
			printsErrors("blotter: --profile: \"x\" is not a profile in " + path + ", which has small, testnet\n")

		path = s.configured("[service]\nca_file = 'none.pem'\n[profile.a]\nservice.base_urls = ['http://a']")
		s.run("config", "check", "--profile", "a").exits(2).prints("").printsErrors("blotter: " + path + ":2: service.ca_file: " +
			filepath.Join(filepath.Dir(path), "none.pem") + " cannot be read: no such file or directory\n")

		path = s.configured("[[view]]\nnumber = 1\n[[view]]\nnumber = 2\n[[alert]]\nname = 'loss'\nfilter = 'upnl<0'\n")
		s.run("config", "check").exits(0).printsErrors("").prints(path + ": no problem found; parties: 0, markets: 0, views: 2, alerts: 1\n")

		path = s.configured("[screen]\nfilter = 'eth or btc'\n[[alert]]\nname = 'distress'\nfilter = 'status:distresed'\nclear = '-eth'\n")
		s.run("config", "check").exits(0).prints(path + ": no problem found; parties: 0, markets: 0, alerts: 1\n").printsErrors(
			"blotter: " + path + ":2: screen.filter: \"or\" is searched as a text; eth|btc finds one of the two\n" +
				"blotter: " + path + ":5: alert.filter: no known status has \"distresed\"; known: unspecified, \"orders closed\", \"closed out\", distressed\n" +
				"blotter: " + path + ":6: alert.clear: \"-eth\" is searched as a text; !eth leaves out what matches\n")

		path = s.configured("[profile.a]\n[[profile.a.view]]\nnumber = 1\nfilter = 'size>0 party:'")
		s.run("config", "check").exits(2).prints("").
			printsErrors("blotter: " + path + ":4: profile.a.view.filter: \"party:\" is not complete: a text must follow, as in party:desk-1\n")
		for _, filter := range []string{"[screen]\nfilter = '!'", "[[alert]]\nname = 'a'\nfilter = '!'", "[[alert]]\nname = 'a'\nfilter = 'b'\nclear = '!'"} {
			s.configured(filter)
			if got := s.run("config", "check").exits(2).prints(""); !strings.Contains(got.errors, `"!" is not complete: a term must follow`) {
				t.Errorf("%s: standard error has %s", filter, got.errors)
			}
		}

		s.configured("[profile.a]\nservice.ca_file = 'none.pem'")
		s.run("config", "check").exits(2).prints("").printsErrors("blotter: " + path + ":2: profile.a.service.ca_file: " +
			filepath.Join(filepath.Dir(path), "none.pem") + " cannot be read: no such file or directory\n")
		s.configured("\n[profile.a]\nscreen.page_size = 0")
		s.run("config", "check").exits(2).prints("").
			printsErrors("blotter: " + path + ":3: profile.a.screen.page_size: must be a whole number from 1 to 5000\n")

		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		s.run("config", "check").exits(0).printsErrors("").prints("there is no file " + path + ": the defaults apply\n")
		s.run("config", "check", "--profile", "x").exits(2).
			printsErrors("blotter: --profile: there is no profile \"x\", because there is no configuration file\n")
	})
}

func TestConfigPath(t *testing.T) {
	withService(t, func(s *service) {
		s.run("config", "path").exits(0).printsErrors("").prints(filepath.Join(s.environment["XDG_CONFIG_HOME"], "blotter", "config.toml") + "\n")
		s.environment["BLOTTER_CONFIG"] = "/from/environment.toml"
		s.run("config", "path").exits(0).prints("/from/environment.toml\n")
		s.run("config", "path", "--config", "/from/flag.toml").exits(0).prints("/from/flag.toml\n")
	})
}

func TestConfigShow(t *testing.T) {
	withService(t, func(s *service) {
		path := s.configured(twoProfiles)
		s.environment["BLOTTER_BASE_URL"] = ""
		shows := func(arguments string, want ...string) {
			t.Helper()
			got := s.run(append([]string{"config", "show"}, strings.Fields(arguments)...)...).exits(0).printsErrors("").output
			for _, line := range want {
				setting, from, _ := strings.Cut(line, " # ")
				without, _ := strings.CutSuffix(setting, " is not there")
				switch isThere := strings.Contains(got, without); {
				case without != setting && isThere:
					t.Errorf("config show %s has %s", arguments, without)
				case without == setting && !strings.Contains(strings.Join(strings.Fields(got), " "), setting+" # "+from+" "):
					t.Errorf("config show %s does not have %s, but\n%s", arguments, line, got)
				}
			}
		}
		shows("", `service.base_urls = ["http://sim.test"] # `+path+":3", `service.token_file = "token" # `+path+":4",
			"party = 1 section # "+path+":5", "screen.page_size = 50 # default", "watch.parties is not there")
		shows("--profile small", `service.token_file = "token" # `+path+":4", "screen.page_size = 3 # "+path+":13")
		shows("--profile testnet", `service.base_urls = ["http://test.test"] # `+path+":9", "service.token_file is not there",
			`service.headers = { X-Key = "..." } # `+path+":10", "secret is not there")
		shows("--party p --party q --market m --base-url http://f", `watch.parties = ["p", "q"] # --party`, `watch.markets = ["m"] # --market`,
			`service.base_urls = ["http://f"] # --base-url`)
		s.environment["BLOTTER_BASE_URL"], s.environment["BLOTTER_TOKEN"] = "http://e http://e2", "hidden"
		shows("", `service.base_urls = ["http://e", "http://e2"] # $BLOTTER_BASE_URL`,
			"service.token_file = a token, which is not shown # $BLOTTER_TOKEN", "hidden is not there")
	})
}

func TestProfileOfACommand(t *testing.T) {
	withService(t, func(s *service) {
		s.configured(strings.Replace(twoProfiles, "token_file = 'token'\n", "", 1))
		s.Put(first, second, third)
		s.environment["BLOTTER_BASE_URL"] = ""
		s.run("positions", "-o", "ndjson").exits(0).printsErrors("").prints(line(first) + line(second) + line(third))
		s.configured("[service]\nbase_urls = ['http://elsewhere']\n[profile.a]\nservice.base_urls = ['http://sim.test']\nwatch.parties = ['" + third.Party + "']")
		s.run("positions", "-o", "ndjson", "--profile", "a").exits(0).printsErrors("").prints(line(third))
		s.environment["BLOTTER_BASE_URL"] = "http://sim.test"
		s.run("positions", "-o", "ndjson", "--profile", "a").exits(0).prints(line(third)).
			printsErrors("blotter: $BLOTTER_BASE_URL replaces the addresses of profile a\n")
	})
}

func TestDoctorNamesTheProfile(t *testing.T) {
	withService(t, func(s *service) {
		path := s.configured("[profile.a]\nservice.base_urls = ['http://sim.test']")
		s.environment["BLOTTER_BASE_URL"] = ""
		got := s.run("doctor", "--profile", "a").exits(0).output
		if want := path + ", profile a; the address from service.base_urls"; !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	})
}

func TestCompletionOfProfiles(t *testing.T) {
	withService(t, func(s *service) {
		s.configured(twoProfiles)
		s.run("__complete", "--profile", "").exits(0).prints("small\ntestnet\n:4\n")
		s.run("__complete", "config", "show", "--profile", "t").exits(0).prints("testnet\n:4\n")
		s.run("__complete", "config", "s").exits(0).prints("show\tPrint each setting in effect, and where it is set\n:4\n")
	})
}
