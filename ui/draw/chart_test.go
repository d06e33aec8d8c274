package draw

import (
	"slices"
	"strings"
	"testing"
)

func TestChart(t *testing.T) {
	values := []Tick{{0, "-400"}, {2, "0"}, {4, "+400"}}
	gap := ChartColumn{HasGap: true}
	of := func(halves ...int) (columns []ChartColumn) {
		for _, n := range halves {
			columns = append(columns, ChartColumn{Halves: n})
		}
		return columns
	}
	for _, c := range []struct {
		name    string
		zero    int
		columns []ChartColumn
		times   []Tick
		want    string
	}{
		{"gains above zero, losses below", 2, of(0, 1, 2, 3, 4, -1, -2, -3, -4), []Tick{{0, "09:00"}}, `
+400 ┤   ▄█
     │ ▄███
   0 ┤─────────
     │     ▀███
-400 ┤       ▀█
      09:00`},
		{"losses only", 4, of(-8, -3, 0), nil, `
+400 ┤───
     │██
   0 ┤█▀
     │█
-400 ┤█
`},
		{"a gap", 2, append(of(1), gap, gap, ChartColumn{Halves: -9}), nil, `
+400 ┤
     │▄
   0 ┤─  ─
     │   █
-400 ┤   █
`},
		{"nothing", 2, []ChartColumn{gap, gap}, []Tick{{1, "x"}, {0, "y"}}, `
+400 ┤
     │
   0 ┤
     │
-400 ┤
       x`},
		{"times that overlap, or have no room", 2, of(0, 0, 0, 0, 0, 0, 0, 0), []Tick{{0, "09"}, {1, "10"}, {3, "11"}, {7, "12"}}, `
+400 ┤
     │
   0 ┤────────
     │
-400 ┤
      09 11`},
	} {
		chart := Chart{Columns: c.columns, Height: 5, Zero: c.zero, Values: values, Times: c.times}
		lines := chart.Lines(Plain, Plain, Plain)
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
	chart := Chart{Columns: []ChartColumn{{Halves: 1}, {Halves: 2}, {Halves: -1}}, Height: 3, Zero: 1, Values: []Tick{{1, "0"}}}
	drawn := append(chart.Lines(Plain, Plain, Plain), Bars(40, []Bar{{Name: "BTC", Length: 500, Value: "+1"}})...)
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
