package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

func (s *screen) wantScope(parties, markets []model.ID) {
	s.t.Helper()
	if got := s.m.data.scope; !got.Equal(model.Scope{Parties: parties, Markets: markets}) {
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
		"typed, as it is":   {func(s *screen) { s.press("p"); s.write("desk"); s.press("enter") }, []model.ID{model.MakeID("desk")}, nil},
		"an identifier":     {func(s *screen) { s.press("p"); s.write(desk3.String()); s.press("enter") }, []model.ID{desk3}, nil},
		"with a space":      {func(s *screen) { s.press("p"); s.write("desk 3"); s.press("enter") }, []model.ID{model.MakeID("desk 3")}, nil},
		"pasted, canonical": {func(s *screen) { s.press("p"); s.send(tea.PasteMsg{Content: unseen + "\n"}); s.press("enter") }, []model.ID{model.MakeID(strings.ToLower(unseen))}, nil},
		"a market":          {func(s *screen) { s.press("m"); s.write("sol"); s.press("down", "enter") }, []model.ID{desk1, desk2}, []model.ID{solMarket}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1, desk2} }, func(s *screen) {
				s.publish(deskDelta(s))
				test.keys(s)
				s.wantScope(test.parties, test.markets)
				if s.m.picker != nil {
					t.Error("the picker stays open")
				}
			})
		})
	}
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
		says  string
	}{
		{[]string{"acct-10"}, "acct-1", "acct-1   not in the configuration; sent as typed"},
		{[]string{"acct-10", "acct-1"}, "id of acct-1", "enter watches acct-1"},
		{[]string{"acct-1", "acct-10"}, "id of acct-1", "enter watches acct-1"},
	} {
		onScreen(t, 80, 24, named(c.named...), func(s *screen) {
			s.press("p")
			s.write("acct-1")
			s.sees(c.says, "[ ] acct-10")
			s.press("enter")
			s.wantScope([]model.ID{model.MakeID(c.want)}, nil)
		})
	}
}

func TestThePickerSaysWhatEnterWatches(t *testing.T) {
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
		s.press("down", "enter")
		s.wantScope([]model.ID{network}, nil)
	})
}

func TestTypingALine(t *testing.T) {
	for _, test := range []struct {
		keys []string
		want string
	}{
		{[]string{"a", "b", "left", "c"}, "acb|2"},
		{[]string{"a", "b", "home", "c", "end", "d"}, "cabd|4"},
		{[]string{"a", "space", "b", "ctrl+w"}, "a |2"},
		{[]string{"a", "b", "ctrl+u", "c"}, "c|1"},
		{[]string{"a", "b", "left", "ctrl+k"}, "a|1"},
		{[]string{"a", "left", "left", "delete", "backspace"}, "|0"},
		{[]string{"ctrl+x", "right", "世"}, "世|2"},
	} {
		var line textInput
		for _, name := range test.keys {
			line.press(keyNamed(name))
		}
		if got := line.String() + "|" + model.AmountOf(int64(line.column())).String(); got != test.want {
			t.Errorf("%v is %q, want %q", test.keys, got, test.want)
		}
	}
	line := newTextInput(strings.Repeat("x", 2*maxTyped))
	if len(line.runes) != maxTyped {
		t.Errorf("%d characters were kept", len(line.runes))
	}
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
			s.sees("[ ] " + label + " " + id.String())
		}
	})
}
