package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/persist"
)

// fakeNames keeps what is given, and returns what the configuration sets.
type fakeNames struct {
	kept  []persist.GivenName
	err   error
	setAt map[string]string // by section and key
}

func (f *fakeNames) Path() string { return "/home/a/.config/blotter/config.names.toml" }

// given is what a test expects to be kept.
func given(section string, id model.ID, key, value string) persist.GivenName {
	return persist.GivenName{NameField: persist.NameField{Section: section, ID: id, Key: key}, Value: value}
}

func (f *fakeNames) SetAt(key persist.NameField) string { return f.setAt[key.Section+"."+key.Key] }

func (f *fakeNames) Keep(given []persist.GivenName) error {
	f.kept = append(f.kept, given...)
	return f.err
}

// namelessScreen shows the desk's rows, none of which has a name.
func namelessScreen(t *testing.T, names *fakeNames, test func(s *screen)) {
	t.Helper()
	bare := func(o *Options) {
		watchAll(o)
		o.Instruments = nil
		if names != nil {
			o.Names = names
		}
	}
	onScreen(t, 80, 24, bare, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		test(s)
	})
}

// TestNamingARow: names and decimals are on the screen at once, in all rows, and kept.
func TestNamingARow(t *testing.T) {
	var names fakeNames
	namelessScreen(t, &names, func(s *screen) {
		s.sees("Nothing has a name: n names a row; blotter config init lists all in a file.")
		s.press("n")
		s.sees("shown as SIZE -10,000r   ENTRY 341,010r   uPnL -44,920r   rPnL +100,210r", "enter saves in /home/a/.config/blotter/config.names.toml")
		if line := s.cursorLine(); !strings.HasPrefix(line, "▌market ") || !strings.Contains(line, ethMarket.String()[:40]) {
			t.Errorf("it begins at %q", line)
		}
		s.write("ETH/USDT")
		s.press("tab")
		s.write("3")
		s.press("tab")
		s.write("2")
		s.sees("shown as SIZE -10.000   ENTRY 3,410.10   uPnL -44,920r")
		s.press("up", "backspace")
		s.write("-3")
		s.sees("shown as SIZE -10,000,000   ENTRY 3,410.10")
		s.press("backspace", "backspace")
		s.write("3")
		s.press("tab", "tab", "tab")
		s.write("desk-1")
		s.press("tab")
		s.write("USDT")
		s.press("down")
		s.write("2")
		s.sees("uPnL -449.20   rPnL +1,002.10")
		s.press("enter")
		s.sees("Saved in /home/a/.config/blotter/config.names.toml.", "ETH/USDT · desk-1", "-10.000 ", "3,410.10")
		s.sees("5002…0202 desk-1") // the party's other row
		s.press("n")
		s.sees("USDT, from its margin levels") // the asset still comes from them
		s.press("esc", "/")
		s.write("desk-1")
		s.sees("2 rows of 10")
	})
	want := []persist.GivenName{
		given("market", ethMarket, "name", "ETH/USDT"), given("market", ethMarket, "size_decimals", "3"),
		given("market", ethMarket, "price_decimals", "2"), given("party", desk1, "name", "desk-1"),
		given("asset", usdt, "symbol", "USDT"), given("asset", usdt, "decimals", "2"),
	}
	if !slices.Equal(names.kept, want) {
		t.Errorf("kept are %v", names.kept)
	}
}

// TestNamingInTheMarginLevels is about the record under the cursor, and its levels.
func TestNamingInTheMarginLevels(t *testing.T) {
	var names fakeNames
	namelessScreen(t, &names, func(s *screen) {
		s.press("tab", "down", "n")
		s.sees("shown as maintenance 402,487r")
		s.press("tab", "tab", "tab", "tab", "tab", "tab")
		s.write("2")
		s.sees("shown as maintenance 4,024.87")
		s.press("enter")
		s.sees("4,024.87")
	})
	if want := []persist.GivenName{given("asset", usdt, "decimals", "2")}; !slices.Equal(names.kept, want) {
		t.Errorf("kept are %v", names.kept)
	}
}

