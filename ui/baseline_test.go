package ui

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// changed is a row of the desk with another size and other profits.
func changed(row int, size, unrealised, realised string) model.Position {
	p := deskRows()[row]
	p.SetNumber(model.OpenVolume, model.ParseAmount(size))
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(unrealised))
	p.SetNumber(model.RealisedPnl, model.ParseAmount(realised))
	return p
}

// wideDesk is a desk on a screen with room for the columns of changes.
func wideDesk(t *testing.T, test func(s *screen)) {
	t.Helper()
	onScreen(t, 160, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		test(s)
	})
}

// TestChangesSinceTheBaseline: exact, in the decimals of the numbers, and a position that did not exist is new.
func TestChangesSinceTheBaseline(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.seesNot("ΔSIZE", "ΔuPnL", "ΔrPnL")
		s.press("B")
		s.sees("Baseline taken: ΔSIZE, ΔuPnL and ΔrPnL count from now.", "ΔSIZE", "ΔuPnL", "ΔrPnL")
		s.publish(updatesOf(all, changed(0, "-7500", "-40000", "100310"), position(desk3, solMarket, "100", "148000", "-7", "0", 0, 0)))
		s.rowHas("ETH/USDT", "-7.500", "+2.500", "3,410.10", "-400.00", "+49.20", "+1,003.10", "+1.00")
		s.rowHas("SOL/USDT  desk-3", "+1.00", "+1.00", "-0.07", "new -0.07")
		for _, line := range s.lines() {
			if strings.Contains(line, "DOGE/USDT") && strings.Contains(line, " 0.00") {
				t.Errorf("what has not changed is shown: %q", line)
			}
		}
		s.press("enter")
		s.rowHas("size change", "+2.500 since 14:02:08 CET")
		s.rowHas("uPnL change", "+49.20 since 14:02:08 CET")
		s.rowHas("rPnL change", "+1.00 since 14:02:08 CET")
		s.press("esc", "down", "down", "down", "enter")
		s.rowHas("uPnL change", "-0.07 since 14:02:08 CET, when it did not exist")
		s.rowHas("PnL change", "-0.07 = ≈ price 0.00, ≈ trading -0.07")
	})
}

// TestTotalsCountFromTheBaseline: those of all rows, and those of each group on its heading and in its detail.
func TestTotalsCountFromTheBaseline(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.press("B")
		s.sees(" USDT ΔuPnL 0.00  ΔrPnL 0.00")
		s.publish(updatesOf(all, changed(0, "-7500", "-40000", "100310")))
		s.sees(" USDT ΔuPnL +49.20  ΔrPnL +1.00")
		s.press("b")
		s.rowHas("desk-1", "-532.30", "+49.20", "+1.00")
		for _, line := range s.lines() {
			if strings.Contains(line, "desk-2") && strings.Contains(line, "▾") && strings.Contains(line, " 0.00") {
				t.Errorf("what has not changed is shown: %q", line)
			}
		}
		s.press("g", "enter")
		s.rowHas("ΔuPnL", "+49.20")
		s.rowHas("ΔrPnL", "+1.00")
		s.rowHas("PnL change", "+50.20 at 14:02:08 = ≈ price -84.13, ≈ trading +134.33")
		s.press("esc", "/")
		s.write("market:sol")
		s.sees("USDT ΔuPnL +49.20  ΔrPnL +1.00") // of all positions, whatever is filtered
	})
}

// TestWhyPnLChanged: by the price of the size that was held, by trades at another price than the mark price, and by
// loss socialisation. The mark price rises from 3,455.02 to 3,463.43 if 2.5 of a short position of 10 are bought back.
func TestWhyPnLChanged(t *testing.T) {
	for want, now := range map[string]model.Position{
		"+49.20 = ≈ price +49.20":                                changed(0, "-10000", "-40000", "100210"),
		"+50.20 = ≈ price -84.13, ≈ trading +134.33":             changed(0, "-7500", "-40000", "100310"),
		"+1.00 = ≈ price 0.00, other (funding, fees…) +1.00":     changed(0, "-10000", "-44920", "100310"),
		"-35.80 = ≈ price +49.20, other (funding, fees…) -85.00": changed(0, "-10000", "-40000", "91710"),
		"+39.20 = ≈ price +49.20, loss socialised -10.00":        socialised(changed(0, "-10000", "-40000", "99210"), "1000"),
	} {
		t.Run(want, func(t *testing.T) {
			wideDesk(t, func(s *screen) {
				s.press("B")
				s.publish(updatesOf(all, now))
				s.press("enter")
				s.rowHas("PnL change", want)
			})
		})
	}
}

