package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
)

func (s *screen) wantScope(parties, markets []model.ID) {
	s.t.Helper()
	if got := s.m.store.Settings().Scope; !got.Equal(model.Scope{Parties: parties, Markets: markets}) {
		s.t.Errorf("the scope is %v", got)
	}
}

func TestPickers(t *testing.T) {
	unseen := strings.Repeat("AB", 32)
	for name, test := range map[string]struct {
		keys             func(s *screen)
		parties, markets []model.ID
	}{
		"nothing done":      {func(s *screen) { s.press("p", "enter") }, []model.ID{desk1, desk2}, nil},
		"one typed":         {func(s *screen) { s.press("p"); s.write("desk-3"); s.press("enter") }, []model.ID{desk3}, nil},
		"all":               {func(s *screen) { s.press("p", "up", "enter") }, nil, nil},
		"one more":          {func(s *screen) { s.press("p"); s.write("desk-3"); s.press("tab", "enter") }, []model.ID{desk1, desk2, desk3}, nil},
		"one less":          {func(s *screen) { s.press("p", "tab", "enter") }, []model.ID{desk2}, nil},
		"none marked":       {func(s *screen) { s.press("p", "tab", "down", "tab", "enter") }, nil, nil},
		"left":              {func(s *screen) { s.press("p", "down", "tab", "esc") }, []model.ID{desk1, desk2}, nil},
		"the best match":    {func(s *screen) { s.press("p"); s.write("desk"); s.press("enter") }, []model.ID{desk1}, nil},
		"typed, as it is":   {func(s *screen) { s.press("p"); s.write("desk"); s.press("end", "enter", "enter") }, []model.ID{model.MakeID("desk")}, nil},
		"an identifier":     {func(s *screen) { s.press("p"); s.write(desk3.String()); s.press("enter") }, []model.ID{desk3}, nil},
		"with a space":      {func(s *screen) { s.press("p"); s.write("desk 3"); s.press("enter") }, []model.ID{desk3}, nil},
		"space, as it is":   {func(s *screen) { s.press("p"); s.write("desk 33"); s.press("enter", "enter") }, []model.ID{model.MakeID("desk 33")}, nil},
		"pasted, canonical": {func(s *screen) { s.press("p"); s.send(tea.PasteMsg{Content: unseen + "\n"}); s.press("enter", "enter") }, []model.ID{model.MakeID(strings.ToLower(unseen))}, nil},
		"a market":          {func(s *screen) { s.press("m"); s.write("sol"); s.press("enter") }, []model.ID{desk1, desk2}, []model.ID{solMarket}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1, desk2} }, func(s *screen) {
				s.publish(deskDelta(s))
				test.keys(s)
				s.wantScope(test.parties, test.markets)
				if s.m.overlays.top() != nil {
					t.Error("the picker stays open")
				}
			})
		})
	}
}

// TestThePickersBestMatchIsFirst: the first line is what enter watches.
func TestThePickersBestMatchIsFirst(t *testing.T) {
	unknown := strings.Repeat("ab", 32)
	typed := func(text string) string { return text + "   not in the configuration; sent as typed" }
	word := func(text string) string { return text + "   as typed, not one of these names" }
	for _, c := range []struct {
		names []string // of parties
		text  string
		want  []string // the lines, from the top
	}{
		{[]string{"consol", "SOL/USDT", "solana", "my sol"}, "sol", []string{"SOL/USDT", "my sol", "solana", "consol", word("sol")}},
		{[]string{"SOL/USDT", "Sol", "sol"}, "sol", []string{"sol", "Sol", "SOL/USDT"}},
		{[]string{"north desk of Oslo", "Oslo"}, "desk oslo", []string{"north desk of Oslo", typed("desk oslo")}},
		{[]string{"acct-10"}, "acct-", []string{"acct-10", typed("acct-")}},
		{[]string{"acct-10"}, "acct-1", []string{typed("acct-1"), "acct-10"}},
		{[]string{"acct-10", "my acct-1"}, "acct-1", []string{"my acct-1", "acct-10", word("acct-1")}},
		{[]string{"desk-2b"}, "desk-2", []string{typed("desk-2"), "desk-2b"}},
		{[]string{"my network"}, "network", []string{word("network"), "my network"}},
		{[]string{"acct-10"}, unknown, []string{typed(unknown)}},
		{[]string{"acct-10"}, "nobody", []string{typed("nobody")}},
		{[]string{"zz", "zzb"}, "ZZ", []string{"zz", "zzb", word("ZZ")}},
		{[]string{"acct 10"}, "1 acct", []string{typed("1 acct")}},
	} {
		named := func(o *Options) {
			watchAll(o)
			var parties []model.Party
			for i, name := range c.names {
				parties = append(parties, model.Party{ID: model.MakeID(strings.Repeat("0", 63) + string(rune('1'+i))), Name: name})
			}
			o.Instruments = model.NewInstruments(parties, nil, nil)
		}
		onScreen(t, 140, 24, named, func(s *screen) {
			s.press("p")
			s.write(c.text)
			lines := s.lines()[4 : 4+len(c.want)+1]
			for i, want := range append(c.want, "") {
				got := strings.TrimSpace(strings.TrimLeft(lines[i], "▌[] "))
				if got, _, _ := strings.Cut(got, "  0000"); strings.TrimSpace(got) != want {
					t.Errorf("%q among %q: line %d is %q, want %q", c.text, c.names, i, got, want)
				}
			}
		})
	}
}

