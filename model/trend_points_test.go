package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTrendPointsKeepEveryAmount: points are read as they were added, whatever the amounts are, while the first ones
// are dropped and all are moved. A copy stays as it was.
func TestTrendPointsKeepEveryAmount(t *testing.T) {
	amounts := []Amount{
		{}, AmountOf(1), AmountOf(-1), AmountOf(math.MinInt64), AmountOf(math.MaxInt64), ParseAmount("1.25"), ParseAmount("-0.5"),
		ParseAmount("-99999999999999999999999999999999999999"), ParseAmount("99999999999999999999999999999999999999"),
		ParseAmount("1e-7"), ParseAmount("123456789012345678901234567890123456789012345"), ParseAmount("007"),
	}
	random := rand.New(rand.NewPCG(5, 6))
	one := func() Amount { return amounts[random.IntN(len(amounts))] }
	var points, copied trendPoints
	var want, wantCopied []trendPoint
	at := int64(1_800_000_000)
	for range 500 {
		switch random.IntN(10) {
		case 0:
			if len(want) > 1 {
				points.dropFirst()
				want = want[1:]
			}
		case 1:
			points.moveBack(7)
			want = slices.Clone(want)
			for i := range want {
				want[i].at -= 7
			}
			at -= 7
		case 2:
			copied, wantCopied = points, slices.Clone(want)
		case 3, 4, 5:
			a := one()
			points.add(trendPoint{at, a, a, a})
			want = append(want, trendPoint{at, a, a, a})
		default:
			p := trendPoint{at, one(), one(), one()}
			points.add(p)
			want = append(want, p)
		}
		at += random.Int64N(600)
		if got := slices.Collect(points.all); !slices.Equal(got, want) || points.count != len(want) {
			t.Fatalf("%d points are %v, want %v", points.count, got, want)
		}
		if len(want) > 0 && points.first() != want[0] {
			t.Fatalf("the first is %v, want %v", points.first(), want[0])
		}
		if got := slices.Collect(copied.all); !slices.Equal(got, wantCopied) {
			t.Fatalf("the copy is %v, want %v", got, wantCopied)
		}
	}
}
