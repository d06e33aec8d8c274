package model

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"
)

// sample makes positions up, the same ones for the same seed.
type sample struct {
	*rand.Rand
	parties, markets []ID
	instruments      *Instruments
}

// newSample names every second party and all markets but the first, in upper case, and knows decimals for them.
func newSample(seed uint64, parties, markets int) *sample {
	s := &sample{Rand: rand.New(rand.NewPCG(seed, 0))}
	assets := []Asset{{s.identifier(), "USDT", 6}, {s.identifier(), "EUR", 2}, {s.identifier(), "DAI", 18}}
	var named []Party
	for i := range parties {
		s.parties = append(s.parties, s.identifier())
		if i%2 == 1 {
			named = append(named, Party{s.parties[i], fmt.Sprintf("Desk-%d", i)})
		}
	}
	var known []Market
	for i := range markets {
		s.markets = append(s.markets, s.identifier())
		if i > 0 {
			asset := assets[i%len(assets)]
			known = append(known, Market{s.markets[i], fmt.Sprintf("C%d/%s", i, asset.Symbol), asset.ID, i * 7 % (MaxDecimals + 1), i * 5 % (MaxDecimals + 1)})
		}
	}
	s.instruments = NewInstruments(named, known, assets)
	return s
}

// identifier is a new one.
func (s *sample) identifier() ID {
	var b strings.Builder
	for range 4 {
		fmt.Fprintf(&b, "%016x", s.Uint64())
	}
	return MakeID(b.String())
}

// digits is an integer of n digits with or without a sign.
func (s *sample) digits(n int) Amount {
	b := []byte{"-+"[s.IntN(2)], byte('1' + s.IntN(9))}
	for len(b) < n+1 {
		b = append(b, byte('0'+s.IntN(10)))
	}
	return ParseAmount(strings.TrimPrefix(string(b), "+"))
}

// state is a position with the key whose numbers have n digits; one in ten is closed.
func (s *sample) state(key Key, n int) Position {
	p := Position{Key: key}
	for f := range fields {
		p.SetNumber(f, s.digits(n))
	}
	p.SetNumber(UpdatedAt, AmountOf(1_795_240_360_702_446_000+s.Int64N(1e15)))
	if s.IntN(10) == 0 {
		p.SetNumber(OpenVolume, Amount{})
	}
	p.SetStatus([]byte{"0124"[s.IntN(4)]})
	return p
}

// awkward are texts at the edges of what an Amount keeps in place, and beyond.
var awkward = []string{
	"", "-", "--1", "+1", " 1", "1 ", "1e3", "1.50", "0x10", "१", "NaN", "\x00",
	"0", "-0", "00", "-00", "007", "-007", "1", "-1", "9", "10",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"9999999999999999999", "10000000000000000000", "18446744073709551615", "18446744073709551616",
	strings.Repeat("9", 37), strings.Repeat("9", 38), "-" + strings.Repeat("9", 38),
	"1" + strings.Repeat("0", 37), "1" + strings.Repeat("0", 38), "-1" + strings.Repeat("0", 38),
	"0" + strings.Repeat("9", 38), strings.Repeat("9", 39), "-" + strings.Repeat("9", 60),
	"170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
}

// text is an awkward text, or an integer of any length.
func (s *sample) text() string {
	if s.IntN(3) == 0 {
		return awkward[s.IntN(len(awkward))]
	}
	return s.digits(1 + s.IntN([]int{45, 45, 220}[s.IntN(3)])).String()
}

// isInteger is how IsInteger would be said in a regular expression.
var isInteger = regexp.MustCompile(`\A-?[0-9]{1,100}\z`)

// bigOf is the value of an integer, nil where text is none.
func bigOf(text string) *big.Int {
	if !isInteger.MatchString(text) {
		return nil
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

// compareTexts is how amounts that are scaled are ordered, said with big.Rat.
func compareTexts(x string, xDecimals int, y string, yDecimals int) int {
	a, b := bigOf(x), bigOf(y)
	switch {
	case a == nil && b == nil:
		return strings.Compare(x, y)
	case a == nil:
		return +1
	case b == nil:
		return -1
	}
	scaled := func(n *big.Int, decimals int) *big.Rat { return new(big.Rat).SetFrac(n, powerOfTen(decimals)) }
	return scaled(a, xDecimals).Cmp(scaled(b, yDecimals))
}

// pairs returns n of the pairs of parties and markets, in any order.
func (s *sample) pairs(n int) (keys []Key) {
	for _, pair := range s.Perm(len(s.parties) * len(s.markets))[:n] {
		keys = append(keys, Key{s.parties[pair/len(s.markets)], s.markets[pair%len(s.markets)]})
	}
	return keys
}

// record makes a margin record of few keys, levels and times, some of them odd.
func (s *sample) record() MarginLevels {
	market := s.markets[s.IntN(len(s.markets))]
	levels := MarginLevels{
		MarginKey:   MarginKey{Key{s.parties[s.IntN(len(s.parties))], market}, s.instruments.Market(market).Asset},
		Maintenance: AmountOf(s.Int64N(1000)),
		Search:      s.digits(5),
		Initial:     s.digits(38),
		Release:     s.digits(60),
		Timestamp:   AmountOf((1 + s.Int64N(20)) * int64(time.Minute)),
	}
	switch s.IntN(10) {
	case 0:
		levels.Maintenance = ParseAmount(s.text())
	case 1:
		levels.Timestamp = ParseAmount(s.text())
	case 2, 3:
		levels.Maintenance = s.digits(38)
	case 4: // another asset, or none
		levels.Asset = s.markets[s.IntN(len(s.markets))]
	}
	return levels
}

// plainHolds reports whether an operator of a filter holds for two values.
func plainHolds(operator string, x, y *big.Rat) bool {
	orders := map[string][]int{"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}}
	return slices.Contains(orders[operator], x.Cmp(y))
}
