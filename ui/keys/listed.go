package keys

import (
	"slices"

	"blotter/ui/pane"
)

// Listed is an action in a list of all of them.
type Listed struct {
	*Action[any]
	Title   string // its name in words
	Reason  string // why it cannot be done now; empty if it can
	Of      *Group
	IsThere bool // it is of another part of the screen, where the keys do not work now
}

// List returns every action of the active groups and of others once: those of the last line, others that can be done
// now, those of other parts, and then those that cannot be done now. Actions whose keys each do something else are left
// out, and those that only move.
func (k *Map) List(active, others []*Group, parts []any, c *pane.Context) []Listed {
	var hinted, plain, there, not []Listed
	moves := Lists("", false).Actions
	isListed := make(map[string]bool)
	for g, a := range all(slices.Concat(active, others)) {
		onlyMoves := slices.ContainsFunc(moves, func(each Action[any]) bool { return each.Name == a.Name })
		isThere := !slices.Contains(active, g)
		if isListed[a.Name] || a.IsNumbered || onlyMoves {
			continue
		}
		isListed[a.Name] = true
		listed, to := Listed{Action: a, Title: titleOf(a.Name), Of: g, IsThere: isThere}, &plain
		if !isThere {
			listed.Reason = Reason(a, parts, c)
		}
		switch {
		case isThere:
			to = &there
		case listed.Reason != "":
			to = &not
		case a.Hint != "":
			to = &hinted
		}
		*to = append(*to, listed)
	}
	return slices.Concat(hinted, plain, there, not)
}

// Do does what the action of a name does in the first group that has it, or says why it does nothing now.
func Do(name string, parts []any, c *pane.Context, groups ...*Group) []pane.Effect {
	if a := named(name, groups); a != nil {
		return run(a, 0, parts, c)
	}
	return nil
}
