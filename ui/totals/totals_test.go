package totals

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/theme"
)

// lineOf returns a line of totals of assets with these symbols, each of one position.
func lineOf(symbols ...string) *Line {
	var assets []model.Asset
	var totals []*view.Total
	for _, symbol := range symbols {
		total := &view.Total{Asset: model.MakeID(symbol), Rows: 1}
		total.Unrealised.Add(model.AmountOf(100))
		assets, totals = append(assets, model.Asset{ID: total.Asset, Symbol: symbol, Decimals: 2}), append(totals, total)
	}
	styles := theme.New("", true)
	in := model.NewInstruments(nil, nil, assets)
	return &Line{
		Totals: totals, Format: format.New(in, time.UTC, func(model.ID) int { return 2 }, false), Styles: &styles,
		Maintenance: func(model.ID) (model.Amount, bool) { return model.Amount{}, false },
	}
}

// TestTheLineIsShortened, the least important texts first.
func TestTheLineIsShortened(t *testing.T) {
	line := lineOf("USDT")
	line.Of, line.Closed, line.Counts = 12, 3, []string{"9 of 12 positions", "9 of 12"}
	for width, want := range map[int]string{
		80: " all 12: USDT  uPnL +1.00  rPnL 0.00 (3 closed included)      9 of 12 positions",
		60: " all 12: USDT  uPnL +1.00  rPnL 0.00      9 of 12 positions",
		46: " all 12: USDT  uPnL +1.00  rPnL 0.00  9 of 12",
		30: " all 12: USDT  uPnL +1.00",
	} {
		got := strings.TrimRight(ansi.Strip(new(Strip).Draw(line, width)), " ")
		if got != want || draw.Width(got) > width {
			t.Errorf("in %d cells the line is\n%q, want\n%q", width, got, want)
		}
	}
}

// TestTheLineTurns: after a time it shows the next assets, and after the last ones the first again.
func TestTheLineTurns(t *testing.T) {
	line, now := lineOf("AAA", "BBB", "CCC"), time.Now()
	var strip Strip
	var shown []string
	for range 4 {
		strip.Turn(line, 40, now)
		shown = append(shown, strings.Fields(ansi.Strip(strip.Draw(line, 40)))[0])
		strip.Turn(line, 40, now.Add(TurnAfter-1))
		now = now.Add(TurnAfter)
	}
	if got := strings.Join(shown, " "); got != "AAA BBB CCC AAA" {
		t.Errorf("the line begins with %s in turns", got)
	}
}