func TestPickersAreScrolledByTheKeysOfLists(t *testing.T) {
	many := func(o *Options) {
		watchAll(o)
		var parties []model.Party
		for i := range 50 {
			parties = append(parties, model.Party{ID: model.MakeID(fmt.Sprintf("id%02d", i)), Name: fmt.Sprintf("name-%02d", i)})
		}
		o.Instruments = model.NewInstruments(parties, nil, nil)
	}
	onScreen(t, 80, 24, many, func(s *screen) { // 17 lines for offers
		for _, c := range []struct{ key, want string }{
			{"end", "name-49"}, {"home", "all parties"}, {"pgdown", "name-16"}, {"pgdown", "name-33"}, {"pgup", "name-16"},
			{"pgup", "all parties"},
		} {
			if s.m.overlays.top() == nil {
				s.press("p")
			}
			s.press(c.key)
			if line := s.cursorLine(); !strings.Contains(line, c.want) {
				t.Errorf("after %s the cursor is on %q, want %q", c.key, line, c.want)
			}
		}
	})
}

// TestTextBesideAListIsEdited: keys that move in other lists by half a screen or a screen edit the text of a picker.
func TestTextBesideAListIsEdited(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.press("p")
		s.write("one two")
		for _, c := range []struct{ key, want string }{
			{"ctrl+w", "parties: one\n"}, {"ctrl+b", "parties: one\n"}, {"x", "parties: onex\n"}, {"ctrl+u", "parties:\n"},
		} {
			if s.press(c.key); !strings.Contains(s.text(), c.want) {
				t.Errorf("after %s:\n%s\nwant %q", c.key, s.text(), c.want)
			}
		}
	})
}

// TestThePickerNeverTakesALongerName: whoever types acct-1 and presses enter must not watch acct-10.
func TestThePickerNeverTakesALongerName(t *testing.T) {
	named := func(names ...string) func(*Options) {
		return func(o *Options) {
			watchAll(o)
			var parties []model.Party
			for _, name := range names {
				parties = append(parties, model.Party{ID: model.MakeID("id of " + name), Name: name})
			}
			o.Instruments = model.NewInstruments(parties, nil, nil)
		}
	}
	for _, c := range []struct {
		named []string
		want  string
		words string
	}{
		{[]string{"acct-10"}, "acct-1", "acct-1   not in the configuration; sent as typed"},
		{[]string{"acct-10", "acct-1"}, "id of acct-1", "enter watches acct-1"},
		{[]string{"acct-1", "acct-10"}, "id of acct-1", "enter watches acct-1"},
	} {
		onScreen(t, 80, 24, named(c.named...), func(s *screen) {
			s.press("p")
			s.write("acct-1")
			s.sees(c.words, "[ ] acct-10")
			s.press("enter")
			if c.want == "acct-1" { // nothing has this name
				s.press("enter")
			}
			s.wantScope([]model.ID{model.MakeID(c.want)}, nil)
		})
	}
}

func TestThePickerShowsWhatEnterWatches(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("p")
		s.sees("enter watches all parties")
		s.press("down", "tab", "down", "tab")
		s.sees("[x] desk-1", "[x] desk-2", "enter watches desk-1, desk-2")
		s.press("down") // what is marked counts, not the cursor
		s.sees("enter watches desk-1, desk-2")
		s.press("enter", "p")
		if line := s.cursorLine(); !strings.Contains(line, "[x] desk-1") {
			t.Errorf("the picker does not begin at the current choice: %q", line)
		}
	})
}

func TestThePickerOffersPartiesThatWereSeen(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("p")
		s.write("netw")
		s.press("enter")
		s.wantScope([]model.ID{network}, nil)
	})
}

func TestPickerRemembersWhatWasSeenBeforeTheScopeChanged(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("g", "P", "p")
		s.sees("a3f9…81c2") // a party that is in neither the configuration nor the scope
	})
}

func TestIdentifiersInAPickerStandBelowEachOther(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("m")
		for label, id := range map[string]model.ID{"ETH/USDT  ": ethMarket, "DOGE/USDT ": dogeMarket} {
			at := slices.IndexFunc(s.lines(), func(line string) bool { return strings.Contains(line, "[ ] "+label) })
			if line := s.lines()[at]; ansi.StringWidth(line[:strings.Index(line, id.String()[:16])]) != 42 {
				t.Errorf("the identifier is not in its column: %q", line)
			}
		}
	})
}

