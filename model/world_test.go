package model

// world makes subscriptions of one kind and what a service sends for each of them.
type world struct {
	*sample
	subscriptions []Subscription
}

// newWorld has one subscription for all, or one a party, or one a market.
func newWorld(seed uint64, parties, markets int) *world {
	w := &world{sample: newSample(seed, parties, markets)}
	scope := Scope{}
	switch seed % 3 {
	case 0:
		w.parties[0], w.markets[0] = ID{}, ID{} // a service may name nobody
	case 1:
		scope.Parties = w.parties
	case 2:
		scope.Markets = w.markets
	}
	w.subscriptions = scope.Subscriptions(nil, 1)
	return w
}

// subscription is one of them.
func (w *world) subscription() Subscription { return w.subscriptions[w.IntN(len(w.subscriptions))] }

// position is one that belongs to the subscription, of few keys, states and times, some of them odd.
func (w *world) position(s Subscription) Position {
	key := Key{w.parties[w.IntN(len(w.parties))], w.markets[w.IntN(len(w.markets))]}
	if !s.Party.IsZero() {
		key.Party = s.Party
	}
	if !s.Market.IsZero() {
		key.Market = s.Market
	}
	p := w.state(key, 1+w.IntN(4))
	p.SetNumber(UpdatedAt, AmountOf(w.Int64N(4)))
	switch w.IntN(10) {
	case 0:
		p.SetNumber(Field(w.IntN(int(fields))), ParseAmount(w.text()))
	case 1: // of one rank, or nearly
		p.SetNumber(Field(w.IntN(int(fields))), ParseAmount("1234567890123456"+w.digits(2).String()))
	case 2:
		p.SetStatus([]byte([]string{"NEW", "07", "POSITION_STATUS_CLOSED_OUT", "9"}[w.IntN(4)]))
	}
	return p
}
