package keys

import "slices"

// HelpGroups returns the groups as help has them, those of first before the others.
func (k *Map) HelpGroups(first []*Group) []*Group {
	others := slices.DeleteFunc(slices.Clone(k.Groups), func(g *Group) bool { return slices.Contains(first, g) })
	return slices.Concat(first, others)
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

// EveryKey returns the keys of the action as people read them, also those that Shown leaves out.
func (a *Action[P]) EveryKey() string {
	if a.IsNumbered {
		return a.ShownKeys()
	}
	plain := *a
	plain.Shown = ""
	return plain.ShownKeys()
}
