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
		"one of the seen":   {func(s *screen) { s.press("p"); s.write("netw"); s.press("enter") }, []model.ID{network}, nil},
		"all":               {func(s *screen) { s.press("p", "down", "up", "enter") }, nil, nil},
		"one more":          {func(s *screen) { s.press("p"); s.write("desk-3"); s.press("space", "enter") }, []model.ID{desk1, desk2, desk3}, nil},
		"one less":          {func(s *screen) { s.press("p", "down", "space", "enter") }, []model.ID{desk2}, nil},
		"none marked":       {func(s *screen) { s.press("p", "down", "space", "down", "space", "enter") }, nil, nil},
		"left":              {func(s *screen) { s.press("p", "down", "space", "esc") }, []model.ID{desk1, desk2}, nil},
		"typed, as it is":   {func(s *screen) { s.press("p"); s.write("desk"); s.press("up", "down", "down", "down", "enter") }, []model.ID{model.MakeID("desk")}, nil},
		"pasted, canonical": {func(s *screen) { s.press("p"); s.send(tea.PasteMsg{Content: unseen + "\n"}); s.press("enter") }, []model.ID{model.MakeID(strings.ToLower(unseen))}, nil},
		"a market":          {func(s *screen) { s.press("m"); s.write("sol"); s.press("enter") }, []model.ID{desk1, desk2}, []model.ID{solMarket}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 80, 24, func(o *Options) { o.Scope.Parties = []model.ID{desk1, desk2} }, func(s *screen) {
				s.tell(deskDelta(s))
				test.keys(s)
				s.wantScope(test.parties, test.markets)
				if s.m.picker != nil {
					t.Error("the picker stays open")
				}
			})
		})
	}
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
		var line typed
		for _, name := range test.keys {
			line.press(keyNamed(name))
		}
		if got := line.String() + "|" + model.AmountOf(int64(line.column())).String(); got != test.want {
			t.Errorf("%v is %q, want %q", test.keys, got, test.want)
		}
	}
	line := typedText(strings.Repeat("x", 2*typedMost))
	if len(line.runes) != typedMost {
		t.Errorf("%d characters were kept", len(line.runes))
	}
}

func TestPickerRemembersWhatWasSeenBeforeTheScopeChanged(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("g", "P", "p")
		s.sees("a3f9…81c2") // whom the configuration does not name and the scope leaves out
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