// socialised returns a position with another loss socialisation amount.
func socialised(p model.Position, loss string) model.Position {
	p.SetNumber(model.LossSocialisationAmount, model.ParseAmount(loss))
	return p
}

// TestPnLIsNotSplit if not every change since the baseline was seen: it was taken in the past, or the position was not
// watched meanwhile.
func TestPnLIsNotSplit(t *testing.T) {
	now := changed(0, "-7500", "-40000", "100310")
	var memory fakeMemory
	onScreen(t, 160, 24, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("w", "B", "esc")
		s.publish(updatesOf(all, now))
		s.press("enter")
		s.rowHas("PnL change", "+50.20, unexplained: size changed")
		s.press("esc", "B", "B")
		s.publish(updatesOf(all, changed(0, "-7500", "-40000", "100410")))
		s.press("enter")
		s.rowHas("PnL change", "+1.00 = ≈ price 0.00, other (funding, fees…) +1.00")
	})
	sinceTheStart := func(o *Options) { o.Order = view.Order{Column: view.UnrealisedChangeColumn, Descending: true} }
	onScreen(t, 160, 24, sinceTheStart, func(s *screen) {
		s.publish(deskDelta(s))
		s.publish(updatesOf(s.m.store.Subscriptions()[0], now))
		s.press("g", "enter")
		s.rowHas("PnL change", "+50.20 = ≈ price -84.13, ≈ trading +134.33")
		settings := s.m.store.Settings()
		without, with := settings, settings
		without.Scope.Parties = settings.Scope.Parties[1:]
		for _, each := range []view.Settings{without, with} {
			s.start(s.m.store.Set(each))
			s.pass(time.Second)
		}
		s.publish(whole(s.m.store.Subscriptions()[0], now, deskRows()[1]))
		s.press("esc", "g", "enter")
		s.rowHas("PnL change", "+50.20, unexplained: size changed")
	})
}

// rowHas fails the test unless a row has these texts, in this order.
func (s *screen) rowHas(row string, texts ...string) {
	s.t.Helper()
	for _, line := range s.lines() {
		if inOrder(line, append([]string{row}, texts...)) {
			return
		}
	}
	s.t.Errorf("no row %s has %q:\n%s", row, texts, s.text())
}

// TestABaselineIsNotLostByOneKey: if there is one, B shows a question.
func TestABaselineIsNotLostByOneKey(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.press("B")
		s.publish(updatesOf(all, changed(0, "-10000", "-40000", "100210")))
		s.pass(time.Minute)
		s.press("B")
		s.sees("There is a baseline of 14:02:08 CET. B takes a new one, x removes it, esc keeps it.")
		s.rowHas("ETH/USDT", "+49.20")
		s.press("up")
		s.sees("The last line lists the keys.")
		s.press("esc")
		s.seesNot("There is a baseline")
		s.rowHas("ETH/USDT", "+49.20")
		s.press("B", "B")
		s.rowHas("ETH/USDT", "-400.00")
		s.seesNot("ΔuPnL +49.20")
		s.press("B")
		s.sees("There is a baseline of 14:03:08 CET.")
		s.press("x")
		s.sees("Baseline removed.")
		s.seesNot("ΔSIZE", "There is a baseline")
	})
}

