package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
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
	p.status = []Status{0, 1, 2, 4}[s.IntN(4)]
	return p
}

// book holds rows positions of one subscription for all, one for each pair of the first parties and markets.
func (s *sample) book(rows, digits int) *Book {
	book := NewBook(0)
	for _, key := range s.pairs(rows) {
		p := s.state(key, digits)
		book.Merge(updateOf(Subscription{}, p))
	}
	return book
}

// updateOf has positions of a subscription change; every time decides.
func updateOf(s Subscription, positions ...Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}

func TestSampleIsRepeatable(t *testing.T) {
	p, q := newSample(1, 2, 2), newSample(1, 2, 2)
	if p.parties[1] != q.parties[1] || p.digits(38) != q.digits(38) {
		t.Error("two samples of one seed differ")
	}
}
