package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// TestTheBoxOfTheSelectedRow has rounded corners on a large screen: the gauge with its mark at -50%, the levels, the
// distances, the latest trades, and a chart. The margin levels below it keep nine lines.
func TestTheBoxOfTheSelectedRow(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(4 * time.Second)
		s.sees("╭─ ETH/USDT · desk-1 ─", "│ uPnL/MM -37.4%  ───", " -100% ─", "┊──▇▇", "│ maintenance 1,200.00 ", "→ -50%, +2.2% → -100%",
			"│ no trade was seen yet ", " 0 ┤─", "uPnL in 3s: no change ─╯")
		s.publish(updatesOf(all, changed(0, "-11000", "-44920", "100210")))
		s.publish(updatesOf(all, changed(0, "-12000", "-44920", "100210")))
		s.publish(updatesOf(all, changed(0, "-12500", "-44920", "100210")))
		s.pass(time.Second)
		s.sees("│ last trades  14:02:09 -0.500 @ ≈ 3,410.1  14:02:09 -1.000 ")
		if lines := s.m.parts().Margins; lines < 9 {
			t.Errorf("the margin levels have %d lines", lines)
		}
		s.send(tea.WindowSizeMsg{Width: 120, Height: 39})
		s.sees("\n─ ETH/USDT · desk-1 ─")
		s.seesNot("╭", "╯")
	})
}

// TestTheBoxOfAGroup has its totals, and that of no row its border.
func TestTheBoxOfAGroup(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("b", "g")
		s.pass(2 * time.Second)
		s.sees("╭─ desk-1 ─", "│ USDT  uPnL -581.50  uPnL/MM -13.5%")
	})
}

// TestTheRecordOfTheSelectedRowIsInView on the page of margin levels, if it is on it, until the table has the focus.
func TestTheRecordOfTheSelectedRowIsInView(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
			page := deskPage(request)
			row := page.Rows[0]
			for i := range 30 {
				row.Market = model.MakeID(fmt.Sprintf("m%02d", i))
				page.Rows = append([]model.MarginLevels{row}, page.Rows...)
			}
			return page, nil
		}
		s.publish(whole(all, deskRows()...))
		s.pass(6 * time.Second)
		s.sees("▸ETH/USDT ")
		s.press("tab")
		s.seesNot("▸ETH/USDT ")
		s.press("shift+tab")
		s.sees("▸ETH/USDT ")
	})
}

// TestChartOfToday is in the lines that the table leaves empty, on a large screen, if the PnL has changed.
func TestChartOfToday(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(4 * time.Second)
		s.seesNot("─ PnL since")
		s.publish(updatesOf(all, changed(0, "-10000", "-54920", "100210")))
		s.pass(4 * time.Second)
		s.sees("─ PnL since 14:02:07 · USDT ─", " -100.00 … 0.00 ─", "\n -100 ┤")
		if table := strings.Join(s.table()[:7], "\n"); strings.Count(table, "USDT") != 6 {
			t.Errorf("the table is\n%s", table)
		}
		s.send(tea.WindowSizeMsg{Width: 119, Height: 40})
		s.seesNot("─ PnL since")
		s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		s.press("/")
		s.write("party:desk-1")
		s.press("enter")
		s.pass(4 * time.Second)
		s.seesNot("─ PnL since") // it has not changed since the filter
		rows := deskRows()
		for i := range 20 {
			row := rows[1]
			row.Party, row.Market = desk1, model.MakeID(fmt.Sprintf("m%02d", i))
			rows = append(rows, row)
		}
		s.press("esc")
		s.pass(4 * time.Second)
		s.sees("─ PnL since")
		s.publish(whole(all, rows...))
		s.seesNot("─ PnL since")
	})
}