// TestABaselineOfFrozenRows is of the time of these rows.
func TestABaselineOfFrozenRows(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.press("f")
		s.pass(5 * time.Second)
		s.publish(updatesOf(all, changed(0, "-10000", "-40000", "100210")))
		s.press("B")
		s.sees("count from 14:02:08 CET, when the rows were frozen.")
		s.press("f")
		s.rowHas("ETH/USDT", "-400.00", "+49.20")
		s.press("B")
		s.sees("There is a baseline of 14:02:08 CET.")
	})
}

// TestABaselineLastsThroughSnapshots: a stream that is opened again does not replace it.
func TestABaselineLastsThroughSnapshots(t *testing.T) {
	wideDesk(t, func(s *screen) {
		s.press("B")
		rows := deskRows()
		rows[0] = changed(0, "-10000", "-40000", "100210")
		s.publish(whole(all, rows...))
		s.rowHas("ETH/USDT", "-400.00", "+49.20")
	})
}

// TestSortByAChange: the column that sorts is there without a baseline too, and counts since the first snapshot.
func TestSortByAChange(t *testing.T) {
	order := func(o *Options) {
		watchAll(o)
		o.Order = view.Order{Column: view.UnrealisedChangeColumn, Descending: true}
	}
	onScreen(t, 160, 24, order, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.publish(updatesOf(all, changed(5, "1250", "34687", "1200"), changed(1, "42000", "-13000", "8841")))
		s.sees("ΔuPnL ▼")
		if got := s.markets(); got[0] != "SOL" || got[len(got)-1] != "BTC" {
			t.Errorf("the rows are %q", got)
		}
	})
}

// TestTheOrdersAreListed: without a baseline, there is no order by changes.
func TestTheOrdersAreListed(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("s", "%")
		s.sees("uPnL/MM ▲")
		s.press("s", "U")
		s.sees("There is no baseline.")
		s.press("esc", "B", "s", "U")
		s.sees("ΔuPnL ▲")
	})
}

// TestColumnsWithoutRoomScroll: right brings those to the screen that a wider one shows, and left goes back.
func TestColumnsWithoutRoomScroll(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.seesNot("≈ MARK", "rPnL")
		s.press("left")
		s.sees("The first columns are shown.")
		s.press("right")
		s.wantHeading("MARKET", "PARTY", "ENTRY", "≈MARK", "≈NOTIONAL", "ASSET", "uPnL", "▲", "uPnL/MM")
		for range 20 {
			s.press("right")
		}
		s.sees("The last columns are shown.", "rPnL", "▌ETH/USDT", "IDLE")
		for range 20 {
			s.press("left")
		}
		s.wantHeading("MARKET", "PARTY", "SIZE", "ENTRY", "uPnL", "▲", "uPnL/MM", "STATUS", "IDLE")
	})
}

// TestBaselineWithoutDecimals: a change of raw numbers is raw.
func TestBaselineWithoutDecimals(t *testing.T) {
	bare := func(o *Options) {
		watchAll(o)
		o.Instruments = nil
	}
	onScreen(t, 160, 24, bare, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("B")
		s.publish(updatesOf(all, changed(0, "-8000", "-43920", "100210")))
		s.sees("ΔuPnL raw", "ΔSIZE raw", "+2,000", "+1,000")
	})
}

func TestNoBaselineOfNothing(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.press("B")
		s.sees("No positions yet.")
	})
}

// inOrder reports whether a line has all texts, one after the other.
func inOrder(line string, texts []string) bool {
	for _, text := range texts {
		_, rest, found := strings.Cut(line, text)
		if !found {
			return false
		}
		line = rest
	}
	return true
}

// TestQuitAsksForWhatIsLost: the baseline, or a recording that goes on.
func TestQuitAsksForWhatIsLost(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("B", "q")
		s.sees("Quitting loses the baseline: q again quits.")
		s.pass(10 * time.Second)
		s.press("q")
		if s.sees("Quitting loses the baseline: q again quits."); s.sentMsg("QuitMsg") {
			t.Error("q quits at once")
		}
		if s.press("q"); !s.sentMsg("QuitMsg") {
			t.Error("q q does not quit")
		}
	})
	onScreen(t, 80, 24, func(o *Options) { watchAll(o); o.Recording = func() error { return nil } }, func(s *screen) {
		s.press("q")
		if s.sees("Quitting ends the recording: q again quits."); s.sentMsg("QuitMsg") {
			t.Error("q quits at once")
		}
		if s.press("q"); !s.sentMsg("QuitMsg") {
			t.Error("q q does not quit")
		}
	})
}

