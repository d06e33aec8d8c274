package modeltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"blotter/model"
)

// Sample makes positions up, the same ones for the same seed.
type Sample struct {
	*rand.Rand
	Parties, Markets []model.ID
	Instruments      *model.Instruments

	assets []model.Asset
}

// NewSample returns a sample. Every second party and all markets but the first have names, and these markets have
// decimals.
func NewSample(seed uint64, parties, markets int) *Sample {
	s := &Sample{Rand: rand.New(rand.NewPCG(seed, 0))}
	s.assets = []model.Asset{{ID: s.Identifier(), Symbol: "USDT", Decimals: 6},
		{ID: s.Identifier(), Symbol: "EUR", Decimals: 2}, {ID: s.Identifier(), Symbol: "DAI", Decimals: 18}}
	for range parties {
		s.Parties = append(s.Parties, s.Identifier())
	}
	for range markets {
		s.Markets = append(s.Markets, s.Identifier())
	}
	s.Instruments = s.named(0)
	return s
}

// Rename gives other names to the parties and markets, and other decimals and assets to the markets.
func (s *Sample) Rename() { s.Instruments = s.named(s.IntN(10)) }

// named returns names and decimals. They differ by variant, and the parties and markets without names too.
func (s *Sample) named(variant int) *model.Instruments {
	var named []model.Party
	for i, id := range s.Parties {
		if i := i + variant; i%2 == 1 {
			named = append(named, model.Party{ID: id, Name: fmt.Sprintf("Desk-%d", i)})
		}
	}
	var known []model.Market
	for i, id := range s.Markets {
		if i := i + variant; i != 2*variant {
			asset := s.assets[i%len(s.assets)]
			known = append(known, model.Market{ID: id, Name: fmt.Sprintf("C%d/%s", i, asset.Symbol),
				Asset: asset.ID, PriceDecimals: decimalsOf(i * 7), SizeDecimals: decimalsOf(i * 5)})
		}
	}
	return model.NewInstruments(named, known, s.assets).WithGroups(s.groups(variant))
}

// groups returns own groups, which have positions in common. One is made of rows.
func (s *Sample) groups(variant int) []model.Group {
	some := func(ids []model.ID) []model.ID { return ids[:min((len(ids)+variant)/2, len(ids))] }
	return []model.Group{
		{Name: "Majors", Scope: model.Scope{Markets: some(s.Markets)}},
		{Name: "Team", Scope: model.Scope{Parties: some(s.Parties)}},
		{Name: "Team majors", Scope: model.Scope{Parties: some(s.Parties), Markets: some(s.Markets)}},
		model.NewGroup("Rows", s.diagonal()),
	}
}

// diagonal returns positions that are fewer than those which have one of their parties and one of their markets.
func (s *Sample) diagonal() (positions []model.Key) {
	for i := range min(len(s.Parties), len(s.Markets)) {
		positions = append(positions, model.Key{Party: s.Parties[i], Market: s.Markets[i]})
	}
	return positions
}

// decimalsOf returns allowed decimals, for each number others. 0 are 0.
func decimalsOf(n int) int {
	decimals := n % (model.MaxDecimals - model.MinDecimals + 1)
	if decimals > model.MaxDecimals {
		decimals = model.MaxDecimals - decimals
	}
	return decimals
}

// Decimals returns any allowed decimals.
func (s *Sample) Decimals() int {
	return model.MinDecimals + s.IntN(model.MaxDecimals-model.MinDecimals+1)
}

// Identifier returns a new identifier.
func (s *Sample) Identifier() model.ID {
	var b strings.Builder
	for range 4 {
		fmt.Fprintf(&b, "%016x", s.Uint64())
	}
	return model.MakeID(b.String())
}

// Digits returns an integer of n digits with or without a sign.
func (s *Sample) Digits(n int) model.Amount {
	b := []byte{"-+"[s.IntN(2)], byte('1' + s.IntN(9))}
	for len(b) < n+1 {
		b = append(b, byte('0'+s.IntN(10)))
	}
	return model.ParseAmount(strings.TrimPrefix(string(b), "+"))
}

