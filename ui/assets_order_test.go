package ui

import (
	"regexp"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/view"
)

// TestAnOrderByAmountsOfSeveralAssets has the asset with the most open rows first, in both directions, with the name of
// each on its first row on the screen. Rows that open or close do not move an asset.
func TestAnOrderByAmountsOfSeveralAssets(t *testing.T) {
	dai := model.MakeID("da01")
	twoAssets := func(o *Options) {
		watchAll(o)
		o.Order = view.Order{Column: view.UnrealisedColumn}
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH", Asset: usdt}, {ID: solMarket, Name: "SOL", Asset: usdt}, {ID: btcMarket, Name: "BTC", Asset: dai},
		}, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}, {ID: dai, Symbol: "DAI", Decimals: 2}})
	}
	amount := regexp.MustCompile(`^[▌ ](?:ETH|SOL|BTC) .*? ((?:(?:USDT|DAI) )?[-+][\d,]+\.\d\d) `)
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, size.width, size.height, twoAssets, func(s *screen) {
			inOrder := func(want ...string) {
				t.Helper()
				var got []string
				for _, line := range s.table() {
					if found := amount.FindStringSubmatch(line); found != nil {
						got = append(got, found[1])
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("the amounts are %q, want %q, in\n%s", got, want, s.text())
				}
			}
			eth, sol, btc, moreBTC := deskRows()[0], deskRows()[1], deskRows()[2], deskRows()[5]
			s.publish(whole(all, sol, btc, moreBTC))
			inOrder("DAI -12.65", "+346.88", "USDT -132.30")
			sol.Party = desk2
			s.publish(updatesOf(all, eth, sol))
			inOrder("DAI -12.65", "+346.88", "USDT -449.20", "-132.30", "-132.30")
			s.press("s", "s")
			inOrder("USDT -132.30", "-132.30", "-449.20", "DAI +346.88", "-12.65")
		})
	}
	onScreen(t, 40, 20, twoAssets, func(s *screen) {
		s.publish(whole(all, deskRows()[0], deskRows()[1], deskRows()[2]))
		s.seesLine("▌ -10,000 @ 341,010 USDT DISTRESSED")
		s.seesLine("+42,000 @ 148,220")
		s.seesLine("-31 @ 639,900 DAI 14m")
	})
}
