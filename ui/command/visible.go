package command

import (
	"cmp"
	"slices"

	"blotter/feed"
	"blotter/feed/access"
	"blotter/model"
	"blotter/ui/alerts"
	"blotter/ui/command/config"
	"blotter/ui/persist"
	"blotter/ui/store"
	"blotter/ui/views"
)

// visibleConfig returns what a trader may have of the configuration of a desk, and of the state that was saved for the
// trader, which may be nil. Both are new, and have what is copied here and in config.File.VisibleTo alone. What comes
// from the service has a door of its own, package access.
func visibleConfig(rights access.Rights, of *configuration, state *persist.State) (*configuration, *persist.State) {
	file := of.file.VisibleTo(rights, of.instruments, of.scope)
	visible := &configuration{file: file, service: of.deskName(), instruments: file.Instruments, demo: of.demo}
	visible.feed = feed.Config{Limits: file.Feed.Limits}
	if narrowed, ok := rights.Scope(of.scope); ok && !of.scope.IsEverything() {
		visible.scope = narrowed
	}
	file.Watch = config.Watch{Parties: views.TextsOf(visible.scope.Parties), Markets: views.TextsOf(visible.scope.Markets)}
	return visible, visibleState(rights, state)
}

// deskName returns the name of the service for traders, who do not see its address.
func (c *configuration) deskName() string {
	if c.demo {
		return c.service
	}
	return cmp.Or(c.file.Service.Name, "desk")
}

// visibleState returns what a trader may have of a state, which may be nil. The trader has typed all its texts, but the
// rights may have been others then: views and groups of what is hidden now are left out. They stay in the file.
func visibleState(rights access.Rights, of *persist.State) *persist.State {
	if of == nil {
		return nil
	}
	visible := &persist.State{
		Remembered: visibleShown(&of.Remembered), Alerts: alerts.Remembered{Own: of.Alerts.Own, Off: of.Alerts.Off, Quiet: of.Alerts.Quiet},
		PageSize: of.PageSize, Theme: of.Theme, Split: of.Split,
	}
	isHidden := func(key model.Key) bool { return !rights.Covers(key) }
	for _, g := range of.Groups {
		if !slices.ContainsFunc(g.Positions, isHidden) {
			visible.Groups = append(visible.Groups, persist.Group{Name: g.Name, Positions: g.Positions})
		}
	}
	for i := range of.Views {
		if v := &of.Views[i]; coversAll(rights.Parties, v.Parties) && coversAll(rights.Markets, v.Markets) {
			visible.Views = append(visible.Views, views.Saved{Number: v.Number, Name: v.Name, Parties: v.Parties,
				Markets: v.Markets, Filter: v.Filter, Remembered: visibleShown(&v.Remembered)})
		}
	}
	return visible
}

// visibleShown returns what a trader may have of a part of a state.
func visibleShown(of *views.Remembered) views.Remembered {
	return views.Remembered{
		Columns: of.Columns, Order: of.Order, Descending: of.Descending, ShowClosed: of.ShowClosed, Group: of.Group,
	}
}

// coversAll reports whether a set has all of some identifiers.
func coversAll(set access.Set, ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !set.Has(model.CanonicalID(id)) })
}

// extentOf returns what a screen may have of the service.
func extentOf(rights access.Rights, rows int) store.Extent {
	if rights.IsAll() {
		return store.Whole(rows)
	}
	return store.Part(model.Scope{Parties: rights.Parties.IDs(), Markets: rights.Markets.IDs()}, rows, rights.Subscriptions)
}
