package view

import (
	"blotter/model"
	"blotter/model/view/sorting"
)

// daySum is the sum of the changes of the PnL of rows since the day began. A nil daySum counts nothing.
type daySum struct {
	encoder *sorting.Encoder
	sum     model.Sum
	unknown int                        // rows whose change is not known
	counted map[model.Key]model.Amount // what was added: the baseline of a row may be another one when it is subtracted
}

// count adds a row if sign is +1, and subtracts it if it is -1.
func (s *daySum) count(p *model.Position, sign int) {
	if s == nil {
		return
	}
	change, isCounted := s.counted[p.Key]
	if sign > 0 {
		change = s.encoder.ChangeOfDay(p, s.encoder.Instruments.Decimals(model.UnrealisedPnl, p.Market))
		s.counted[p.Key] = change
	} else if delete(s.counted, p.Key); !isCounted {
		return
	}
	if change.IsNumber() && change.IsAddable() {
		s.sum.AddSigned(change, sign)
	} else {
		s.unknown += sign
	}
}

// known returns the sum, and false if it is not known.
func (s *daySum) known(decimals int) (model.Amount, bool) {
	if s == nil || s.unknown > 0 {
		return model.Amount{}, false
	}
	return s.sum.Amount(decimals), s.sum.LeftOut(decimals) == 0
}
