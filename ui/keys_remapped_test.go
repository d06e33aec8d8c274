package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/keys"
)

// TestEveryActionHasAName that the configuration can have as a key.
func TestEveryActionHasAName(t *testing.T) {
	isName := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, g := range DefaultKeys().Groups {
		for _, a := range g.Actions {
			if !isName.MatchString(a.Name) {
				t.Errorf("%s: %q has the name %q", g.Title, a.Help, a.Name)
			}
		}
	}
}

// TestDefaultKeysAsSettingsChangeNothing, in any group: a copy of config.example.toml has the keys of the program.
func TestDefaultKeysAsSettingsChangeNothing(t *testing.T) {
	settings := make(keys.Settings)
	for _, a := range DefaultKeys().Settings() {
		settings[a.Name] = a.Keys
	}
	if err := DefaultKeys().Check(settings); err != nil {
		t.Error(err)
	}
	usual := DefaultKeys().Groups
	remapped, taken := newKeys(settings)
	if taken != "" {
		t.Errorf("keys were taken: %s", taken)
	}
	set := remapped.Groups
	for i, g := range usual {
		for j, a := range g.Actions {
			if got := set[i].Actions[j].ShownKeys(); got != a.ShownKeys() {
				t.Errorf("%s: %s has the keys %s, not %s", g.Title, a.Name, got, a.ShownKeys())
			}
		}
	}
}

// TestNoKeyMeansTwoThings by default. In a replay the keys of the replay come first, and esc of a dialog before that of
// all dialogs.
func TestNoKeyMeansTwoThings(t *testing.T) {
	for _, groups := range DefaultKeys().Together {
		owners := make(map[string]string)
		for _, g := range groups {
			for _, a := range g.Actions {
				for _, key := range a.Keys {
					if strings.HasPrefix(a.Name, "replay_") || g.Title == "dialogs" && slices.Contains(keys.Esc, key) {
						continue
					}
					if owner, taken := owners[key]; taken && owner != a.Name {
						t.Errorf("%s: %s is a key of %s and of %s", g.Title, key, owner, a.Name)
					}
					owners[key] = a.Name
				}
			}
		}
	}
}

func TestKeySettingsThatAreRefused(t *testing.T) {
	for _, test := range []struct {
		settings keys.Settings
		want     string
	}{
		{keys.Settings{"filtr": {"x"}}, "keys.filtr: is not an action; did you mean filter?"},
		{keys.Settings{"sort_by_touble": {"x"}}, "keys.sort_by_touble: is not an action; did you mean sort_by_trouble?"},
		{keys.Settings{"teleport": {"x"}}, "keys.teleport: is not an action; blotter help keys lists the actions"},
		{keys.Settings{"filter": {}}, "keys.filter: must have a key"},
		{keys.Settings{"filter": {"x", "ctr+f"}}, `keys.filter: "ctr+f" is not a key; a key is a character`},
		{keys.Settings{"filter": {""}}, `keys.filter: "" is not a key; `},
		{keys.Settings{"filter": {" "}}, `keys.filter: " " is not a key; `},
		{keys.Settings{"filter": {"shift+x"}}, `keys.filter: "shift+x" is not a key; write X`},
		{keys.Settings{"filter": {"alt+shift+t"}}, `keys.filter: "alt+shift+t" is not a key; write alt+T`},
		{keys.Settings{"filter": {"alt+shift+/"}}, `keys.filter: "alt+shift+/" is not a key; write the character that shift types there, as in alt+?`},
		{keys.Settings{"filter": {"ctrl+i"}}, `keys.filter: "ctrl+i" is not a key; `},
		{keys.Settings{"filter": {"ctrl+X"}}, `keys.filter: "ctrl+X" is not a key; `},
		{keys.Settings{"filter": {"\x1b"}}, `keys.filter: "\x1b" is not a key; `},
		{keys.Settings{"filter": {"esc"}}, `keys.filter: "esc" cannot be given to another action, nor can ctrl+c, enter, up, down, left, right`},
		{keys.Settings{"quit": {"ctrl+c"}}, `keys.quit: "ctrl+c" cannot be given to another action, nor can esc,`},
		{keys.Settings{"sort": {"left"}}, `keys.sort: "left" cannot be given to another action,`},
		{keys.Settings{"view": {"f1", "f2"}}, "keys.view: must have 10 keys, in the order of what they do"},
		{keys.Settings{"freeze": {"x"}, "resync": {"x"}}, ` is also a key of `},
		{keys.Settings{"resync": {"x", "f"}, "freeze": {"f"}}, `keys.resync: "f" is also a key of freeze`},
		{keys.Settings{"sort": {"f"}, "freeze": {"f"}}, `keys.freeze: "f" is also a key of sort`},
		{keys.Settings{"pin_column": {"d"}, "default_columns": {"d"}}, `keys.default_columns: "d" is also a key of pin_column`},
		{keys.Settings{"mark": {"pgup"}, "screen_up": {"pgup"}}, ` is also a key of `},
	} {
		err := DefaultKeys().Check(test.settings)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, not %s", test.settings, err, test.want)
		}
	}
}

