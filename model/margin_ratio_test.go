package model

import "testing"

func TestMarginRatioInPercent(t *testing.T) {
	if got := (MarginRatio{Profit: AmountOf(-44920), Maintenance: AmountOf(120000)}).String(); got != "-37.4%" {
		t.Errorf("the ratio is %s", got)
	}
}