// TestPickersShowWhatAPartyHas: its open positions and their unrealised PnL, which follow the service.
func TestPickersShowWhatAPartyHas(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("p")
		s.sees("desk-1     2 open  uPnL -581.50 ", "desk-2     1 open  uPnL +346.88 ")
		rows := deskRows()
		rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("-1"))
		s.publish(whole(all, rows...))
		s.pass(2 * time.Second)
		s.sees("desk-1     2 open  uPnL -132.31 ")
		s.publish(book.Delta{Links: []model.Link{{Subscription: all, Phase: model.Waiting, StaleSince: time.Now()}}})
		s.pass(2 * time.Second)
		s.sees("desk-1     2 open  uPnL -132.31 ? ")
		s.send(tea.WindowSizeMsg{Width: 36, Height: 12})
		s.sees("[ ] desk-1")
		s.seesNot("open") // there is no room for all of it
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.press("esc", "m")
		s.sees("BTC/USDT   2 open  uPnL +334.23 ?")
	})
}

// TestAnUnknownIdentifierIsAskedAbout: enter watches it only when it is pressed again at once.
func TestAnUnknownIdentifierIsAskedAbout(t *testing.T) {
	unknown := strings.Repeat("ab", 32)
	deskScreen(t, func(s *screen) {
		s.press("p")
		s.write(unknown)
		s.press("enter")
		s.sees("enter again watches abab", ", which is not known here.")
		s.wantScope(nil, nil)
		s.press("down", "enter") // another key comes between
		s.wantScope(nil, nil)
		s.press("enter")
		s.wantScope([]model.ID{model.MakeID(unknown)}, nil)
		s.press("p") // it is known now
		s.write(unknown)
		s.press("enter")
		if s.m.overlays.top() != nil {
			t.Error("what is watched is asked about")
		}
	})
}

// TestNarrowListsHaveNoCutWords: what to type, what is listed, and the numbers beside a market, without an identifier.
func TestNarrowListsHaveNoCutWords(t *testing.T) {
	onScreen(t, 40, 12, watchAll, func(s *screen) {
		large := position(desk2, btcMarket, "1250", "641205", "-11234567", "0", model.StatusUnspecified, 0)
		s.publish(whole(all, append(deskRows()[:2], large)...))
		s.pass(2 * time.Second)
		for key, words := range map[string]string{
			"m": " markets:  type to narrow\n", "C": " columns, the leftmost first\n", ":": " :  a name, a key, a word\n", "!": "No alerts are set: n makes one.",
		} {
			s.press(key)
			s.sees(words)
			if key == "m" {
				s.rowHas("[ ] BTC/USDT", "1 open  uPnL -112,345.67")
			}
			s.press("esc")
		}
	})
}

// TestAMatrixKeepsNames of up to nine letters whole: a market is left out first.
func TestAMatrixKeepsNames(t *testing.T) {
	onScreen(t, 40, 14, watchAll, func(s *screen) {
		rows := deskRows()
		for i := range rows {
			rows[i].SetNumber(model.UnrealisedPnl, model.AmountOf(int64(-1_234_567-i)))
		}
		s.publish(whole(all, rows...))
		s.pass(time.Second)
		s.press("x", "tab", "tab")
		s.pass(4 * time.Second)
		s.rowHas("a3f9…81c2", "-12,345.")
	})
}

// TestPickersOfferAllMarkets, also one whose positions come after tens of thousands in others.
func TestPickersOfferAllMarkets(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		var rows []model.Position
		for i := range 20_000 {
			rows = append(rows, position(model.MakeID(fmt.Sprintf("p%05d", i)), btcMarket, "10", "100", "1", "0", model.StatusUnspecified, 1))
		}
		last := model.MakeID(strings.Repeat("cd", 32))
		s.publish(whole(all, append(rows, position(desk1, last, "10", "100", "1", "0", model.StatusUnspecified, 1))...))
		s.pass(time.Second)
		s.press("m")
		s.write(last.String())
		s.seesNot("sent as typed")
		s.press("enter")
		s.wantScope(nil, []model.ID{last})
	})
}

// TestTheNextLetterAfterAMarkBeginsANewWord: two markets are marked without ctrl+u.
func TestTheNextLetterAfterAMarkBeginsANewWord(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("m")
		s.write("sol")
		s.press("tab")
		s.sees("sol") // it stays until something is typed
		s.write("eth")
		s.seesNot("soleth")
		s.press("tab", "backspace")
		s.write("h")
		s.press("enter")
		if got := s.m.store.Settings().Scope.Markets; len(got) != 2 {
			t.Errorf("%d markets are watched: %v", len(got), got)
		}
	})
}
