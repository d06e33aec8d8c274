package wire

import (
	"fmt"
	"strings"
	"testing"

	"blotter/model"
)

// oddValues are what services write in the place of a number, and what is kept of it.
var oddValues = map[string]string{
	"NaN": "NaN", "Infinity": "Infinity", "-Infinity": "-Infinity", ".5": ".5", "01": "01", "true": "true", "false": "false", "{}": "{}", "[]": "[]",
	"nil": "nil", "1_000": "1_000", "0x1F": "0x1F", `{"a":[1,"}"]}`: `{"a":[1,"}"]}`, "- 1": "",
	strings.Repeat("9", 70) + "x":             strings.Repeat("9", 63) + "…",
	"[" + strings.Repeat(`"é",`, 40) + `"x"]`: "[" + strings.Repeat(`"é",`, 15) + `"é…`,
}

// TestABadValueTakesOneField: of a position or a margin record, in the middle or at the end of it. All other rows and
// fields are as they were sent. It is what its text in quotes would be.
func TestABadValueTakesOneField(t *testing.T) {
	for written, want := range oddValues {
		if want == "" {
			continue
		}
		for _, members := range []string{`"unrealisedPnl":%s,"realisedPnl":"7"`, `"realisedPnl":"7","unrealisedPnl":%s`, `"realisedPnl":"7", "unrealisedPnl" : %s `} {
			row := func(n int, value string) string {
				return fmt.Sprintf(`{"partyId":"a%d","marketId":"b1",`+members+`}`, n, value)
			}
			body := `{"result":{"updates":{"positions":[` + row(1, `"5"`) + "," + row(2, written) + "," + row(3, `"6"`) + `]}}}`
			r := NewReader(strings.NewReader(body), Limits{MessageBytes: 1 << 20})
			var message Message
			if err := r.Next(&message); err != nil || len(message.Updates) != 3 {
				t.Errorf("%s: %d rows, %v", body, len(message.Updates), err)
				continue
			}
			for i, sum := range []string{"5", want, "6"} {
				p := &message.Updates[i]
				if p.Number(model.UnrealisedPnl) != model.ParseAmount(sum) || p.Number(model.RealisedPnl) != model.AmountOf(7) || p.Party != model.MakeID(fmt.Sprint("a", i+1)) {
					t.Errorf("%s: row %d has %q", body, i+1, p.Number(model.UnrealisedPnl))
				}
			}
		}
		page, err := ReadMarginPage(strings.NewReader(`{"marginLevels":{"edges":[{"node":{"partyId":"a1","marketId":"b1","maintenanceMargin":`+written+
			`,"initialMargin":"8"}},{"node":{"partyId":"a2","marketId":"b1","maintenanceMargin":"9"}}]}}`), 1<<20)
		if err != nil || len(page.Rows) != 2 || page.Rows[0].Maintenance != model.ParseAmount(want) || page.Rows[0].Initial != model.AmountOf(8) ||
			page.Rows[1].Maintenance != model.AmountOf(9) {
			t.Errorf("%s: the page is %+v, %v", written, page.Rows, err)
		}
	}
}

// TestWhatStaysAnError: a wrong type of an identifier or of lastPage, and a value whose end is not known. A null is
// absent.
func TestWhatStaysAnError(t *testing.T) {
	read := func(row, last string) ([]model.Position, error) {
		r := NewReader(strings.NewReader(`{"result":{"snapshot":{"positions":[`+row+`],"lastPage":`+last+`}}}`), Limits{MessageBytes: 1 << 20})
		var message Message
		err := r.Next(&message)
		return message.Page, err
	}
	for row, last := range map[string]string{
		`{"partyId":true,"openVolume":"1"}`: "true", `{"partyId":{},"openVolume":"1"}`: "true", `{"partyId":"a1"}`: "7",
		`{"partyId":"a1","openVolume":- 1}`: "true", `{"partyId":"a1","openVolume":}`: "true", `{"partyId":"a1","openVolume":[}`: "true",
		`{"partyId":"a1","openVolume":'1'}`: "true",
	} {
		if rows, err := read(row, last); err == nil {
			t.Errorf("%s is read as %+v", row, rows)
		}
	}
	if rows, err := read(`{"partyId":"a1","takerFeesPaid":NaN,"openVolume":"3"}`, "true"); err != nil || rows[0].Number(model.OpenVolume) != model.AmountOf(3) {
		t.Errorf("a bad value of a field that is not read: %+v, %v", rows, err)
	}
	if rows, err := read(`{"partyId":"a1","openVolume":null}`, "true"); err != nil || !rows[0].Number(model.OpenVolume).IsZero() {
		t.Errorf("a null is %+v, %v", rows, err)
	}
}
