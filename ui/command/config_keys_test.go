package command

import (
	"strings"
	"testing"
)

// TestErrorsOfKeysOfActions: the error names the line, and that of the other action if there is one.
func TestErrorsOfKeysOfActions(t *testing.T) {
	withService(t, func(s *service) {
		for keys, want := range map[string]string{
			"resync = 'ö'\nfreeze = 'ö'":          ":3: keys.freeze: \"ö\" is also a key of resync: FILE:2\n",
			"freeze = 'ö'\nresync = ['f5',\n'ö']": ":3: keys.resync: \"ö\" is also a key of freeze: FILE:2\n",
			"filter = 'f'":                        "",
			"filter = 'f'\nfreeze = 'f'":          ":3: keys.freeze: \"f\" is also a key of filter: FILE:2\n",
			"filter = ['/',\n'\\']":               "",
			"filter = ['/',\n'ctr+x']":            ":3: keys.filter: \"ctr+x\" is not a key; a key is a character",
			"\nfiltr = 'ö'":                       ":3: keys.filtr: is not an action; did you mean filter?\n",
			"filter = 3":                          ":2: keys.filter: must be a key, or a list of keys, each in quotes: [\"r\", \"f5\"]\n",
			"filter = []":                         ":2: keys.filter: must have a key\n",
			"quit = 'esc'":                        ":2: keys.quit: \"esc\" cannot be given to another action",
			"resync = 'ö' # of two problems that of the first": "",
		} {
			path := s.configured("[keys]\n" + keys)
			for _, command := range []string{"config check", "positions", "config show"} {
				got := s.run(strings.Fields(command)...)
				if want == "" {
					got.exits(0).printsErrors("")
				} else if wanted := "blotter: " + path + strings.ReplaceAll(want, "FILE", path); got.exits(2).errors != wanted && !strings.HasPrefix(got.errors, strings.TrimSuffix(wanted, "\n")) {
					t.Errorf("%s: %q: the error is %s\nnot %s", command, keys, got.errors, wanted)
				}
			}
		}
		path := s.configured("keys = 3")
		s.run("config", "check").exits(2).printsErrors("blotter: " + path + ":1: keys: must be a section: [keys]\n")
	})
}

func TestConfigShowPrintsKeysOfActions(t *testing.T) {
	withService(t, func(s *service) {
		path := s.configured("[keys]\nresync = ['ö', 'f5']")
		got := strings.Join(strings.Fields(s.run("config", "show").exits(0).printsErrors("").output), " ")
		for _, want := range []string{`keys.resync = ["ö", "f5"] # ` + path + ":2 ", `keys.filter = ["/"] # default `} {
			if !strings.Contains(got, want) {
				t.Errorf("config show does not have %s, but\n%s", want, got)
			}
		}
	})
}
