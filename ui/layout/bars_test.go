package layout

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/pane"
	"blotter/ui/status"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// newFrame returns the lines around a store without rows, with a filter. It is 14:02:08.
func newFrame(filter string) *Bars {
	now := time.Date(2026, 3, 4, 14, 2, 8, 0, time.UTC)
	options := store.Options{
		Service: "mainnet", Instruments: model.NewInstruments(nil, nil, nil), Location: time.UTC, Now: func() time.Time { return now }, Extent: store.Whole(0),
		Settings: view.Settings{Filter: filter, Order: view.Order{Column: view.MarketColumn}},
		Format: func(in *model.Instruments) *format.Formatter {
			return format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
		},
	}
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	s := store.New(context.Background(), nil, options)
	return &Bars{
		Context: &pane.Context{Store: s, Styles: &styles},
		Streams: &status.Streams{Now: now, Book: s.Book(), Corrections: s.Corrections(), Traffic: new(status.Traffic), Format: s.Format(), Styles: &styles},
		Service: "mainnet", Path: []PathStep{{}, {IsFilter: true}}, Counts: []string{"9 of 12 positions", "9 of 12"},
		DrawKeys: func(int) string { return " ? help" },
	}
}

// textOf returns lines without styles and spaces at their ends.
func textOf(lines []string) string {
	for i := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// TestNamesOfTheScopeAreNotCut, as desk-1… would be read as another desk: first the name of the program, the clock and
// the counts are left out, then whole names. On a narrow screen the scope has a line of its own.
func TestNamesOfTheScopeAreNotCut(t *testing.T) {
	for _, c := range []struct {
		width  int
		notice string
		want   string
	}{
		{90, "", " blotter  mainnet  CONNECTING  desk-14 desk-2 desk-3 in ETH/USDT BTC/USDT    14:02:08 UTC"},
		{82, "", " mainnet  CONNECTING  desk-14 desk-2 desk-3 in ETH/USDT BTC/USDT     14:02:08 UTC"},
		{70, "", " mainnet  CONNECTING  desk-14 desk-2 desk-3 in ETH/USDT BTC/USDT"},
		{64, "", " mainnet  CONNECTING  desk-14 desk-2 +1 in ETH/USDT BTC/USDT"},
		{60, "", " mainnet  CONNECTING  desk-14 desk-2 +1 in ETH/USDT +1"},
		{50, "Saved.", " mainnet  CONNECTING  desk-14 +2 in ETH/USDT +1\n Saved."},
		{40, "Saved.", " CONNECTING  desk-14 +2 in ETH/USDT +1\n Saved."},
		{45, "", " mainnet  CONNECTING            14:02:08 UTC\n desk-14 desk-2 desk-3 in ETH/USDT BTC/USDT"},
		{40, "", " mainnet  CONNECTING       14:02:08 UTC\n desk-14 desk-2 +1 in ETH/USDT BTC/USDT"},
	} {
		f := newFrame("")
		f.Notice = c.notice
		f.Path = []PathStep{{Scope: model.Scope{
			Parties: []model.ID{model.MakeID("desk-14"), model.MakeID("desk-2"), model.MakeID("desk-3")},
			Markets: []model.ID{model.MakeID("ETH/USDT"), model.MakeID("BTC/USDT")},
		}}}
		if got := strings.TrimRight(textOf(f.Top(pane.Size{Width: c.width, Height: 24})), "\n"); got != c.want {
			t.Errorf("in %d cells the first lines are\n%q, want\n%q", c.width, got, c.want)
		}
	}
}

// TestTheFirstLineIsShortened: the filter stays, the oldest scopes go first.
func TestTheFirstLineIsShortened(t *testing.T) {
	scope := func(parties ...string) (s model.Scope) {
		for _, name := range parties {
			s.Parties = append(s.Parties, model.MakeID(name))
		}
		return s
	}
	for width, want := range map[int]string{
		120: " blotter  mainnet  CONNECTING  all parties › 1 › [side:long] › 2                                           14:02:08 UTC",
		60:  " mainnet  CONNECTING  … › 1 › [side:long] › 2  14:02:08 UTC",
		59:  " mainnet  CONNECTING  [side:long]             14:02:08 UTC\n all parties › 1 › 2",
		45:  " mainnet  CONNECTING  [side:long]\n all parties › 1 › 2",
	} {
		f := newFrame("side:long")
		f.Path = []PathStep{{}, {Scope: scope("1")}, {IsFilter: true}, {Scope: scope("2")}}
		if got := strings.TrimSpace(textOf(f.Top(pane.Size{Width: width, Height: 24}))); got != strings.TrimSpace(want) {
			t.Errorf("in %d cells the first lines are\n%q, want\n%q", width, got, want)
		}
	}
}

// TestTheFlags: what the whole screen is, in the first line and on a screen of one line.
func TestTheFlags(t *testing.T) {
	f := newFrame("")
	f.Flags = []string{"DEMO", "REC"}
	size := pane.Size{Width: 80, Height: 5}
	for _, line := range []string{f.Top(size)[0], f.Tiny(size)[0]} {
		if text := ansi.Strip(line); !strings.Contains(text, "CONNECTING  DEMO  REC") {
			t.Errorf("the line is %q", text)
		}
	}
}

// TestTheMessage is above the table, and its line is there also without it; on a narrow screen with the scope.
func TestTheMessage(t *testing.T) {
	f := newFrame("")
	size := pane.Size{Width: 40, Height: 24}
	if top := f.Top(size); len(top) != TopHeight || top[1] != " all parties" {
		t.Errorf("without a message the first lines are %q", top)
	}
	f.Notice = "Saved as view 1."
	if got := textOf(f.Top(size)[1:]); got != " Saved as view 1." {
		t.Errorf("the message is %q", got)
	}
}

// TestTheRowCounts have a line of their own on a high screen that is not wide.
func TestTheRowCounts(t *testing.T) {
	for _, c := range []struct {
		size  pane.Size
		lines string
	}{
		{pane.Size{Width: 40, Height: 24}, "\n 9 of 12 positions\n ? help"},
		{pane.Size{Width: 40, Height: 10}, "\n ? help"},
	} {
		f := newFrame("")
		bottom := f.Bottom(c.size)
		if got := textOf(bottom); len(bottom) != BottomHeight(c.size, 0) || !strings.HasSuffix(got, c.lines) {
			t.Errorf("at %v the last lines are %q, want %q", c.size, got, c.lines)
		}
	}
}
