package analysis

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"blotter/model"
)

// PriceShift is a change of mark prices: by a percentage, or to a price.
type PriceShift struct {
	Markets []model.ID // that it changes
	Typed   string     // the text that means it
	moves   []*priceMove
	of      map[model.ID]*priceMove // the last that names the market
}

// priceMove is one change of a PriceShift.
type priceMove struct {
	word    string   // in the names of its markets, in lower case; empty: it changes all
	change  string   // with its sign: "-5%", or "=3000"
	percent *big.Rat // nil: the price is price
	price   *big.Rat
	markets []model.ID // that it changes; those of later moves are not
	isOfAll bool       // no market of the positions is left out
}

// shownMoves is how many changes the text of a PriceShift has.
const shownMoves = 2

// Text returns the change for people: each with its market, or with how many markets it changes: "ETH/USDT -5%".
func (s *PriceShift) Text(name func(model.ID) string) string {
	var texts []string
	for _, m := range s.moves[:min(len(s.moves), shownMoves)] {
		texts = append(texts, m.text(name))
	}
	text := strings.Join(texts, ", ")
	if more := len(s.moves) - shownMoves; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

func (m *priceMove) text(name func(model.ID) string) string {
	switch count := strconv.Itoa(len(m.markets)); {
	case len(m.markets) == 1:
		return name(m.markets[0]) + " " + m.change
	case m.isOfAll:
		return "all " + count + " markets " + m.change
	default:
		return count + " markets " + m.change
	}
}

// Doubtful returns the markets of the words that several names have: perhaps not all of them are meant.
func (s *PriceShift) Doubtful() []model.ID {
	var markets []model.ID
	for _, m := range s.moves {
		if m.word != "" && len(m.markets) > 1 {
			markets = append(markets, m.markets...)
		}
	}
	return markets
}

// hundred divides percents.
var hundred = big.NewRat(100, 1)

// Apply changes the unrealised PnL of a position in one of the markets by its estimated notional value × the change, or
// to what it is at the price. It returns false if that cannot be estimated: see model.MarkAndNotional. A closed
// position stays as it is.
func (s *PriceShift) Apply(p *model.Position, in *model.Instruments) bool {
	m := s.of[p.Market]
	if m == nil || !p.IsOpen() {
		return true
	}
	_, notional, ok := model.MarkAndNotional(p, in)
	if !ok {
		return false
	}
	decimals := in.Decimals(model.UnrealisedPnl, p.Market)
	profit, value, places, ok := model.Aligned(p.Number(model.UnrealisedPnl), notional.Amount, decimals)
	if !ok {
		return false
	}
	if notional.IsDecimal() {
		more := model.PowerOfTen(max(estimatedPlaces-places, 0))
		profit.Mul(profit, more)
		value.Mul(value, more)
		places = max(places, estimatedPlaces)
	}
	if m.price != nil {
		if profit, ok = m.profitAtPrice(p, in, places); !ok {
			return false
		}
	} else {
		change := new(big.Rat).SetInt(value)
		profit.Add(profit, rounded(change.Mul(change, m.percent).Quo(change, hundred)))
	}
	if notional.IsInteger() {
		p.SetNumber(model.UnrealisedPnl, model.AmountOfInt(profit))
	} else {
		p.SetNumber(model.UnrealisedPnl, model.DecimalOf(profit, places, decimals))
	}
	return true
}

// profitAtPrice returns the unrealised PnL of a position at the price, size × (price - entry price), in units of
// 10^-places.
func (m *priceMove) profitAtPrice(p *model.Position, in *model.Instruments, places int) (*big.Int, bool) {
	size, isSize := valueOf(p, model.OpenVolume, in)
	entry, isEntry := valueOf(p, model.AverageEntryPrice, in)
	if !isSize || !isEntry {
		return nil, false
	}
	value := entry.Sub(m.price, entry)
	return rounded(value.Mul(value, size).Quo(value, unit(places))), true
}

// valueOf returns the value of a number, and false if it is not known.
func valueOf(p *model.Position, f model.Field, in *model.Instruments) (*big.Rat, bool) {
	n, places, ok := p.Number(f).Value(in.Decimals(f, p.Market))
	if !ok {
		return nil, false
	}
	value := new(big.Rat).SetInt(n)
	return value.Mul(value, unit(places)), true
}

// unit returns 10^-places.
func unit(places int) *big.Rat {
	return new(big.Rat).SetFrac(model.PowerOfTen(max(-places, 0)), model.PowerOfTen(max(places, 0)))
}

// rounded rounds half away from zero.
func rounded(r *big.Rat) *big.Int {
	return model.QuoRounded(new(big.Int).Set(r.Num()), new(big.Int).Set(r.Denom()))
}

// find finds the markets of each move: those of the last that names them.
func (s *PriceShift) find(markets []model.ID, in *model.Instruments, canEstimate func(model.ID) bool) error {
	s.of = make(map[model.ID]*priceMove)
	for _, m := range s.moves {
		if err := m.find(markets, in, canEstimate); err != nil {
			return err
		}
		for _, id := range m.markets {
			s.of[id] = m
		}
	}
	for _, m := range s.moves {
		m.markets = slices.DeleteFunc(m.markets, func(id model.ID) bool { return s.of[id] != m })
		if len(m.markets) == 0 {
			return wrongShift("what follows changes " + cmp.Or(m.word, "all") + " again")
		}
		s.Markets = append(s.Markets, m.markets...)
	}
	return nil
}

// find finds the markets that the move names, of which those that can be estimated are changed.
func (m *priceMove) find(markets []model.ID, in *model.Instruments, canEstimate func(model.ID) bool) error {
	exact, isExact := strings.CutPrefix(m.word, "=")
	named := 0
	for _, id := range markets {
		lower := strings.ToLower(in.Market(id).Label())
		if isExact && lower != exact || !isExact && !strings.Contains(lower, m.word) {
			continue
		}
		if named++; canEstimate(id) {
			m.markets = append(m.markets, id)
		}
	}
	m.isOfAll = m.word == "" && len(m.markets) == len(markets)
	switch {
	case named == 0 && m.word == "":
		return wrongShift("there is no position")
	case named == 0:
		return wrongShift("no market of the positions has " + m.word + " in its name")
	case m.price != nil && named > 1:
		return wrongShift("a price needs exactly one market, as in eth =3000")
	case len(m.markets) == 0:
		return wrongShift("it cannot be estimated: decimals are not known, or linear = false")
	}
	return nil
}
