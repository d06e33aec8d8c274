package layout

import (
	"slices"
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

// blockOf returns the totals of assets with these symbols, each of one position.
func blockOf(symbols ...string) *totalsBlock {
	var assets []model.Asset
	var totals []*view.Total
	for _, symbol := range symbols {
		total := &view.Total{Asset: model.MakeID(symbol), Rows: 1}
		total.Sum(model.UnrealisedPnl).Add(model.AmountOf(100))
		assets, totals = append(assets, model.Asset{ID: total.Asset, Symbol: symbol, Decimals: 2}), append(totals, total)
	}
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	in := model.NewInstruments(nil, nil, assets)
	write := format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
	return &totalsBlock{
		totals: totals, format: write, styles: &styles,
		profit: func(of *view.Total, a model.Amount) string { return write.RoundedAmount(a, of.Asset, true) },
	}
}

// TestTheLineIsShortened, the least important texts first.
func TestTheLineIsShortened(t *testing.T) {
	line := blockOf("USDT")
	line.of, line.closed, line.counts = 12, 3, []string{"9 of 12 positions", "9 of 12"}
	for width, want := range map[int]string{
		80: " all 12: USDT  uPnL +1.00  rPnL 0.00 (with closed)            9 of 12 positions",
		60: " all 12: USDT  uPnL +1.00  rPnL 0.00      9 of 12 positions",
		46: " all 12: USDT  uPnL +1.00  rPnL 0.00  9 of 12",
		30: " all 12: USDT  uPnL +1.00",
	} {
		got := strings.TrimRight(ansi.Strip(line.draw(width, 1)[0]), " ")
		if got != want || draw.Width(got) > width {
			t.Errorf("in %d cells the line is\n%q, want\n%q", width, got, want)
		}
	}
}

// TestTheTotalsStandStill: each asset has its place on as many lines as there is room for, and those that have none are
// counted.
func TestTheTotalsStandStill(t *testing.T) {
	for _, c := range []struct {
		width, height int
		counts        string
		want          []string
	}{
		{40, 10, "", []string{" AAA  uPnL +1.00  rPnL 0.00  +4 assets"}},
		{39, 10, "", []string{" AAA  uPnL +1.00  rPnL 0.00  +4 assets"}},
		{34, 10, "", []string{" AAA  uPnL +1.00  +4 assets"}},
		{80, 24, "", []string{" AAA  uPnL +1.00  rPnL 0.00", " BBB  uPnL +1.00  rPnL 0.00  +3 assets"}},
		{120, 40, "rows 1–9", []string{
			" AAA  uPnL +1.00  rPnL 0.00                                  BBB  uPnL +1.00  rPnL 0.00",
			" CCC  uPnL +1.00  rPnL 0.00                                  DDD  uPnL +1.00  rPnL 0.00",
			" EEE  uPnL +1.00  rPnL 0.00" + strings.Repeat(" ", 84) + "rows 1–9",
		}},
	} {
		block := blockOf("AAA", "BBB", "CCC", "DDD", "EEE")
		if c.counts != "" {
			block.counts = []string{c.counts}
		}
		lines := block.draw(c.width, totalLines(c.width, c.height, 5))
		for i := range lines {
			lines[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
		}
		if !slices.Equal(lines, c.want) {
			t.Errorf("%d cells wide the totals are\n%s\nwant\n%s", c.width, strings.Join(lines, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestASumSaysWhatItLeavesOut in any width.
func TestASumSaysWhatItLeavesOut(t *testing.T) {
	line := blockOf("USDT")
	line.totals[0].Sum(model.UnrealisedPnl).Add(model.ParseAmount("x"))
	for width, want := range map[int]string{
		60: " USDT  uPnL +1.00  rPnL 0.00 (1 left out)",
		36: " USDT  uPnL +1.00 (1 left out)",
		24: " #######################",
	} {
		if got := strings.TrimRight(ansi.Strip(line.draw(width, 1)[0]), " "); got != want {
			t.Errorf("in %d cells the line is\n%q, want\n%q", width, got, want)
		}
	}
}
