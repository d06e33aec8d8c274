package model

import "slices"

// Scope is what the trader watches: the positions of these parties in these markets. No parties means all parties, and
// no markets means all markets.
type Scope struct {
	Parties []ID `json:"parties,omitempty"`
	Markets []ID `json:"markets,omitempty"`
}

// Equal reports whether both scopes have the same parties and markets in the same order.
func (s Scope) Equal(other Scope) bool {
	return slices.Equal(s.Parties, other.Parties) && slices.Equal(s.Markets, other.Markets)
}

// Covers reports whether the position with the key is in scope.
func (s *Scope) Covers(key Key) bool {
	return (len(s.Parties) == 0 || slices.Contains(s.Parties, key.Party)) &&
		(len(s.Markets) == 0 || slices.Contains(s.Markets, key.Market))
}

// Subscription is one positions stream: of a party, of a market or, with neither, of all positions. Epoch is the change
// of scope that started the subscription. A subscription that was ended and started again has another epoch, so that
// data of the first is never used for the second.
type Subscription struct {
	Key
	Epoch uint64 `json:"epoch,omitempty"`
}

// Subscriptions returns the streams that the scope needs: one for each party if it has parties, else one for each
// market if it has markets, else one for all positions. So every position comes from exactly one subscription. If
// a scope has both parties and markets, Covers selects the markets: the service responds to these streams at once, also
// if there is no position, but a stream of one party in one market only when there is a position.
//
// The subscriptions in previous that are still needed stay the same. New ones get the epoch.
func (s Scope) Subscriptions(previous []Subscription, epoch uint64) []Subscription {
	keys := []Key{{}}
	switch {
	case len(s.Parties) > 0:
		keys = keysOf(s.Parties, []ID{{}})
	case len(s.Markets) > 0:
		keys = keysOf([]ID{{}}, s.Markets)
	}
	epochs := make(map[Key]uint64, len(previous))
	for _, p := range previous {
		epochs[p.Key] = p.Epoch
	}
	needed := make([]Subscription, len(keys))
	for i, key := range keys {
		since, running := epochs[key]
		if !running {
			since = epoch
		}
		needed[i] = Subscription{Key: key, Epoch: since}
	}
	return needed
}

// IsEverything reports whether the scope has all parties and all markets.
func (s Scope) IsEverything() bool { return len(s.Parties)+len(s.Markets) == 0 }

// Pairs returns the lists of margin levels that the scope needs: a service lists one party and one market at a time.
// The empty identifier means any.
func (s Scope) Pairs() []Key { return keysOf(orAny(s.Parties), orAny(s.Markets)) }

// keysOf returns a key for each pair of a party and a market, without repeats.
func keysOf(parties, markets []ID) []Key {
	keys := make([]Key, 0, len(parties)*len(markets))
	seen := make(map[Key]bool, cap(keys))
	for _, party := range parties {
		for _, market := range markets {
			key := Key{Party: party, Market: market}
			if !seen[key] {
				seen[key] = true
				keys = append(keys, key)
			}
		}
	}
	return keys
}

func orAny(ids []ID) []ID {
	if len(ids) == 0 {
		return []ID{{}}
	}
	return ids
}

// Covers reports whether the position with the key belongs to the subscription.
func (s Subscription) Covers(key Key) bool {
	return (s.Party.IsZero() || s.Party == key.Party) && (s.Market.IsZero() || s.Market == key.Market)
}