func TestKeySettingsThatAreAllowed(t *testing.T) {
	for _, settings := range []keys.Settings{
		{"freeze": {"r"}, "resync": {"f"}},            // they change places
		{"filter": {"ctrl+f"}, "screen_down": {"f5"}}, // of the others only what was given away
		{"pin_column": {"f"}},                         // freeze does not work there
		{"detail": {"ä", "enter"}},
		{"up": {"ö"}, "down": {"ä"}, "first": {"ü"}, "last": {"alt+shift+end"}},
		{"complete": {"ctrl+]"}, "mark": {"ctrl+_"}},
		{"split_up": {"<"}},
		{"help": {"alt+?"}, "sort_by_trouble": {"alt+T", "alt+O"}},
		{"resync": {"x", "f"}}, {"sort": {"f"}}, {"freeze": {"s"}}, {"pin_column": {"d"}}, {"mark": {"pgup"}}, // by default of others
	} {
		if err := DefaultKeys().Check(settings); err != nil {
			t.Errorf("%q: %v", settings, err)
		}
	}
}

func remapped(settings keys.Settings) func(*Options) {
	return func(o *Options) {
		watchAll(o)
		o.Keys = settings
	}
}

// TestRemappedKeys work in place of the others, and the last line and help name them.
func TestRemappedKeys(t *testing.T) {
	onScreen(t, 120, 40, remapped(keys.Settings{"resync": {"f5", "ä"}, "filter": {"r"}, "detail": {"ö"}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.sees("r filter", "ö/enter detail")
		s.press("ä")
		if s.source.resynced != 1 {
			t.Error("ä does not resync")
		}
		s.press("r")
		s.sees("\n / ")
		s.press("r", "esc", "ö")
		s.sees("POSITION_STATUS_DISTRESSED")
		s.press("esc", "enter")
		s.sees("POSITION_STATUS_DISTRESSED")
		s.press("esc", "/")
		s.sees("? lists the keys.")
		s.press("?", "pgdown")
		s.sees("f5/ä", "resync: read all again")
	})
}

// TestASettingTakesAKeyFromADefault: the action that had it keeps its other keys, and a message says so once.
func TestASettingTakesAKeyFromADefault(t *testing.T) {
	for _, test := range []struct {
		settings keys.Settings
		said     string
	}{
		{keys.Settings{"resync": {"x"}}, "resync has x now; what if has no key."},
		{keys.Settings{"resync": {"j"}}, "resync has j now; down has ↓."},
		{keys.Settings{"resync": {"3"}}, "resync has 3 now; view has 0/1/2/4/5/6/7/8/9."},
		{keys.Settings{"resync": {"x"}, "what_if": {"f5"}}, ""},
		{keys.Settings{"resync": {"r"}, "fold": {"space", "-"}, "filter": {"/"}}, ""}, // as by default, also in a replay
		{keys.Settings{"pin_column": {"f"}}, ""},                                      // freeze does not work there
	} {
		onScreen(t, 100, 30, remapped(test.settings), func(s *screen) {
			s.publish(whole(all, deskRows()...))
			if got := strings.TrimSpace(s.lines()[1]); got != test.said {
				t.Errorf("%q: the message is %q, not %q", test.settings, got, test.said)
			}
			key := test.settings["resync"]
			if key == nil {
				return
			}
			s.press(key[0])
			if s.source.resynced != 1 {
				t.Errorf("%s does not resync", key)
			}
			s.press("?")
			s.seesNot("resync has")
		})
	}
}

// TestAnActionWithoutAKey is done by name, and texts say how.
func TestAnActionWithoutAKey(t *testing.T) {
	onScreen(t, 120, 40, remapped(keys.Settings{"resync": {"f"}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.seesNot(" freeze  ")
		s.press("f")
		s.seesNot("FROZEN")
		s.palette("freeze")
		s.press("enter")
		s.sees("FROZEN")
		if text := s.m.keys.Fill("{freeze} freezes"); text != ":freeze freezes" {
			t.Errorf("texts say %q", text)
		}
	})
}

// TestNumberedKeys keep the order in which they are set.
func TestNumberedKeys(t *testing.T) {
	settings := keys.Settings{"view": {"1", "0", "2", "3", "4", "5", "6", "7", "8", "f9"}}
	onScreen(t, 80, 24, remapped(settings), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("0")
		s.sees("No view 1; ")
		s.press("f9")
		s.sees("No view 9; ")
	})
}

// TestCharactersStayTextWhereTextIsTyped: a key that moves in tables types in a picker.
func TestCharactersStayTextWhereTextIsTyped(t *testing.T) {
	onScreen(t, 80, 24, remapped(keys.Settings{"down": {"d"}, "default_columns": {"r"}, "first": {"0"}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("d")
		if !strings.Contains(s.cursorLine(), "SOL") {
			t.Errorf("d does not move: %s", s.cursorLine())
		}
		s.press("p", "d", "e")
		s.sees(" parties: de")
		s.press("down", "home")
		if !strings.Contains(s.cursorLine(), "desk-1") {
			t.Errorf("home does not work: %s", s.cursorLine())
		}
	})
}

// TestFixedKeysKeepTheirActions: esc and ctrl+c do the same whatever is set.
func TestFixedKeysKeepTheirActions(t *testing.T) {
	settings := keys.Settings{"back": {"f1"}, "interrupt": {"f2"}, "cancel": {"f3"}, "apply": {"f4"}, "quit": {"f9"}}
	onScreen(t, 80, 24, remapped(settings), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		for _, back := range []string{"esc", "f1"} {
			s.press("?", back)
			s.seesNot("─ help")
		}
		for _, cancel := range []string{"esc", "f3"} {
			s.press("p", cancel)
			if s.m.overlays.top() != nil {
				t.Errorf("%s does not close the picker", cancel)
			}
		}
		s.press("ctrl+c")
		s.sees("f2 again quits.")
		s.press("f2")
		if !s.sentMsg("QuitMsg") {
			t.Error("the second interrupt does not quit")
		}
	})
}

func TestMessagesNameRemappedKeys(t *testing.T) {
	onScreen(t, 80, 24, remapped(keys.Settings{"first": {"f2"}}), func(s *screen) {
		s.start(s.m.show(topicKind + "screen"))
		for range 20 {
			if strings.Contains(strings.Join(strings.Fields(s.text()), " "), "f2 puts it back there") {
				return
			}
			s.press("ctrl+d")
		}
		t.Errorf("help does not name the key:\n%s", s.text())
	})
	settings := keys.Settings{
		"resync": {"f5"}, "show_closed": {"ä"}, "filter": {"f7"}, "help": {"f1"}, "sort": {"f6"}, "reverse_records": {"f8"}, "complete": {"ctrl+g"},
	}
	for want, set := range map[string]func(*screen){
		"; f5 retries now.":     brokenLink(model.Waiting, 0, "connection lost"),
		"Press ä to show them.": func(s *screen) { s.publish(whole(all, deskRows()[6:]...)) },
		"f1 lists the keys.":    deskThen("V"),
		"▌f6      sort  ":       deskThen(":", "t", "h", "e", " ", "o", "r", "d"),
		"f8 oldest first":       deskThen("tab"),
		"f5 reads it again":     deskThen("tab", "f8", "f8", "G"),
		"ctrl+g completes":      deskThen("f7"),
		"f7 and esc clears the": deskThen("f7", "ä", "r", "p", "enter", "z"),
		"f1 help":               deskThen(),
	} {
		t.Run(want, func(t *testing.T) {
			onScreen(t, 80, 24, remapped(settings), func(s *screen) {
				pagedSource(s)
				set(s)
				s.sees(want)
			})
		})
	}
}

// TestNoTextNamesAKey that can be remapped: a text has the name of its action in braces, and fill puts the key there.
func TestNoTextNamesAKey(t *testing.T) {
	namesKey := regexp.MustCompile(`(^|[ (;])[b-zA-Z?/] (again|all|first|last|[a-z]+s)\b|[Pp]ress [a-zA-Z?/]\b`)
	files, err := filepath.Glob("*.go")
	below, errBelow := filepath.Glob("*/*.go")
	if files = append(files, below...); err != nil || errBelow != nil || len(files) == 0 {
		t.Fatal(files, err, errBelow)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(source, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, _ := strconv.Unquote(literal.Value); namesKey.MatchString(text) {
					t.Errorf("%s: %q names a key", file, text)
				}
			}
			return true
		})
	}
}

// TestKeysOfAllDialogsTypeNoText: a configuration that gave q to the action of lists, or a letter to that of forms,
// still types them.
func TestKeysOfAllDialogsTypeNoText(t *testing.T) {
	onScreen(t, 80, 24, remapped(keys.Settings{"cancel": {"esc", "q"}, "next_field": {"n", "tab"}, "down": {"j"}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("qnj")
		s.sees("\n / qnj ")
		s.press("esc", ":")
		s.write("qnj")
		s.sees("\n : qnj\n")
		s.press("esc", "!", "n")
		s.write("qnj")
		s.sees("▌name    qnj")
	})
}
