package command

import (
	"context"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
	"blotter/ui/command/remote"
	"blotter/ui/command/saved"
	"blotter/ui/history"
)

// TestTheOldRightsStayIfTheNewTradersAreWrong: nobody sees more because of a file that is refused.
func TestTheOldRightsStayIfTheNewTradersAreWrong(t *testing.T) {
	withServe(t, func(d *servedTest) {
		text := strings.Replace(tradersFile(t), "parties = ['desk-1']", "parties = ['*']", 1)
		d.writeConfig(strings.Replace(text, authorized(t, 2), authorized(t, 1), 1)) // the key of two traders
		d.hangUp()
		d.connect(1).shows("prod · one", "2 open").close()
		d.ends(1, "positions -o csv --columns party,market", 0, "a1,b1\na1,b2\n", "")
	})
}

// TestDaysThatWereKeptWithMoreRightsAreNotShown: neither the numbers of positions nor the lines of parties that the
// trader may not see now. They stay in the file.
func TestDaysThatWereKeptWithMoreRightsAreNotShown(t *testing.T) {
	onDesk(t, func(ctx context.Context, d *servedDesk) {
		var positions []model.Position
		var kept history.Kept
		total := history.DayTotal{At: time.Now(), Total: model.AmountOf(1)}
		for _, p := range twoPositions {
			positions = append(positions, model.Position{Key: model.Key{Party: model.MakeID(p.Party), Market: model.MakeID(p.Market)}})
			kept.Lines = append(kept.Lines, history.DayLine{
				DayKey: history.DayKey{Party: model.MakeID(p.Party), Scope: "all", Asset: model.MakeID("d1")},
				Days:   []*history.Day{{Date: "2026-11-28", First: total, Last: total}},
			})
		}
		all := book.NewBaseline([]book.BaselinePart{{At: time.Now(), Positions: positions}})
		kept.Numbers = &book.DayNumbers{Began: time.Now(), Day: all, Last: all}
		file := saved.NewStateFile(d.pathOf("one", "state.json"), d.service)
		if err := file.RememberDays(kept); err != nil {
			t.Fatal(err)
		}
		session := remote.Session{Trader: "one", Getenv: func(string) string { return "" }}
		_, options := d.screenOptions(ctx, session, d.rightsOf("one"))
		if numbers := options.Days.Numbers; numbers == nil || numbers.Day.Len() != 1 || numbers.Last.Len() != 1 {
			t.Errorf("the numbers are %+v, want those of one position", numbers)
		}
		lines := options.Days.Clone()
		if len(lines) != 1 || !d.rightsOf("one").Parties.Has(lines[0].Party) {
			t.Errorf("the lines are %+v, want those of one party", lines)
		}
		if err := file.RememberDays(history.Kept{Lines: lines}); err != nil {
			t.Fatal(err)
		}
		if kept, _ := file.Days(); len(kept.Lines) != 2 {
			t.Errorf("the file has the lines %+v, want both", kept.Lines)
		}
	})
}

// TestTheFirstLineOfASessionNamesItsParty, which is all that the trader may see.
func TestTheFirstLineOfASessionNamesItsParty(t *testing.T) {
	withServe(t, func(d *servedTest) { d.connect(1).shows("prod · one").shows("s  desk-1  ").close() })
}

// TestMarginsOfATraderAreTheNewestFirst, as those of the program.
func TestMarginsOfATraderAreTheNewestFirst(t *testing.T) {
	withServe(t, func(d *servedTest) {
		for i, market := range []string{"b2", "b1", "b3"} {
			d.PutMargins(sim.MarginLevels{Party: "a1", Market: market, Asset: "d1", Maintenance: "100", Timestamp: int64(1 + i)})
		}
		d.ends(1, "margins --limit 2 -o csv --columns market --timeout 1m", 0, "marketId\nb3\nb1\n", "")
	})
}

// TestACommandHasTheGroupsOfItsTrader, which a screen has kept.
func TestACommandHasTheGroupsOfItsTrader(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.connect(1).press("a", "O", "hedge", "\r").shows("Group hedge: 1 position;").close()
		d.ends(1, "positions --filter group:hedge -o csv --columns market", 0, "marketId\nb1\n", "")
		d.ends(2, "positions --filter group:hedge", 2, "", "no group has")
	})
}
