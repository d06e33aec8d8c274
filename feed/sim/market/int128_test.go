package market

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestInt128AgreesWithBig(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	interesting := []int64{0, 1, -1, 10, -10, math.MaxInt64, math.MinInt64 + 1, 1e18, 9_999_999_999_999_999, -1e9}
	any := func() int64 {
		if random.IntN(3) == 0 {
			return interesting[random.IntN(len(interesting))]
		}
		return random.Int64() >> random.IntN(63) * (1 - 2*random.Int64N(2))
	}
	for range 20_000 {
		a, b, c, d := any(), any(), any()>>8, any()>>8
		factor, divisor := 1+random.Uint64N(1000), 1+random.Uint64N(10_000)
		got := product(a, b).over(1000).times(factor).plus(product(c, d)).minus(product(a, c)).over(divisor)

		want := new(big.Int).Mul(big.NewInt(a), big.NewInt(b))
		want.Quo(want, big.NewInt(1000)).Mul(want, new(big.Int).SetUint64(factor))
		want.Add(want, new(big.Int).Mul(big.NewInt(c), big.NewInt(d)))
		want.Sub(want, new(big.Int).Mul(big.NewInt(a), big.NewInt(c)))
		want.Quo(want, new(big.Int).SetUint64(divisor))
		if got.text() != want.String() {
			t.Fatalf("a %d, b %d, c %d, d %d, factor %d, divisor %d: got %s, want %s", a, b, c, d, factor, divisor, got.text(), want)
		}
	}
}

func TestInt128Digits(t *testing.T) {
	for _, text := range []string{"0", "-1", "9999999999999999999", "10000000000000000000", "10000000000000000001",
		"-18446744073709551616", "100000000000000000000000000000000000000", "123450000000000000000067890"} {
		n, _ := new(big.Int).SetString(text, 10)
		low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
		x := int128{new(big.Int).Rsh(n, 64).Int64(), low.Uint64()}
		if x.text() != text {
			t.Errorf("%s is written %s", text, x.text())
		}
	}
}
