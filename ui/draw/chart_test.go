package draw

import (
	"slices"
	"strings"
	"testing"
)

func TestChart(t *testing.T) {
	values := []Tick{{0, "-400"}, {2, "0"}, {4, "+400"}}
	for _, c := range []struct {
		name   string
		levels []int
		times  []Tick
		want   string
	}{
		{"up and down", []int{0, 0, 3, 4, 4, 1, 2}, []Tick{{0, "09:00"}}, `
+400 ┤   ╭─╮
     │  ╭╯ │
   0 ┤  │  │╭
     │  │  ╰╯
-400 ┤──╯
      09:00`},
		{"by one level", []int{3, 2, 3}, nil, `
+400 ┤
     │─╮╭
   0 ┤ ╰╯
     │
-400 ┤
`},
		{"a gap", []int{2, 2, -1, -1, 4, 4}, nil, `
+400 ┤    ──
     │
   0 ┤──
     │
-400 ┤
`},
		{"no line", []int{-1, -1}, []Tick{{1, "x"}, {0, "y"}}, `
+400 ┤
     │
   0 ┤
     │
-400 ┤
       x`},
		{"a level outside the chart is a gap", []int{1, 9, -3, 1}, nil, `
+400 ┤
     │
   0 ┤
     │─  ─
-400 ┤
`},
		{"times that overlap, or have no room", []int{0, 0, 0, 0, 0, 0, 0, 0}, []Tick{{0, "09"}, {1, "10"}, {3, "11"}, {7, "12"}}, `
+400 ┤
     │
   0 ┤
     │
-400 ┤────────
      09 11`},
	} {
		chart := Chart{Levels: c.levels, Height: 5, Values: values, Times: c.times}
		lines := chart.Lines(Plain, Plain)
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		if got := "\n" + strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s:%s\nwant%s", c.name, got, c.want)
		}
	}
}

// TestChartsHaveASCII: each character of charts and bars has a replacement.
func TestChartsHaveASCII(t *testing.T) {
	chart := Chart{Levels: []int{0, 2, 0, 1, 1}, Height: 3, Values: []Tick{{0, "0"}}}
	drawn := append(chart.Lines(Plain, Plain), Bars(40, []Bar{{Name: "BTC", Length: 500, Value: "+1"}})...)
	for _, line := range drawn {
		if ascii := ASCII(line); strings.Contains(ascii, "?") || Width(ascii) != Width(line) {
			t.Errorf("%q is %q", line, ascii)
		}
	}
}

func TestBars(t *testing.T) {
	bars := []Bar{
		{Name: "BTC/USDT", Length: 1000, Value: "+78,501.16"},
		{Name: "ETH/USDT", Length: 440, Value: "-34,550.20"},
		{Name: "a name that is too long for it", Length: 1, Value: "+1.00"},
		{Name: "none", Value: "0.00"},
	}
	for _, c := range []struct {
		width int
		want  []string
	}{
		{60, []string{
			" BTC/USDT                     ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇ +78,501.16",
			" ETH/USDT                     ▇▇▇▇▇▇▇▇            -34,550.20",
			" a name that is…o long for it ▇                        +1.00",
			" none                                                   0.00",
		}},
		{30, []string{
			" BTC/USDT     ▇▇▇▇▇ +78,501.16",
			" ETH/USDT     ▇▇    -34,550.20",
			" a name…or it ▇          +1.00",
			" none                     0.00",
		}},
		{20, []string{
			" BTC…SDT  +78,501.16",
			" ETH…SDT  -34,550.20",
			" a n… it       +1.00",
			" none           0.00",
		}},
	} {
		if got := Bars(c.width, bars); !slices.Equal(got, c.want) {
			t.Errorf("in %d cells:\n%s", c.width, strings.Join(got, "\n"))
		}
	}
	for i := range bars {
		bars[i].Length = 0
	}
	if got, want := Bars(45, bars)[2], " a name that is too long for it         +1.00"; got != want {
		t.Errorf("without bars: %q, want %q", got, want)
	}
	if len(Bars(40, nil)) != 0 {
		t.Error("there are lines without bars")
	}
}