// TestWhatTheConfigurationSetsStays: the dialog shows where that is.
func TestWhatTheConfigurationSetsStays(t *testing.T) {
	names := fakeNames{setAt: map[string]string{"market.name": "/c.toml:7", "market.size_decimals": "/c.toml:8", "party.name": "/c.toml:2"}}
	change := func(o *Options) { watchAll(o); o.Names = &names }
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("n")
		s.sees("ETH/USDT  set in /c.toml:7", "3  set in /c.toml:8", "desk-1  set in /c.toml:2")
		if line := s.cursorLine(); !strings.Contains(line, "price decimals") {
			t.Errorf("it begins at %q", line)
		}
		s.press("up", "down", "down", "tab")
		if line := s.cursorLine(); !strings.Contains(line, "▌asset   ") {
			t.Errorf("it goes on to %q", line)
		}
		s.press("esc")
		names.setAt = map[string]string{
			"market.name": "/c.toml:7", "market.size_decimals": "/c.toml:8", "market.price_decimals": "/c.toml:9", "market.asset": "/c.toml:10",
			"party.name": "/c.toml:2", "asset.symbol": "/c.toml:3", "asset.decimals": "/c.toml:4",
		}
		s.press("n")
		s.sees("The configuration sets its names and decimals, in /c.toml:7 and other lines.", "MARKET ")
	})
	if names.kept != nil {
		t.Errorf("kept are %v", names.kept)
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	var names fakeNames
	change := func(o *Options) { watchAll(o); o.Names = &names }
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		for _, wrong := range []struct {
			field        int
			typed, words string
		}{
			{0, "BTC/USDT", "Another market has the name: " + btcMarket.String()[:20]},
			{1, "-19", "The size decimals must be a whole number from -18 to 38."},
			{2, "39", "The price decimals must be a whole number from -18 to 38."},
			{4, "desk-2", "Another party has the name: " + desk2.String()[:20]},
			{0, "a3f9…81c2", "This looks like the identifier of another market: type another name."},
			{4, "network", "This looks like the identifier of another party: type another name."},
			{6, "two", "The amount decimals must be a whole number from -18 to 38."},
		} {
			s.press("n")
			s.press(slices.Repeat([]string{"down"}, wrong.field)...)
			s.press("ctrl+u")
			s.write(wrong.typed)
			s.sees(wrong.words)
			s.press("tab", "enter")
			s.sees(wrong.words)
			if s.m.overlays.top() == nil || !strings.Contains(s.cursorLine(), wrong.typed) {
				t.Errorf("the cursor is not on the wrong field: %q", s.cursorLine())
			}
			s.press("ctrl+u", "esc")
			s.sees("ETH/USDT  desk-1        -10.000   3,410.10")
		}
		s.press("n", "enter") // nothing has changed
	})
	if names.kept != nil {
		t.Errorf("kept are %v", names.kept)
	}
}

// TestNamesThatAreNotKept are on the screen all the same, for this run.
func TestNamesThatAreNotKept(t *testing.T) {
	names := fakeNames{err: errors.New("/n.toml cannot be written: no space left on device")}
	namelessScreen(t, &names, func(s *screen) {
		s.press("n")
		s.write("ETH")
		s.press("enter")
		s.sees("Named for this run only: /n.toml cannot be written: no space left on device", "▌ETH ")
	})
	namelessScreen(t, nil, func(s *screen) {
		s.press("n")
		s.write("ETH")
		s.press("enter")
		s.sees("Named for this run only: there is no configuration folder.", "▌ETH ")
	})
}

// TestANameIsTakenAway: an empty field is no name.
func TestANameIsTakenAway(t *testing.T) {
	var names fakeNames
	change := func(o *Options) { watchAll(o); o.Names = &names }
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("n", "ctrl+u", "tab", "ctrl+u", "enter")
		s.sees("▌e701…0101 desk-1    -10,000r")
		s.press("n", "down", "down", "down", "ctrl+u", "enter") // the market's asset: its records name it
		s.sees("-44,920r")
		s.pass(6 * time.Second)
		s.sees("-449.20")
	})
	if len(names.kept) != 3 || names.kept[0] != given("market", ethMarket, "name", "") {
		t.Errorf("kept are %v", names.kept)
	}
}

