package draw

import "testing"

// TestNamesAreCutOutsideNumbers: a part of a number would look like another number.
func TestNamesAreCutOutsideNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"BTC-USD-260327-110000-C", 23, "BTC-USD-260327-110000-C"},
		{"BTC-USD-260327-110000-C", 22, "BTC-US…260327-110000-C"},
		{"BTC-USD-260327-110000-C", 15, "BTC-US…110000-C"},
		{"BTC-USD-260327-110000-C", 9, "BTC-US…-C"},
		{"BTC>100K-DEC-LONG", 9, "BTC>…LONG"},
		{"BTC>100K-DEC-LONG", 14, "BTC>100K…-LONG"},
		{"ETH-1.25-PERPETUAL", 9, "ETH-…TUAL"},
		{"ETH-1.25-PERPETUAL", 16, "ETH-1.25…RPETUAL"},
		{"fund-emea-2", 9, "fund…ea-2"},
		{"123456789012", 9, "1234…9012"}, // nothing else of it would be left
		{"desk-世界-12345", 9, "des…12345"},
		{"100%-of-all-the-desks", 9, "100%…esks"},
	} {
		if got := CutMiddle(c.text, c.width); got != c.want || Width(got) > c.width {
			t.Errorf("%s in %d cells is %s, want %s", c.text, c.width, got, c.want)
		}
	}
}
