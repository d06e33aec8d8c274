package export

import "testing"

func TestSpreadsheetCell(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "-12": "-12", "+1": "+1", "-1.50": "-1.50", "-": "'-", "-1+1": "'-1+1", "--1": "'--1", "-0x1": "'-0x1",
		"=1": "'=1", "@sum": "'@sum", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "\t=1": "'␉=1", "\r=1": "'␍=1", "＝1": "'＝1", "a=1": "a=1",
	} {
		if got := spreadsheetCell(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
}
