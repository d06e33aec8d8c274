package ui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestMarkedRowsAreCopied in the order of the table, whatever the cursor is on, and those that a filter hides are said.
func TestMarkedRowsAreCopied(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("a", "down", "down", "a")
		s.sees("2 rows marked: y copies, D exports, O makes a group, u unmarks all.", "*ETH/USDT", "*BTC/USDT")
		s.press("down", "y")
		s.sees("Sent to the terminal's clipboard: 2 marked rows below a heading.")
		s.wantCopied("market\tmarket id", "ETH/USDT\t", "BTC/USDT\t")
		s.press("D", "tab")
		s.sees("Sent to the terminal's clipboard: 2 marked rows as CSV.")
		s.wantCopied("party,market,", "desk-1,ETH/USDT,", "network,BTC/USDT,")
		s.press("/")
		s.write("eth")
		s.press("enter", "y")
		s.sees("1 marked row below a heading, 1 not shown.")
		s.filter("sol")
		s.press("D", "enter")
		s.sees("Sent to the terminal's clipboard: 0 marked rows as CSV, 2 not shown.")
		s.wantCopied("party,market,")
		s.filter("eth")
		s.press("u")
		s.sees("No row is marked.")
		s.seesNot("*ETH")
		s.press("D", "enter")
		s.sees("Sent to the terminal's clipboard: 1 row as CSV.")
	})
}

// TestCSVIsOfTheRowsAsTheyWere when its key was pressed: commands copy and write them, and the rows go on changing when
// they are copied.
func TestCSVIsOfTheRowsAsTheyWere(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.filter("sol")
		s.press("D")
		s.updates(changed(1, "42000", "-99900", "8841"))
		s.sees("-999.00")
		s.press("enter")
		if text := fmt.Sprint(s.sent[len(s.sent)-1]); !strings.Contains(text, "-132.30") || strings.Contains(text, "-999") {
			t.Errorf("copied %s", text)
		}
	})
	files := fakeFiles{}
	onScreen(t, 80, 24, func(o *Options) { watchAll(o); o.Files = files }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("D", "ctrl+u")
		s.write("all.csv")
		s.updates(changed(1, "42000", "-99900", "8841"))
		s.sees("-999.00")
		s.press("enter")
		s.sees("all.csv")
		if text := files["all.csv"]; !strings.Contains(text, "-132.30") || strings.Contains(text, "-999") {
			t.Errorf("saved %s", text)
		}
	})
}

// fakeFiles are the files that were created, by their paths. One cannot be created again.
type fakeFiles map[string]string

func (fakeFiles) Place(name string) string { return "/home/a/" + name }

func (f fakeFiles) Create(path string, text []byte) error {
	if f[path] != "" {
		return errors.New("is there already")
	}
	f[path] = string(text)
	return nil
}

// TestRowsAreSavedAsCSV: those that are marked, or that the filter shows. Without files, as on a desk, it says why not.
func TestRowsAreSavedAsCSV(t *testing.T) {
	files := fakeFiles{}
	onScreen(t, 120, 40, func(o *Options) { o.Files = files }, func(s *screen) {
		s.publish(deskDelta(s))
		s.filter("btc")
		s.press("D")
		s.sees(" save to: /home/a/positions-20000101-")
		s.press("ctrl+u")
		s.write("all.csv")
		s.press("enter")
		s.sees("Saved 2 rows as CSV: all.csv.")
		s.press("a", "D", "ctrl+u")
		s.write("all.csv")
		s.press("enter")
		s.sees("Not saved: is there already")
		s.press("D", "ctrl+u")
		s.write("one.csv")
		s.press("enter")
		s.sees("Saved 1 marked row as CSV: one.csv.")
		for path, want := range map[string]string{"all.csv": "network,BTC/USDT,USDT,-0.031,", "one.csv": "network,BTC/USDT,USDT,-0.031,"} {
			if text := files[path]; !strings.HasPrefix(text, "party,market,") || !strings.Contains(text, "\n"+want) || strings.Contains(text, "ETH") {
				t.Errorf("%s has\n%s", path, text)
			}
		}
		if all, one := strings.Count(files["all.csv"], "\n"), strings.Count(files["one.csv"], "\n"); all != 3 || one != 2 {
			t.Errorf("the files have %d and %d lines", all, one)
		}
	})
	onScreen(t, 80, 24, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("D")
		s.sees(" to the clipboard: 6 rows as CSV")
		s.press("tab")
		s.sees("A desk writes no files for traders.")
		s.press("enter")
		s.sees("Sent to the terminal's clipboard: 6 rows as CSV.")
	})
}

// TestRowsAreExported as they were last time: tab copies, and then enter does, until a file is chosen.
func TestRowsAreExported(t *testing.T) {
	onScreen(t, 120, 40, func(o *Options) { o.Files = fakeFiles{} }, func(s *screen) {
		s.publish(deskDelta(s))
		s.filter("btc")
		s.press("D", "tab")
		s.sees("Sent to the terminal's clipboard: 2 rows as CSV.")
		s.press("D")
		s.sees(" to the clipboard: 2 rows as CSV")
		s.press("enter")
		s.wantCopied("party,market,", "network,BTC/USDT,", "desk-2,BTC/USDT,")
		s.press("D", "tab")
		s.sees(" save to: /home/a/positions-20000101-")
		s.press("enter")
		s.sees("Saved 2 rows as CSV: /home/a/positions-20000101-")
		s.press("D")
		s.sees(" save to: ")
	})
}

// TestMarkedRowsAreNamed one after the other, in the order of the table.
func TestMarkedRowsAreNamed(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { o.Instruments = nil }, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("a", "down", "down", "a", "n")
		s.sees("then 1 row more")
		s.write("first")
		s.press("enter")
		s.seesNot("then 1 row more")
		s.write("second")
		s.press("enter")
		if s.m.overlays.top() != nil {
			t.Error("a dialog stays open")
		}
		in := s.m.store.Instruments()
		for _, name := range []string{"first", "second"} {
			if in.MarketNamed(name).IsZero() {
				t.Errorf("no market has the name %s", name)
			}
		}
		s.filter("nothing")
		s.press("n")
		s.sees("The table shows no marked row.")
	})
}

// wantCopied checks how the lines begin that were copied last.
func (s *screen) wantCopied(want ...string) {
	s.t.Helper()
	lines := strings.Split(strings.TrimSpace(fmt.Sprint(s.sent[len(s.sent)-1])), "\n")
	for i, line := range lines {
		if len(lines) != len(want) || !strings.HasPrefix(line, want[i]) {
			s.t.Errorf("line %d is %q; want %q", i, line, want)
		}
	}
}
