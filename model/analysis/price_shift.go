package analysis

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"blotter/model"
)

// PriceShift is a change of mark prices.
type PriceShift struct {
	Markets []model.ID
	Typed   string // the text that means it
	change  string // with its sign: "-5%"
	percent *big.Rat
}

// Text returns the change for people, with its market, or with how many markets it changes: "ETH/USDT -5%".
func (s *PriceShift) Text(name func(model.ID) string) string {
	if len(s.Markets) == 1 {
		return name(s.Markets[0]) + " " + s.change
	}
	return strconv.Itoa(len(s.Markets)) + " markets " + s.change
}

// priceShiftForm is a text with the name of a market, and a change in percent.
var priceShiftForm = regexp.MustCompile(`^(.+?)\s+([+-]?[0-9]{1,4}(?:\.[0-9]{1,4})?)\s*%$`)

// ParsePriceShift returns the change that a text means, such as "eth -5%". It changes those of the markets, in their
// order, whose name contains the word, in upper or lower case, or is the word if that is after "=". Others than those
// that can be estimated are left out. The errors are words for the trader.
func ParsePriceShift(text string, markets []model.ID, in *model.Instruments, canEstimate func(market model.ID) bool) (*PriceShift, error) {
	parts := priceShiftForm.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return nil, errors.New("a market and a change in percent, such as eth -5%")
	}
	word, percent := strings.ToLower(parts[1]), parts[2]
	value, ok := new(big.Rat).SetString(percent)
	if !ok || value.Cmp(big.NewRat(-100, 1)) < 0 {
		return nil, errors.New("a price falls by 100% at most")
	}
	if value.Sign() > 0 && percent[0] != '+' {
		percent = "+" + percent
	}
	s := &PriceShift{Typed: strings.TrimSpace(text), percent: value, change: percent + "%"}
	isNamed := false
	for _, id := range markets {
		lower := strings.ToLower(in.Market(id).Label())
		exact, isExact := strings.CutPrefix(word, "=")
		if isExact && lower != exact || !isExact && !strings.Contains(lower, word) {
			continue
		}
		if isNamed = true; canEstimate(id) {
			s.Markets = append(s.Markets, id)
		}
	}
	switch {
	case !isNamed:
		return nil, errors.New("no market of the positions has " + parts[1] + " in its name")
	case len(s.Markets) == 0:
		return nil, errors.New("it cannot be estimated: decimals are not known")
	}
	return s, nil
}

// hundred divides percents.
var hundred = big.NewRat(100, 1)

// Apply changes the unrealised PnL of a position in one of the markets by its estimated notional value × the change. It
// returns false if that cannot be estimated, because decimals are not known. A closed position stays as it is.
func (s *PriceShift) Apply(p *model.Position, in *model.Instruments) bool {
	if !p.IsOpen() || !slices.Contains(s.Markets, p.Market) {
		return true
	}
	_, notional, ok := model.Estimate(p, in)
	if !ok {
		return false
	}
	decimals := in.Decimals(model.UnrealisedPnl, p.Market)
	profit, value, places, ok := model.Aligned(p.Number(model.UnrealisedPnl), notional, decimals)
	if !ok {
		return false
	}
	if notional.IsDecimal() {
		more := model.PowerOfTen(max(estimatedPlaces-places, 0))
		profit.Mul(profit, more)
		value.Mul(value, more)
		places = max(places, estimatedPlaces)
	}
	change := new(big.Rat).SetInt(value)
	change.Mul(change, s.percent).Quo(change, hundred)
	rounded := model.QuoRounded(new(big.Int).Set(change.Num()), new(big.Int).Set(change.Denom()))
	profit.Add(profit, rounded)
	if notional.IsInteger() {
		p.SetNumber(model.UnrealisedPnl, model.AmountOfInt(profit))
	} else {
		p.SetNumber(model.UnrealisedPnl, model.DecimalOf(profit, places, decimals))
	}
	return true
}
