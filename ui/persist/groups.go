package persist

import (
	"errors"
	"fmt"
	"slices"

	"blotter/model"
)

// Group is a group that was made of rows on the screen.
type Group struct {
	Name      string      `json:"name"`
	Positions []model.Key `json:"positions"`
}

// MaxGrouped is how many positions the groups that were made of rows have together at most.
const MaxGrouped = 2000

// GroupsOfRows returns those of the groups that were made of rows.
func GroupsOfRows(groups []model.Group) (made []Group) {
	for i := range groups {
		if groups[i].IsOfRows() {
			made = append(made, Group{groups[i].Name, groups[i].Positions})
		}
	}
	return made
}

// Grouped returns how many positions the groups that were made of rows have together.
func Grouped(groups []model.Group) (positions int) {
	for i := range groups {
		positions += len(groups[i].Positions)
	}
	return positions
}

// WithGroups returns instruments with groups that were made of rows, in place of others that were. Those with the name
// of another group are left out, and those for which there is no room. The instruments may be nil.
func WithGroups(in *model.Instruments, made []Group) *model.Instruments {
	if in == nil {
		in = model.NewInstruments(nil, nil, nil)
	}
	groups := slices.DeleteFunc(slices.Clone(in.Groups()), func(g model.Group) bool { return g.IsOfRows() })
	for _, g := range made {
		if len(groups) < model.MaxGroups && model.FindGroup(groups, g.Name) < 0 {
			groups = append(groups, model.NewGroup(g.Name, g.Positions))
		}
	}
	return in.WithGroups(groups)
}

// check returns why no state has the group; nil if one can have it.
func (g *Group) check() error {
	isIncomplete := func(key model.Key) bool { return !key.IsComplete() }
	switch {
	case model.CheckGroupName(g.Name) != nil:
		return fmt.Errorf("the name %.20q: it %w", g.Name, model.CheckGroupName(g.Name))
	case len(g.Positions) == 0:
		return errors.New("without positions")
	case slices.ContainsFunc(g.Positions, isIncomplete):
		return errors.New("with a position without a party or a market")
	}
	return nil
}

// dropWrongGroups removes the groups that no state has, and returns an error that names the first one; nil if there is
// none.
func (s *State) dropWrongGroups() (first error) {
	total := 0
	s.Groups = slices.DeleteFunc(s.Groups, func(g Group) bool {
		err := g.check()
		if err == nil && total+len(g.Positions) > MaxGrouped {
			err = fmt.Errorf("of more than %d positions together", MaxGrouped)
		}
		if first == nil && err != nil {
			first = fmt.Errorf("a group cannot be %w", err)
		}
		if err == nil {
			total += len(g.Positions)
		}
		return err != nil
	})
	return first
}
