package ui

import (
	"strings"
	"testing"
	"time"
)

// TestAMarketThatIsNotLinear has no estimates, sums say how many they leave out, and a filter of these says so.
func TestAMarketThatIsNotLinear(t *testing.T) {
	inverse := func(o *Options) {
		eth := o.Instruments.Market(ethMarket)
		eth.IsNotLinear = true
		o.Instruments = o.Instruments.WithMarket(eth)
	}
	for _, options := range []func(*Options){nil, inverse} {
		onScreen(t, 120, 40, options, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(3 * time.Second)
			s.press("g")
			if options == nil {
				s.sees("≈ mark 3,455.02", "≈ notional -34,550.2", "+110,702 ", "→ -50%")
				return
			}
			s.sees("▌ETH/USDT", "-37.4%", "+145,253*", "* without: net 1, gross 1")
			s.seesNot("3,455.02", "34,550", "→ -50%")
			s.press("/")
			s.write("to50<50")
			s.sees("1 market with linear = false left out")
			s.press("enter")
			s.seesNot("▌ETH/USDT")
		})
	}
}

// TestAnAlertSaysThatAMarketIsNotLinear, once.
func TestAnAlertSaysThatAMarketIsNotLinear(t *testing.T) {
	const words = "Alert near does not match in markets with linear = false."
	for _, isNotLinear := range []bool{true, false} {
		withMarket := func(o *Options) {
			eth := o.Instruments.Market(ethMarket)
			eth.IsNotLinear = isNotLinear
			o.Instruments = o.Instruments.WithMarket(eth)
		}
		alertScreen(t, withMarket, func(s *screen, _ func() string) {
			s.publish(whole(all, deskRows()...))
			said := 0
			was := false
			for range 120 {
				s.pass(time.Second)
				is := strings.Contains(s.text(), words)
				if is && !was {
					said++
				}
				was = is
			}
			if want := map[bool]int{true: 1}[isNotLinear]; said != want {
				t.Errorf("linear = %t: said %d times, not %d", !isNotLinear, said, want)
			}
		}, ruleOf("near", "to50<50", ""), ruleOf("loss", "upnl<0", ""))
	}
}
