package modeltest

import "blotter/model"

// World makes subscriptions of one kind and what a service sends for each of them.
type World struct {
	*Sample
	Subscriptions []model.Subscription
}

// NewWorld returns a world with one subscription for all, or one for each party, or one for each market.
func NewWorld(seed uint64, parties, markets int) *World {
	w := &World{Sample: NewSample(seed, parties, markets)}
	scope := model.Scope{}
	switch seed % 3 {
	case 0:
		w.Parties[0], w.Markets[0] = model.ID{}, model.ID{} // an identifier may be empty
	case 1:
		scope.Parties = w.Parties
	case 2:
		scope.Markets = w.Markets
	}
	w.Subscriptions = scope.Subscriptions(nil, 1)
	return w
}

// Subscription returns one of the subscriptions.
func (w *World) Subscription() model.Subscription {
	return w.Subscriptions[w.IntN(len(w.Subscriptions))]
}

// Position returns a position that belongs to the subscription, of few keys, states and times, some of them odd.
func (w *World) Position(s model.Subscription) model.Position {
	key := model.Key{Party: w.Parties[w.IntN(len(w.Parties))], Market: w.Markets[w.IntN(len(w.Markets))]}
	if !s.Party.IsZero() {
		key.Party = s.Party
	}
	if !s.Market.IsZero() {
		key.Market = s.Market
	}
	p := w.State(key, 1+w.IntN(4))
	p.SetNumber(model.UpdatedAt, model.AmountOf(w.Int64N(4)))
	switch w.IntN(10) {
	case 0:
		p.SetNumber(model.Field(w.IntN(int(model.FieldCount))), model.ParseAmount(w.Text()))
	case 1: // of one rank, or nearly
		p.SetNumber(model.Field(w.IntN(int(model.FieldCount))), model.ParseAmount("1234567890123456"+w.Digits(2).String()))
	case 2:
		p.SetStatus([]byte([]string{"NEW", "07", "POSITION_STATUS_CLOSED_OUT", "9"}[w.IntN(4)]))
	}
	return p
}
