package config

import (
	"slices"

	"blotter/feed/access"
	"blotter/model"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/theme"
)

// VisibleTo returns a new file with what a trader of a desk may have of the file, whose instruments are given: they are
// those of the file, or of the demo. A key that is not copied here is left out. So are all keys of service, watch,
// serve, trader and profile, those of feed but rows, and the commands of alerts. The scope is what the desk watches: a
// rule about a group or about the feed is only there if all rows that it is about may be seen.
func (f *File) VisibleTo(rights access.Rights, all *model.Instruments, scope model.Scope) *File {
	v := Default()
	v.Instruments, v.instruments = rights.Instruments(all), f.visibleInstruments(rights)
	sees := sight{rights, all, v.Instruments, scope}
	v.Screen = f.visibleScreen(&sees)
	v.inEffect = f.visiblePlaces()
	v.Feed.Limits.Rows = f.Feed.Limits.Rows
	v.Keys = f.Keys
	for _, g := range f.ownGroups {
		if sees.group(g.name) {
			v.ownGroups = append(v.ownGroups, ownGroup{name: g.name, parties: g.parties, markets: g.markets})
		}
	}
	for _, t := range f.ownThemes {
		v.ownThemes = append(v.ownThemes, visibleTheme(t))
	}
	for i := range f.Views {
		if of := &f.Views[i]; sees.view(of) {
			v.Views = append(v.Views, View{
				Number: of.Number, Name: of.Name, Parties: of.Parties, Markets: of.Markets, Filter: of.Filter, Order: of.Order,
				Descending: of.Descending, ShowClosed: of.ShowClosed, Columns: of.Columns, Group: of.Group,
			})
		}
	}
	for i := range f.Alerts {
		if of := &f.Alerts[i]; sees.filter(of.Filter, of.parse) && sees.filter(of.Clear, of.parse) && sees.allOf(of) {
			v.Alerts = append(v.Alerts, AlertRule{
				Name: of.Name, On: of.On, Group: of.Group, Asset: of.Asset, For: of.For, Filter: of.Filter, Clear: of.Clear,
				Again: of.Again, Bell: of.Bell, Notify: of.Notify,
			})
		}
	}
	return v
}

// visibleScreen returns how the screen of a trader begins.
func (f *File) visibleScreen(sees *sight) Screen {
	of := &f.Screen
	s := Screen{
		Settings: view.Settings{Order: of.Order, Group: of.Group, ShowClosed: of.ShowClosed},
		PageSize: of.PageSize, OldestFirst: of.OldestFirst, DisplayDecimals: of.DisplayDecimals, Zone: of.Zone, Theme: of.Theme,
		Mouse: of.Mouse, ASCII: of.ASCII, MarkChanges: of.MarkChanges, DayBegins: of.DayBegins,
	}
	if sees.filter(of.Filter, filter.Parse) {
		s.Filter = of.Filter
	}
	return s
}

// visiblePlaces returns which keys of the screen the file sets, without where it is.
func (f *File) visiblePlaces() map[string]string {
	set := make(map[string]string)
	for _, key := range new(Screen).keys() {
		if name := "screen." + key.name; f.IsSet(name) {
			set[name] = name
		}
	}
	return set
}

// visibleInstruments returns the parties and markets that a trader may see, and all assets.
func (f *File) visibleInstruments(rights access.Rights) instruments {
	isSeen := map[string]func(model.ID) bool{
		partySection: rights.Parties.Has, marketSection: rights.Markets.Has, assetSection: func(model.ID) bool { return true },
	}
	visible := make(instruments)
	for _, section := range instrumentSections() {
		for _, n := range f.instruments[section] {
			if isSeen[section](model.CanonicalID(n.id)) {
				visible[section] = append(visible[section], instrument{
					id: n.id, name: n.name, asset: n.asset, priceDecimals: n.priceDecimals, sizeDecimals: n.sizeDecimals,
					decimals: n.decimals, displayDecimals: n.displayDecimals, linear: n.linear,
				})
			}
		}
	}
	return visible
}

// visibleTheme returns a theme with its colours.
func visibleTheme(of theme.Own) theme.Own {
	return theme.Own{
		Name: of.Name, Accent: of.Accent, Quiet: of.Quiet, Gain: of.Gain, Loss: of.Loss, Live: of.Live, Warning: of.Warning,
		Alarm: of.Alarm, Cursor: of.Cursor, Dim: of.Dim, Up: of.Up, Heat25: of.Heat25, Heat50: of.Heat50,
		Heat75: of.Heat75, OnColour: of.OnColour,
	}
}

// sight tells which names of the configuration a trader may see.
type sight struct {
	rights  access.Rights
	all     *model.Instruments
	visible *model.Instruments // of all
	scope   model.Scope        // what the desk watches
}

func (s *sight) party(name string) bool  { return s.rights.Parties.Has(s.all.FindParty(name)) }
func (s *sight) market(name string) bool { return s.rights.Markets.Has(s.all.FindMarket(name)) }

// group reports whether a group may be seen. One that the configuration does not have may be one of the trader.
func (s *sight) group(name string) bool {
	return model.FindGroup(s.all.Groups(), name) < 0 || model.FindGroup(s.visible.Groups(), name) >= 0
}

// allOf reports whether all rows may be seen that a rule about a group or about the feed is about. Of a rule about
// positions, those are left out that may not be seen.
func (s *sight) allOf(rule *AlertRule) bool {
	switch rule.On {
	case onStale:
		return s.rights.CoverAll(s.scope, model.Scope{})
	case onGroup:
		place := model.FindGroup(s.all.Groups(), rule.Group)
		return place >= 0 && s.group(rule.Group) && s.rights.CoverAll(s.scope, s.all.Groups()[place].Scope)
	}
	return true
}

// view reports whether a view may be seen.
func (s *sight) view(v *View) bool {
	isHidden := func(isSeen func(string) bool) func(string) bool {
		return func(name string) bool { return !isSeen(name) }
	}
	return !slices.ContainsFunc(v.Parties, isHidden(s.party)) && !slices.ContainsFunc(v.Markets, isHidden(s.market)) &&
		(v.Filter == nil || s.filter(*v.Filter, filter.Parse))
}

// filter reports whether a filter may be seen: each name in it must be one of a party, market or group that may be
// seen. A filter that cannot be read may not.
func (s *sight) filter(text string, parse func(string) (*filter.Query, error)) bool {
	if s.rights.IsAll() {
		return true
	}
	query, err := parse(text)
	if err != nil {
		return false
	}
	for _, term := range query.Terms() {
		for _, condition := range term.Any {
			if name, isText := condition.(filter.TextCondition); isText && !s.name(name) {
				return false
			}
		}
	}
	return true
}

// name reports whether what a filter compares with a text may be seen.
func (s *sight) name(of filter.TextCondition) bool {
	if of.Field == filter.StatusField || of.Field == filter.AssetField || of.Groups(s.visible) != 0 {
		return true
	}
	isParty := func(id model.ID) bool { return of.MatchesParty(s.visible.Party(id)) }
	isMarket := func(id model.ID) bool {
		market := s.visible.Market(id)
		return of.MatchesMarket(market, s.visible.Asset(market.Asset))
	}
	return slices.ContainsFunc(slices.Concat(s.visible.Parties(), s.rights.Parties.IDs()), isParty) ||
		slices.ContainsFunc(slices.Concat(s.visible.Markets(), s.rights.Markets.IDs()), isMarket)
}
