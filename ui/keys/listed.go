package keys

import (
	"slices"

	"blotter/ui/pane"
)

// Listed is an action in a list of all of them.
type Listed struct {
	*Action[any]
	Title  string // its name in words
	Reason string // why it cannot be done now; empty if it can
}

// List returns every action once: first those that can be done now, of which those come first that the last line may
// have, and those last that only move. Actions of which each key does something else are left out.
func (k *Map) List(active []*Group, parts []any, c *pane.Context) []Listed {
	var hinted, plain, moving, others []Listed
	moves := slices.Concat(Moving(false), Ends(false, "", ""))
	isListed := make(map[string]bool)
	list := func(g *Group, isActive bool) {
		for i := range g.Actions {
			a := &g.Actions[i]
			if isListed[a.Name] || a.DoNumber != nil {
				continue
			}
			isListed[a.Name] = true
			listed, to := Listed{Action: a, Title: titleOf(a.Name), Reason: "only in: " + g.Title}, &others
			if isActive {
				listed.Reason = Reason(a, parts, c)
			}
			switch {
			case listed.Reason != "":
			case slices.ContainsFunc(moves, func(each Action[any]) bool { return each.Name == a.Name }):
				to = &moving
			case a.Hint != "":
				to = &hinted
			default:
				to = &plain
			}
			*to = append(*to, listed)
		}
	}
	for _, g := range active {
		list(g, true)
	}
	for _, g := range k.Groups {
		list(g, false)
	}
	return slices.Concat(hinted, plain, moving, others)
}

// Do does what the action of a name does in the first group that has it, or says why it does nothing now.
func Do(name string, parts []any, c *pane.Context, groups ...*Group) []pane.Effect {
	for _, g := range groups {
		for i := range g.Actions {
			if g.Actions[i].Name == name {
				return run(&g.Actions[i], 0, parts, c)
			}
		}
	}
	return nil
}