// TestAnAssetIsGivenByItsSymbolOrIdentifier, and kept by the identifier: a symbol can change.
func TestAnAssetIsGivenByItsSymbolOrIdentifier(t *testing.T) {
	names := fakeNames{}
	dai, other := model.MakeID("da1"), model.MakeID("07e2")
	change := func(o *Options) {
		watchAll(o)
		o.Names = &names
		o.Instruments = model.NewInstruments(nil, nil, []model.Asset{{ID: dai, Symbol: "DAI", Decimals: 4}, {ID: other, Symbol: "U"}, {ID: model.MakeID("b"), Symbol: "U"}})
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("n", "down", "down", "down")
		s.sees("ee94…9494, from its margin levels")
		s.write("U")
		s.sees("Several assets have this symbol: type the identifier.")
		s.press("backspace")
		s.write("DAI")
		s.sees("uPnL -4.49 ", "rPnL +10.02")
		s.press("enter", "n")
		s.sees("DAI")
	})
	if want := []persist.GivenName{given("market", ethMarket, "asset", "da1")}; !slices.Equal(names.kept, want) {
		t.Errorf("kept are %v", names.kept)
	}
}

func TestNamingWhereThereIsLittleToName(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, position(model.ID{}, model.ID{}, "1", "1", "1", "1", model.StatusUnspecified, 0)))
		s.press("n")
		s.sees("The service names neither the party nor the market here.")
		s.publish(whole(all))
		s.press("n")
		s.sees("No row is selected.")
	})
	demo := func(o *Options) { watchAll(o); o.Demo = true }
	onScreen(t, 80, 24, demo, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("n")
		s.sees("The demo has all names.")
	})
}

// TestNamingOnAnyScreen, also a small one, with hostile text, and while the row is removed.
func TestNamingOnAnyScreen(t *testing.T) {
	var names fakeNames
	namelessScreen(t, &names, func(s *screen) {
		s.press("n")
		s.send(tea.PasteMsg{Content: "\x1b]52;c;\x07\u202eETH\n" + strings.Repeat("x", 600)})
		for width := 1; width < 130; width += 7 {
			for height := 1; height < 40; height += 3 {
				s.send(tea.WindowSizeMsg{Width: width, Height: height})
				s.fits(width, height)
				s.press("tab")
			}
		}
		s.send(tea.WindowSizeMsg{Width: 40, Height: 10})
		for range 7 {
			s.press("tab")
			if s.cursorLine() == "" {
				t.Errorf("the field is not on the screen:\n%s", s.text())
			}
		}
		s.publish(whole(all))
		s.press("enter")
	})
	if len(names.kept) != 1 || !strings.HasPrefix(names.kept[0].Value, "␛]52;c;␇<U+202E>ETH xxx") {
		t.Errorf("kept are %q", names.kept)
	}
}

// TestNamingWhileFrozen relabels the rows, and they stay frozen.
func TestNamingWhileFrozen(t *testing.T) {
	var names fakeNames
	namelessScreen(t, &names, func(s *screen) {
		s.press("f", "n")
		s.write("ETH")
		s.press("enter")
		s.sees("▌ETH ", "FROZEN")
	})
}

// TestNamingAGroup: n on the heading of a group names its party, market or asset, and nothing else.
func TestNamingAGroup(t *testing.T) {
	for presses, want := range map[int]persist.GivenName{
		1: given("party", desk1, "name", "house"),
		2: given("market", ethMarket, "name", "house"),
		3: given("asset", usdt, "symbol", "house"),
	} {
		names := &fakeNames{}
		onScreen(t, 80, 24, func(o *Options) {
			watchAll(o)
			o.Names = names
		}, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			for range presses {
				s.press("b")
			}
			s.press("g", "n")
			s.sees("names and decimals;")
			s.seesNot("shown as", " · ")
			s.press("ctrl+u")
			s.write("house")
			s.press("enter")
			s.sees("▾house")
			if len(names.kept) != 1 || names.kept[0] != want {
				t.Errorf("%v is kept, want %v", names.kept, want)
			}
		})
	}
}

// TestNamingInTheDetail: the detail is shown again with the name.
func TestNamingInTheDetail(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) {
		watchAll(o)
		o.Names = &fakeNames{}
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("enter", "n", "ctrl+u")
		s.write("Ether")
		s.press("enter")
		s.sees("─ Ether · desk-1 ─", "esc back")
		s.press("n", "esc", "esc")
		s.seesNot("─ Ether · desk-1 ── esc back")
		s.press("?", "n")
		s.sees("No row is shown here.")
	})
}