// State returns a position with the key whose numbers have n digits; one in ten is closed.
func (s *Sample) State(key model.Key, n int) model.Position {
	p := model.Position{Key: key}
	for f := range model.FieldCount {
		p.SetNumber(f, s.Digits(n))
	}
	p.SetNumber(model.UpdatedAt, model.AmountOf(1_795_240_360_702_446_000+s.Int64N(1e15)))
	if s.IntN(10) == 0 {
		p.SetNumber(model.OpenVolume, model.Amount{})
	}
	p.SetStatus([]byte{"0124"[s.IntN(4)]})
	return p
}

// Awkward are texts at the edges of what an Amount keeps in place, and beyond.
var Awkward = []string{
	"", "-", "--1", "+1", " 1", "1 ", "1e3", "1.50", "0x10", "१", "NaN", "\x00",
	"-12.5", "-0.000", "0.0", "0.05", "5760209.9800000004", "1e+21", "+1.5", ".5", "-.5", "5.", "00.10", "1E-7", "-1e5",
	".", "-.", "e5", "1e", "1e+", "1e+-5", "1.5.5", "+-1", "Infinity", "1_000", "1,5", "1.5e", "1e1.5", "0.", "-0e9",
	"1e99", "1e100", "-1e-100", "1e-101", "0e100", "0e101", "1e999999999", "1e0000005", "10e98", "10e99",
	"123456789012345678901234567890.12345", "1234567890123456789012345678901.12345", "3.3230699894622846",
	"332306998946228968225951765070086143.9", "3323069989462289682259517650700861.44", "-0." + strings.Repeat("0", 37) + "1",
	"0." + strings.Repeat("0", 38) + "1", "1." + strings.Repeat("0", 38), "1." + strings.Repeat("0", 60),
	strings.Repeat("9", 60) + "." + strings.Repeat("9", 40), strings.Repeat("9", 60) + "." + strings.Repeat("9", 41),
	"0", "-0", "00", "-00", "007", "-007", "1", "-1", "9", "10",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"9999999999999999999", "10000000000000000000", "18446744073709551615", "18446744073709551616",
	strings.Repeat("9", 37), strings.Repeat("9", 38), "-" + strings.Repeat("9", 38),
	"1" + strings.Repeat("0", 37), "1" + strings.Repeat("0", 38), "-1" + strings.Repeat("0", 38),
	"0" + strings.Repeat("9", 38), strings.Repeat("9", 39), "-" + strings.Repeat("9", 60),
	"170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
}

// Text returns an awkward text, or an integer of any length.
func (s *Sample) Text() string {
	if s.IntN(3) == 0 {
		return Awkward[s.IntN(len(Awkward))]
	}
	text := s.Digits(1 + s.IntN([]int{45, 45, 220}[s.IntN(3)])).String()
	if s.IntN(3) > 0 {
		return text
	}
	at := 1 + s.IntN(len(text))
	text = text[:at] + "." + text[at:]
	if s.IntN(4) == 0 {
		text += fmt.Sprintf("e%+d", s.IntN(60)-30)
	}
	return text
}

// isInteger is IsInteger as a regular expression.
var isInteger = regexp.MustCompile(`\A[+-]?[0-9]{1,100}\z`)

// isNumber is what IsNumber accepts, but for the limits.
var isNumber = regexp.MustCompile(`\A([+-]?)([0-9]*)(\.?)([0-9]*)([eE]([+-]?[0-9]{1,3}))?\z`)

// ValueOf returns the value of a number, whose unit has these decimals if it is an integer, and 0 if they are not
// known; nil if the text is no number.
func ValueOf(text string, decimals int) *big.Rat {
	if n := BigOf(text); n != nil {
		return Value(n, decimals)
	}
	parts := isNumber.FindStringSubmatch(text)
	if parts == nil || parts[2]+parts[4] == "" || parts[3]+parts[5] == "" || len(parts[2]+parts[4]) > model.MaxDigits {
		return nil
	}
	n, _ := new(big.Int).SetString(parts[1]+parts[2]+parts[4], 10)
	exponent := 0
	if parts[6] != "" {
		exponent, _ = strconv.Atoi(parts[6])
	}
	places := len(parts[4]) - exponent
	if places < -model.MaxDigits || places > model.MaxDigits {
		return nil
	}
	value := Value(n, places)
	limit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(model.MaxDigits)), nil))
	if new(big.Rat).Abs(value).Cmp(limit) >= 0 {
		return nil
	}
	return value
}

