package model

import (
	"cmp"
	"slices"
)

// Scope is whom the trader watches: every pair of one of the parties and one of the markets. No parties
// means all parties, no markets all markets.
type Scope struct{ Parties, Markets []ID }

// Equal tells whether both name the same parties and markets in the same order.
func (s Scope) Equal(other Scope) bool {
	return slices.Equal(s.Parties, other.Parties) && slices.Equal(s.Markets, other.Markets)
}

// Subscription is one positions stream that is asked for. A service takes at most one party and one market
// at a time; the empty ID means any. Epoch is the change of scope that brought the subscription about: one
// that was given up and asked for again is another, so nothing that is still under way for the first can
// be taken for news of the second.
type Subscription struct {
	Key
	Epoch uint64
}

// Subscriptions are what the scope needs: one per party, per market, per pair, or a single one for all.
// Those of previous that are still needed stay as they are; new ones get the epoch.
func (s Scope) Subscriptions(previous []Subscription, epoch uint64) []Subscription {
	parties, markets := orAny(s.Parties), orAny(s.Markets)
	needed := make([]Subscription, 0, len(parties)*len(markets))
	seen := make(map[Key]bool, cap(needed))
	epochs := make(map[Key]uint64, len(previous))
	for _, p := range previous {
		epochs[p.Key] = p.Epoch
	}
	for _, party := range parties {
		for _, market := range markets {
			key := Key{Party: party, Market: market}
			if seen[key] {
				continue
			}
			seen[key] = true
			since, had := epochs[key]
			if !had {
				since = epoch
			}
			needed = append(needed, Subscription{Key: key, Epoch: since})
		}
	}
	return needed
}

func orAny(ids []ID) []ID {
	if len(ids) == 0 {
		return []ID{{}}
	}
	return ids
}

// Compare orders subscriptions by whom they name, then by age.
func (s Subscription) Compare(other Subscription) int {
	return cmp.Or(s.Key.Compare(other.Key), cmp.Compare(s.Epoch, other.Epoch))
}

// Pair tells whether the subscription names both a party and a market. A service may answer such a one with
// nothing at all where there is no position yet.
func (s Subscription) Pair() bool { return !s.Party.IsZero() && !s.Market.IsZero() }

// covers tells whether the subscription asks for the position with the key.
func (s Subscription) covers(key Key) bool {
	return (s.Party.IsZero() || s.Party == key.Party) && (s.Market.IsZero() || s.Market == key.Market)
}
