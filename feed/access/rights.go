package access

import (
	"slices"

	"blotter/model"
)

// All is the text that stands for all parties or markets in a configuration.
const All = "*"

// Set is a set of identifiers. The zero value is empty.
type Set struct {
	isAll bool
	ids   []model.ID // in the order in which they were given
	has   map[model.ID]bool
}

// SetOf returns the set of some identifiers.
func SetOf(ids ...model.ID) Set {
	s := Set{has: make(map[model.ID]bool, len(ids))}
	for _, id := range ids {
		if !s.has[id] {
			s.has[id] = true
			s.ids = append(s.ids, id)
		}
	}
	return s
}

// Everything returns the set of all identifiers.
func Everything() Set { return Set{isAll: true} }

// Has reports whether an identifier is in the set.
func (s Set) Has(id model.ID) bool { return s.isAll || s.has[id] }

// coversAll reports whether all that an identifier stands for are in the set: a zero one stands for all.
func (s Set) coversAll(id model.ID) bool { return s.isAll || !id.IsZero() && s.has[id] }

// IsAll reports whether all identifiers are in the set.
func (s Set) IsAll() bool { return s.isAll }

// IDs returns the identifiers in the set, in the order in which they were given; none if the set has all. They must not
// be changed.
func (s Set) IDs() []model.ID { return s.ids }

// Rights are what a trader may see: everything with one of these parties and one of these markets. The zero value is
// nothing.
type Rights struct{ Parties, Markets Set }

// IsAll reports whether everything may be seen.
func (r Rights) IsAll() bool { return r.Parties.IsAll() && r.Markets.IsAll() }

// Covers reports whether positions and margin levels with the key may be seen.
func (r Rights) Covers(key model.Key) bool {
	return r.Parties.Has(key.Party) && r.Markets.Has(key.Market)
}

// coversAlert reports whether the alert of a position may be seen; without a position, it is of a rule that the trader
// has.
func (r Rights) coversAlert(of model.Key) bool { return of == (model.Key{}) || r.Covers(of) }

// CoverAll reports whether all rows may be seen that are in both scopes.
func (r Rights) CoverAll(a, b model.Scope) bool {
	return r.Parties.coversBoth(a.Parties, b.Parties) && r.Markets.coversBoth(a.Markets, b.Markets)
}

// coversBoth reports whether all identifiers are in the set that are in both lists. A list without any stands for all.
func (s Set) coversBoth(a, b []model.ID) bool {
	if len(a) == 0 {
		a, b = b, nil
	}
	isHidden := func(id model.ID) bool { return !s.has[id] && (len(b) == 0 || slices.Contains(b, id)) }
	return s.isAll || len(a) > 0 && !slices.ContainsFunc(a, isHidden)
}

// coversStream reports whether a stream may be requested. That of a party may have markets that may not be seen: they
// are left out.
func (r Rights) coversStream(of model.Subscription) bool {
	switch {
	case !of.Party.IsZero() && !of.Market.IsZero():
		return r.Covers(of.Key)
	case !of.Party.IsZero():
		return r.Parties.Has(of.Party)
	case !of.Market.IsZero():
		return r.Parties.IsAll() && r.Markets.Has(of.Market)
	}
	return r.IsAll()
}

// coversList reports whether a list of margin levels may be requested.
func (r Rights) coversList(of model.Key) bool {
	return r.Parties.coversAll(of.Party) && r.Markets.coversAll(of.Market)
}

// Scope returns the part of a scope that may be seen, and false if that is nothing. All parties are those that may be
// seen, and all markets too.
func (r Rights) Scope(of model.Scope) (model.Scope, bool) {
	parties, hasParties := r.Parties.part(of.Parties)
	markets, hasMarkets := r.Markets.part(of.Markets)
	return model.Scope{Parties: parties, Markets: markets}, hasParties && hasMarkets
}

// part returns those identifiers that are in the set, and false if there are none. None at all stand for all.
func (s Set) part(of []model.ID) (ids []model.ID, has bool) {
	switch {
	case s.isAll:
		return of, true
	case len(of) == 0:
		return s.ids, len(s.ids) > 0
	}
	ids = slices.DeleteFunc(slices.Clone(of), func(id model.ID) bool { return !s.has[id] })
	return ids, len(ids) > 0
}

// Subscriptions does what Scope.Subscriptions does, for a screen that may see only what the rights have: all parties
// are those that may be seen. Parties that the scope names, and that may not be seen, have a subscription too, which is
// refused.
func (r Rights) Subscriptions(of model.Scope, previous []model.Subscription, epoch uint64) []model.Subscription {
	switch {
	case len(of.Parties) > 0:
	case !r.Parties.isAll:
		if of.Parties = r.Parties.ids; len(of.Parties) == 0 {
			return nil
		}
	case len(of.Markets) == 0 && !r.Markets.isAll:
		if of.Markets = r.Markets.ids; len(of.Markets) == 0 {
			return nil
		}
	}
	return of.Subscriptions(previous, epoch)
}

// Instruments returns the instruments without the names of what may not be seen.
func (r Rights) Instruments(in *model.Instruments) *model.Instruments {
	return in.Only(r.Parties.Has, r.Markets.Has)
}

// Include reports whether everything that other rights have is in these.
func (r Rights) Include(other Rights) bool {
	return r.Parties.includes(other.Parties) && r.Markets.includes(other.Markets)
}

// includes reports whether everything in another set is in this one.
func (s Set) includes(other Set) bool {
	isMissing := func(id model.ID) bool { return !s.has[id] }
	return s.isAll || !other.isAll && !slices.ContainsFunc(other.ids, isMissing)
}