// IsDecimal reports whether a text is a number with a point or an exponent.
func IsDecimal(text string) bool { return BigOf(text) == nil && ValueOf(text, 0) != nil }

// IsAddable reports whether a sum includes an amount with the text.
func IsAddable(text string) bool {
	value := ValueOf(text, 0)
	switch {
	case value == nil:
		return false
	case !IsDecimal(text):
		return len(new(big.Int).Abs(value.Num()).String()) <= model.PackedDigits
	}
	const bits = 118
	for places := 1; places <= model.SumPlaces; places++ {
		scaled := new(big.Rat).Mul(value, new(big.Rat).SetInt(model.PowerOfTen(places)))
		if scaled.IsInt() {
			return scaled.Num().BitLen() <= bits
		}
	}
	return false
}

// BigOf returns the value of an integer; nil if text is not one.
func BigOf(text string) *big.Int {
	if !isInteger.MatchString(text) {
		return nil
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

// Value returns n / 10^decimals, and n if the decimals are not known.
func Value(n *big.Int, decimals int) *big.Rat {
	switch {
	case decimals == model.Unscaled:
		decimals = 0
	case decimals < 0:
		return new(big.Rat).SetInt(new(big.Int).Mul(n, model.PowerOfTen(-decimals)))
	}
	return new(big.Rat).SetFrac(n, model.PowerOfTen(decimals))
}

// CompareTexts orders scaled amounts with big.Rat.
func CompareTexts(x string, xDecimals int, y string, yDecimals int) int {
	a, b := ValueOf(x, xDecimals), ValueOf(y, yDecimals)
	switch {
	case a == nil && b == nil:
		return strings.Compare(x, y)
	case a == nil:
		return +1
	case b == nil:
		return -1
	}
	return a.Cmp(b)
}

// Pairs returns n of the pairs of parties and markets, in any order.
func (s *Sample) Pairs(n int) (keys []model.Key) {
	for _, pair := range s.Perm(len(s.Parties) * len(s.Markets))[:n] {
		keys = append(keys, model.Key{Party: s.Parties[pair/len(s.Markets)], Market: s.Markets[pair%len(s.Markets)]})
	}
	return keys
}

// Record returns a margin record of few keys, levels and times, some of them odd.
func (s *Sample) Record() model.MarginLevels {
	market := s.Markets[s.IntN(len(s.Markets))]
	levels := model.MarginLevels{
		MarginKey: model.MarginKey{Key: model.Key{Party: s.Parties[s.IntN(len(s.Parties))], Market: market},
			Asset: s.Instruments.Market(market).Asset},
		Maintenance: model.AmountOf(s.Int64N(1000)),
		Search:      s.Digits(5),
		Initial:     s.Digits(38),
		Release:     s.Digits(60),
		Timestamp:   model.AmountOf((1 + s.Int64N(20)) * int64(10*time.Second)),
	}
	if text := levels.Search.String(); text[len(text)-1] < '5' { // without another random number
		levels.MarginTexts = model.MarginTexts{model.MarginMode: "MARGIN_MODE_ISOLATED_MARGIN", model.MarginFactor: "0." + text[len(text)-1:]}
	}
	switch s.IntN(10) {
	case 0:
		levels.Maintenance = model.ParseAmount(s.Text())
	case 1:
		levels.Timestamp = model.ParseAmount(s.Text())
	case 2, 3:
		levels.Maintenance = s.Digits(38)
	case 4: // another asset, or none
		levels.Asset = s.Markets[s.IntN(len(s.Markets))]
	}
	return levels
}

// Holds reports whether an operator of a filter holds for two values.
func Holds(operator string, x, y *big.Rat) bool {
	orders := map[string][]int{"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}}
	return slices.Contains(orders[operator], x.Cmp(y))
}
