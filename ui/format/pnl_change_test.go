package format

import (
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/analysis"
)

// TestAPartThatIsLargerThanTheChange has a reason; smaller parts need none.
func TestAPartThatIsLargerThanTheChange(t *testing.T) {
	for _, c := range []struct {
		price, trading, unsplit int64
		want                    string
	}{
		{10, 5, 0, ""}, {-10, -5, 0, ""}, {0, 0, 0, ""}, {10, -4, 0, ""}, {-20, 11, 0, "offset each other"}, {-10, 30, 0, ""},
		{59_380, 0, -59_280, "unexplained: of positions that were closed"}, {60, 0, 40, ""}, {10, -10, 0, "offset each other"},
	} {
		var change analysis.Change
		change.Price.Add(model.AmountOf(c.price))
		change.Trading.Add(model.AmountOf(c.trading))
		change.Unsplit.Add(model.AmountOf(c.unsplit))
		change.IsUnsplit = c.unsplit != 0
		if got := PnLOffsets(&change, model.Unscaled); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("with %+v the reason is %q, want %q", c, got, c.want)
		}
	}
}
