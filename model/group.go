package model

import (
	"cmp"
	"slices"
	"strings"
)

// Group is a group of positions that has a name: those of its scope. A position can be in several groups.
type Group struct {
	Name string
	Scope
}

// MaxGroups is how many groups there can be: the groups of a position are the bits of a number.
const MaxGroups = 63

// ID returns the identifier of the group: its name.
func (g *Group) ID() ID { return MakeID(g.Name) }

// GroupSet are some of the groups of instruments: bit i is group i.
type GroupSet uint64

// Has reports whether a group is in the set.
func (s GroupSet) Has(group int) bool { return s>>group&1 != 0 }

// Groups returns the groups, which must not be changed.
func (in *Instruments) Groups() []Group { return in.groups }

// WithGroups returns the instruments with these groups, in place of others. There are at most MaxGroups.
func (in *Instruments) WithGroups(groups []Group) *Instruments {
	more := *in
	more.groups = groups
	return &more
}

// GroupsOf returns the groups that a position is in.
func (in *Instruments) GroupsOf(key Key) GroupSet {
	return in.GroupsOfParty(key.Party) & in.GroupsOfMarket(key.Market)
}

// GroupIDs returns the groups that a position is in; the zero ID if it is in none.
func (in *Instruments) GroupIDs(key Key) (ids []ID) {
	set := in.GroupsOf(key)
	for i, g := range in.groups {
		if set.Has(i) {
			ids = append(ids, g.ID())
		}
	}
	if len(ids) == 0 {
		return []ID{{}}
	}
	return ids
}

// GroupsOfParty returns the groups that a position of a party may be in, as far as that depends on the party.
func (in *Instruments) GroupsOfParty(party ID) GroupSet {
	return in.groupsWith(func(g *Group) bool { return len(g.Parties) == 0 || slices.Contains(g.Parties, party) })
}

// GroupsOfMarket does for a market what GroupsOfParty does for a party.
func (in *Instruments) GroupsOfMarket(market ID) GroupSet {
	return in.groupsWith(func(g *Group) bool { return len(g.Markets) == 0 || slices.Contains(g.Markets, market) })
}

// groupsWith returns the groups that pass a test.
func (in *Instruments) groupsWith(test func(*Group) bool) (set GroupSet) {
	for i := range in.groups {
		if test(&in.groups[i]) {
			set |= 1 << i
		}
	}
	return set
}

// CompareGroups orders groups by their names in natural order, in upper or lower case. The zero ID is last: it is of no
// group.
func CompareGroups(a, b ID) int {
	switch {
	case a == b:
		return 0
	case a.IsZero():
		return +1
	case b.IsZero():
		return -1
	}
	return cmp.Or(CompareNatural(strings.ToLower(a.String()), strings.ToLower(b.String())), a.Compare(b))
}
