package analysis

import (
	"math/big"
	"regexp"
	"strings"

	"blotter/model"
)

// The forms of a change, and of a price.
var (
	percentForm = regexp.MustCompile(`^[+-]?[0-9]{1,4}(?:\.[0-9]{1,4})?%,?$`)
	priceForm   = regexp.MustCompile(`^=(?:[0-9]{1,20}|[0-9]{1,3}(?:,[0-9]{3}){1,6})(?:\.[0-9]{1,18})?,?$`)
	spacedForm  = regexp.MustCompile(`\s+%`)
)

// wrongShift is what is wrong with the text of a change, in words for the trader.
type wrongShift string

func (w wrongShift) Error() string { return string(w) }

// maxMoves is how many changes a text can have.
const maxMoves = 20

// ParsePriceShift returns the changes that a text means, such as "eth -5% btc -10%". Each changes those of the markets,
// in their order, whose name contains the words before it, in upper or lower case, or is these words if they are after
// "=". Without words, or with "all", it changes all of them. Of two changes of a market, the last counts. Markets that
// cannot be estimated are left out. The errors are words for the trader.
func ParsePriceShift(text string, markets []model.ID, in *model.Instruments, canEstimate func(market model.ID) bool) (*PriceShift, error) {
	s := &PriceShift{Typed: strings.TrimSpace(text)}
	var words []string
	for _, word := range strings.Fields(spacedForm.ReplaceAllString(text, "%")) {
		m := &priceMove{change: strings.TrimSuffix(word, ",")}
		switch {
		case percentForm.MatchString(word):
			m.percent, _ = new(big.Rat).SetString(strings.TrimSuffix(m.change, "%"))
			if m.percent.Cmp(big.NewRat(-100, 1)) < 0 {
				return nil, wrongShift("a price falls by 100% at most")
			}
			if m.percent.Sign() > 0 && m.change[0] != '+' {
				m.change = "+" + m.change
			}
		case priceForm.MatchString(word):
			m.price, _ = new(big.Rat).SetString(strings.ReplaceAll(m.change[1:], ",", ""))
		default:
			words = append(words, strings.ToLower(word))
			continue
		}
		if m.word = strings.Join(words, " "); m.word == "all" {
			m.word = ""
		}
		s.moves, words = append(s.moves, m), nil
	}
	if len(words) > 0 || len(s.moves) == 0 || len(s.moves) > maxMoves {
		return nil, wrongShift("changes such as eth -5%, all -5% btc -10%, eth =3000")
	}
	if err := s.find(markets, in, canEstimate); err != nil {
		return nil, err
	}
	return s, nil
}
