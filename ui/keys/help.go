package keys

import (
	"slices"
	"strings"
)

// leastShared is from how many groups on help has an action only once.
const leastShared = 7

// HelpGroups returns the groups as help has them, those of first before the others. An action that many groups have
// with the same keys and words is not in them, but in a group of its own, which comes after the first of the others.
// There is no group without actions.
func (k *Map) HelpGroups(first []*Group) []*Group {
	others := slices.DeleteFunc(slices.Clone(k.Groups), func(g *Group) bool { return slices.Contains(first, g) })
	everything := slices.Concat(first, others)
	uses, listed := make(map[string]int), make(map[string]bool)
	for _, a := range all(everything) {
		uses[a.identity()]++
	}
	isShared := func(a Action[any]) bool { return uses[a.identity()] >= leastShared }
	shared := &Group{Title: "in most parts"}
	for _, a := range all(everything) {
		if identity := a.identity(); isShared(*a) && !listed[identity] {
			shared.Actions = append(shared.Actions, *a)
			listed[identity] = true
		}
	}
	var groups []*Group
	for _, g := range slices.Insert(everything, min(len(first)+1, len(everything)), shared) {
		if g != shared {
			own := *g
			own.Actions = slices.DeleteFunc(slices.Clone(g.Actions), isShared)
			g = &own
		}
		if len(g.Actions) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// ofDay returns the actions of Day as a group.
func (k *Map) ofDay() *Group {
	day := &Group{Title: "the keys of a day"}
	for _, name := range k.Day {
		if a := named(name, k.Groups); a != nil {
			day.Actions = append(day.Actions, *a)
		}
	}
	return day
}

// identity is what help shows of an action, with its name.
func (a *Action[P]) identity() string {
	return a.Name + "\n" + strings.Join(a.Keys, " ") + "\n" + a.Help
}

// EveryKey returns the keys of the action as people read them, also those that Shown leaves out.
func (a *Action[P]) EveryKey() string {
	if a.IsNumbered {
		return a.ShownKeys()
	}
	plain := *a
	plain.Shown = ""
	return plain.ShownKeys()
}
