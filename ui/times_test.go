package ui

import (
	"testing"
	"time"

	"blotter/model"
)

// TestTimesInEveryUnit have an age. One that is not understood is shown as it was sent, and said once for its field.
func TestTimesInEveryUnit(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		at := time.Now().Add(-5 * time.Second)
		rows := deskRows()[:6]
		for i, text := range []string{
			model.AmountOf(at.Unix()).String(), model.AmountOf(at.UnixMilli()).String(), model.AmountOf(at.UnixMicro()).String(),
			at.UTC().Format(time.RFC3339Nano), "20261123", "",
		} {
			rows[i].SetNumber(model.UpdatedAt, model.ParseAmount(text))
		}
		s.publish(whole(all, rows...))
		s.pass(2 * time.Second)
		s.sees("updatedAt is not understood as a time: 20261123. It is shown as sent, without an age.")
		for market, age := range map[string]string{"ETH": "7s", "SOL": "7s", "BTC": "7s", "LINK": "7s", "DOGE": ""} {
			s.filter("market:" + market + " age>1s")
			if age == "" {
				s.sees("No position matches")
				continue
			}
			s.sees(" " + age + "\n")
		}
		s.filter("doge")
		s.press("enter")
		s.sees("updated            20261123 raw")
		s.seesNot("is not understood")
		s.press("esc")
		s.filter("party:=desk-2 btc")
		s.press("enter")
		s.sees("without a time")
	})
}

// TestADecimalZeroIsClosed: -0.000 is no size.
func TestADecimalZeroIsClosed(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		rows := deskRows()[:2]
		rows[1].SetNumber(model.OpenVolume, model.ParseAmount("-0.000"))
		s.publish(whole(all, rows...))
		s.wantMarkets("ETH")
		s.sees("1 of 2 positions, 1 closed hidden")
	})
}