// keeping lets a screen keep baselines for the next run.
func keeping(kept **book.Baseline) func(*Options) {
	return func(o *Options) {
		watchAll(o)
		o.Keep.Offered = *kept
		o.Keep.Baseline = func(b *book.Baseline) error { *kept = b; return nil }
	}
}

// TestABaselineIsKeptForTheNextRun, which offers it, and then has the changes since it was taken.
func TestABaselineIsKeptForTheNextRun(t *testing.T) {
	var kept *book.Baseline
	onScreen(t, 160, 24, keeping(&kept), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("B")
		s.pass(time.Second)
		if s.press("q"); !s.sentMsg("QuitMsg") {
			t.Error("q asks before it quits")
		}
	})
	if kept.Len() != len(deskRows()) {
		t.Fatalf("a baseline of %d positions is kept, want %d", kept.Len(), len(deskRows()))
	}
	onScreen(t, 160, 24, keeping(&kept), func(s *screen) {
		s.sees("The baseline of 14:02:08 CET was kept; B offers it.")
		s.publish(whole(all, append(deskRows()[1:], changed(0, "-7500", "-40000", "100310"))...))
		s.pass(time.Minute)
		s.seesNot("ΔuPnL")
		s.press("B")
		s.sees("There is a baseline of 14:02:08 CET of an earlier run. u uses it, B takes a new one, esc does neither.")
		s.press("x")
		s.sees("It is not used.")
		s.press("esc", "B", "u")
		s.sees("ΔSIZE, ΔuPnL and ΔrPnL count from 14:02:08 CET.", "ΔuPnL")
		s.rowHas("ETH/USDT", "-7.500", "+2.500", "+49.20")
		s.pass(time.Second)
		if kept == nil {
			t.Error("it is not kept any more")
		}
		if s.press("B", "x"); kept == nil {
			t.Error("it is removed at once")
		}
		if s.pass(time.Second); kept != nil {
			t.Error("it was removed, and is kept")
		}
	})
}

// TestABaselineThatIsTooLargeIsNotKept, and q says so.
func TestABaselineThatIsTooLargeIsNotKept(t *testing.T) {
	kept := new(book.Baseline)
	onScreen(t, 160, 24, keeping(&kept), func(s *screen) {
		var rows []model.Position
		for i := range book.MaxKept + 1 {
			rows = append(rows, position(model.MakeID(strconv.Itoa(i)), solMarket, "1", "1", "1", "0", 0, 0))
		}
		s.publish(whole(all, rows...))
		s.press("B", "B")
		s.pass(2 * time.Second)
		if s.press("q"); kept != nil {
			t.Error("it is kept")
		}
		s.sees("The baseline is too large to be kept: q again quits.")
	})
}

// TestWhyAGroupChangedIsOfItsRows: what was read before a filter, or of another baseline, is not of the rows that are
// shown.
func TestWhyAGroupChangedIsOfItsRows(t *testing.T) {
	for name, change := range map[string]func(s *screen){
		"a filter":   func(s *screen) { s.press("/"); s.write("market:sol"); s.press("enter") },
		"a baseline": func(s *screen) { s.press("B", "B") },
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 200, 60, watchAll, func(s *screen) {
				s.publish(whole(all, deskRows()...))
				s.press("B", "b")
				s.publish(updatesOf(all, changed(0, "-10000", "-40000", "100210")))
				s.press("g", "enter")
				s.pass(4 * time.Second)
				s.sees("PnL change")
				s.press("esc")
				change(s)
				s.pass(10 * time.Second)
				s.press("g")
				s.sees("desk-1")
				if name == "a baseline" {
					s.sees("PnL change         0.00 at ")
				} else {
					s.seesNot("PnL change")
				}
			})
		})
	}
}
