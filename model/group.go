package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Group is a group of positions that has a name: those of its scope, or only some of these. A position can be in
// several groups.
type Group struct {
	Name string
	Scope
	Positions []Key // those that are in it, if it was made of rows; none: all of its scope
}

// NewGroup returns a group of these positions, each of which has a party and a market.
func NewGroup(name string, positions []Key) Group {
	g := Group{Name: name, Positions: positions}
	parties, markets := make(map[ID]bool), make(map[ID]bool)
	for _, key := range positions {
		if !parties[key.Party] {
			g.Parties = append(g.Parties, key.Party)
		}
		if !markets[key.Market] {
			g.Markets = append(g.Markets, key.Market)
		}
		parties[key.Party], markets[key.Market] = true, true
	}
	return g
}

// IsOfRows reports whether the group was made of rows, on the screen.
func (g *Group) IsOfRows() bool { return len(g.Positions) > 0 }

// maxGroupName is how many characters the name of a group can have.
const maxGroupName = 40

// CheckGroupName returns why a group cannot have a name; nil if it can.
func CheckGroupName(name string) error {
	switch {
	case name == "":
		return errors.New("must not be empty")
	case strings.TrimSpace(name) != name || strings.Contains(name, `"`) || Neutralise(name) != name || len([]rune(name)) > maxGroupName:
		return fmt.Errorf("must be a text of at most %d characters, without quotes and without space around it", maxGroupName)
	}
	return nil
}

// FindGroup returns the place of the group with a name, in upper or lower case; -1 if there is none.
func FindGroup(groups []Group, name string) int {
	return slices.IndexFunc(groups, func(g Group) bool { return strings.EqualFold(g.Name, name) })
}

// groupsOfRows are the groups that were made of rows.
type groupsOfRows struct {
	all              GroupSet
	parties, markets map[ID]GroupSet // by one that a position of the group has
	positions        map[Key]GroupSet
}

// newGroupsOfRows returns those of the groups that were made of rows; nil if there are none.
func newGroupsOfRows(groups []Group) *groupsOfRows {
	if !slices.ContainsFunc(groups, func(g Group) bool { return g.IsOfRows() }) {
		return nil
	}
	of := &groupsOfRows{parties: make(map[ID]GroupSet), markets: make(map[ID]GroupSet), positions: make(map[Key]GroupSet)}
	for i := range groups {
		bit := GroupSet(1) << i
		for _, key := range groups[i].Positions {
			of.all |= bit
			of.parties[key.Party] |= bit
			of.markets[key.Market] |= bit
			of.positions[key] |= bit
		}
	}
	return of
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
	more.groups, more.ofRows = groups, newGroupsOfRows(groups)
	return &more
}

// GroupsOf returns the groups that a position is in.
func (in *Instruments) GroupsOf(key Key) GroupSet {
	set := in.GroupsOfParty(key.Party) & in.GroupsOfMarket(key.Market)
	if in.HasGroupOfRows(set) {
		return in.GroupsAmong(set, key)
	}
	return set
}

// HasGroupOfRows reports whether a group of a set was made of rows. Then a position whose party and whose market are
// in all of the set may not be in all of it itself: see GroupsAmong.
func (in *Instruments) HasGroupOfRows(set GroupSet) bool {
	return in.ofRows != nil && set&in.ofRows.all != 0
}

// GroupsAmong returns those groups of a set that a position is in. The set is of its party and of its market.
func (in *Instruments) GroupsAmong(set GroupSet, key Key) GroupSet {
	return set & (^in.ofRows.all | in.ofRows.positions[key])
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
	set := in.groupsWith(func(g *Group) bool { return len(g.Parties) == 0 || slices.Contains(g.Parties, party) })
	if in.ofRows != nil {
		set |= in.ofRows.parties[party]
	}
	return set
}

// GroupsOfMarket does for a market what GroupsOfParty does for a party.
func (in *Instruments) GroupsOfMarket(market ID) GroupSet {
	set := in.groupsWith(func(g *Group) bool { return len(g.Markets) == 0 || slices.Contains(g.Markets, market) })
	if in.ofRows != nil {
		set |= in.ofRows.markets[market]
	}
	return set
}

// groupsWith returns the groups that were not made of rows, and pass a test.
func (in *Instruments) groupsWith(test func(*Group) bool) (set GroupSet) {
	for i := range in.groups {
		if !in.groups[i].IsOfRows() && test(&in.groups[i]) {
			set |= 1 << i
		}
	}
	return set
}

// CompareGroups orders groups by their names in natural order, in upper or lower case. The zero ID is last: it is of no
// group.
func CompareGroups(a, b ID) int {
	return zeroLast(a, b, func() int {
		return cmp.Or(CompareNatural(strings.ToLower(a.String()), strings.ToLower(b.String())), a.Compare(b))
	})
}
