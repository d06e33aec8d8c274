package dialog

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// market is a name with its identifier.
type market struct{ name, id string }

var markets = []market{{"SOL/USDT", "m1"}, {"SOLANA-2", "m2"}, {"ETH/USDT", "m3"}, {"acct-10", "m4"}}

// newPicker returns a picker of the markets, with those chosen that are named.
func newPicker(chosen ...string) *Picker {
	find := func(text string) model.ID {
		for _, m := range markets {
			if m.name == text {
				return model.MakeID(m.id)
			}
		}
		return model.MakeID(text)
	}
	var ids, chosenIDs []model.ID
	for _, m := range markets {
		ids = append(ids, model.MakeID(m.id))
	}
	for _, name := range chosen {
		chosenIDs = append(chosenIDs, find(name))
	}
	return NewPicker(store.Watchable{Plural: "markets", All: ids, Watched: chosenIDs, Find: find, Label: func(id model.ID) string {
		at := slices.IndexFunc(markets, func(m market) bool { return m.id == id.String() })
		return markets[at].name
	}})
}

// applied returns the identifiers that enter applies.
func (p *Picker) applied() string {
	var ids []string
	for _, id := range p.applies() {
		ids = append(ids, id.String())
	}
	return strings.Join(ids, " ")
}

// paste types a text.
func (p *Picker) paste(text string) {
	p.Text().Insert(text)
	p.Changed(nil)
}

func TestEnterAppliesTheBestMatch(t *testing.T) {
	for text, want := range map[string]string{
		"SOL/USDT":               "m1",     // its name
		"sol/usdt":               "m1",     // in lower case
		"sol":                    "m1",     // a whole word of it, before the beginning of SOLANA
		"solan":                  "m2",     // the beginning
		"th/":                    "m3",     // a part
		"usdt eth":               "m3",     // each word
		"m3":                     "m3",     // its identifier
		"acct-1":                 "acct-1", // not acct-10: its number is another
		"acct-10":                "m4",
		"bitcoin":                "bitcoin",                // nothing else matches
		strings.Repeat("AB", 32): strings.Repeat("AB", 32), // an identifier of the service
	} {
		p := newPicker()
		p.paste(text)
		if got := p.applied(); got != want {
			t.Errorf("%q: enter applies %q, not %q", text, got, want)
		}
	}
}

func TestEnterAppliesWhatIsChosenUntilTheCursorMoves(t *testing.T) {
	p := newPicker("ETH/USDT", "SOL/USDT")
	if got := p.applied(); got != "m3 m1" {
		t.Errorf("at first %q", got)
	}
	p.Rows.MoveBy(1) // from ETH/USDT, the first that is chosen
	if got := p.applied(); got != "m4" {
		t.Errorf("after a move %q", got)
	}
	p.Rows.MoveBy(-10)
	if got := p.applied(); got != "" {
		t.Errorf("on the line for all %q", got)
	}
}

// TestEnterAppliesWhatIsChosenAfterTheWheel, until the cursor is no longer on its row.
func TestEnterAppliesWhatIsChosenAfterTheWheel(t *testing.T) {
	p := newPicker("SOLANA-2", "SOL/USDT")
	p.Rows.Fit(3)
	p.Rows.ScrollBy(1)
	if got := p.applied(); got != "m2 m1" || p.Rows.Top() != 1 {
		t.Errorf("scrolled to row %d, enter applies %q", p.Rows.Top(), got)
	}
	p.Rows.ScrollBy(-1)
	p.Rows.Fit(2)
	p.Rows.ScrollBy(2)
	if got := p.applied(); got != "m3" {
		t.Errorf("scrolled further, enter applies %q", got)
	}
}

func TestEnterAppliesWhatIsMarked(t *testing.T) {
	p := newPicker("ETH/USDT")
	p.paste("sol/")
	p.mark(nil)
	if got := p.applied(); got != "m3 m1" {
		t.Errorf("two are marked: %q", got)
	}
	p.mark(nil)
	if got := p.applied(); got != "m3" {
		t.Errorf("one is unmarked: %q", got)
	}
	for range "sol/" {
		p.Text().Press(tea.KeyPressMsg{Code: tea.KeyBackspace})
		p.Changed(nil)
	}
	p.mark(nil) // the line for all
	if got := p.applied(); got != "" {
		t.Errorf("all: %q", got)
	}
}

func TestClickOnARow(t *testing.T) {
	p := newPicker()
	p.Rows.Fit(8)
	if !p.Rows.Click(3) || p.applied() != "m3" {
		t.Errorf("the row applies %q", p.applied())
	}
	if p.Rows.Click(5) {
		t.Error("there is no sixth row")
	}
}

func TestDraw(t *testing.T) {
	p := newPicker("ETH/USDT")
	p.paste("usdt")
	styles := new(theme.Set).New(theme.Monochrome, theme.Terminal{IsDark: true})
	c, size := &pane.Context{Styles: &styles}, pane.Size{Width: 60, Height: 8}
	p.Choices.Sync(c, size) // without the notes about positions
	lines := p.Draw(c, size)
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	want := []string{
		" markets: usdt",
		"─ 2 of 4 markets ───────────────────────────────────────────",
		"▌[ ] SOL/USDT  m1",
		" [x] ETH/USDT  m3",
		" [ ] usdt   as typed, not one of these names",
		"",
		"",
		" enter watches SOL/USDT",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	if column := p.Cursor(size).X; column != len(" markets: usdt") {
		t.Errorf("the cursor is in column %d", column)
	}
}
