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

// List returns every action once: those of the last line, others that can be done now, those that only move, and then
// those that cannot be done now. Actions whose keys each do something else are left out.
func (k *Map) List(active []*Group, parts []any, c *pane.Context) []Listed {
	var hinted, plain, moving, others []Listed
	moves := slices.Concat(Moving(false), Ends(false, "", ""))
	isListed := make(map[string]bool)
	for g, a := range all(slices.Concat(active, k.Groups)) {
		if isListed[a.Name] || a.IsNumbered {
			continue
		}
		isListed[a.Name] = true
		listed, to := Listed{Action: a, Title: titleOf(a.Name), Reason: "only in: " + g.Title}, &others
		if slices.Contains(active, g) {
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
	return slices.Concat(hinted, plain, moving, others)
}

// Do does what the action of a name does in the first group that has it, or says why it does nothing now.
func Do(name string, parts []any, c *pane.Context, groups ...*Group) []pane.Effect {
	if a := named(name, groups); a != nil {
		return run(a, 0, parts, c)
	}
	return nil
}
