package model

import "testing"

func TestMarginRatioInPercent(t *testing.T) {
	if got := (MarginRatio{Profit: AmountOf(-44920), Maintenance: AmountOf(120000)}).String(); got != "-37.4%" {
		t.Errorf("the ratio is %s", got)
	}
}

// TestARatioOfBothForms: an amount with a decimal point and an integer have a ratio if the decimals of the asset are
// known, which shift the integer only.
func TestARatioOfBothForms(t *testing.T) {
	for _, c := range []struct {
		profit, maintenance string
		decimals            int
		want                string // empty if there is none
	}{
		{"-0.5", "100", 2, "-50.0%"},
		{"-50", "1.0", 2, "-50.0%"},
		{"-50", "1.0", 0, "-5,000.0%"},
		{"-5e-1", "1.00", 2, "-50.0%"},
		{"-50", "100", Unscaled, "-50.0%"},
		{"-0.5", "1.0", Unscaled, "-50.0%"},
		{"-0.5", "100", Unscaled, ""},
		{"-50", "1.0", Unscaled, ""},
		{"0", "1.0", Unscaled, "0.0%"},                                  // 0 is 0 in every unit
		{"-1e-100", "12345678901234567890123456789012345678901", 2, ""}, // together too many digits
	} {
		r, ok := MarginRatio{Profit: ParseAmount(c.profit), Maintenance: ParseAmount(c.maintenance)}.In(c.decimals)
		got := ""
		if ok {
			got = r.String()
		}
		if got != c.want {
			t.Errorf("%s ÷ %s in %d decimals is %q, want %q", c.profit, c.maintenance, c.decimals, got, c.want)
		}
	}
}
