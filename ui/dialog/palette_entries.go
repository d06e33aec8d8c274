package dialog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/theme"
	"blotter/ui/topics"
	"blotter/ui/views"
)

// otherWords are words that people use for an action, by its name.
var otherWords = map[string]string{
	"back":           "undo, cancel",
	"baseline":       "compare, difference, since the morning",
	"connection":     "fresh, stale, latency, is the data current, streams, checks, audits",
	"events":         "what happened, log",
	"filter":         "find, only, search",
	"full_screen":    "bigger, maximise, zoom",
	"help":           "help me, manual, keys",
	"new_alert":      "alarm, warn me",
	"next_pane":      "margin levels",
	"next_alert":     "close out, closed out, liquidated, incidents, trouble",
	"quit":           "exit, leave, stop",
	"redraw":         "repair the screen",
	"resync":         "refresh, reload, reconnect",
	"rewind":         "history, the past, replay, ago, yesterday",
	"save_rows":      "csv, export, download, spreadsheet, excel",
	"session":        "money, totals, sum, how much",
	"views":          "save view, layout, workspace",
	"choose_parties": "account, trader, desk",
	"choose_markets": "instrument, symbol, coin",
}

// wordsOfTopics are words that people use for what a topic of help explains, by its name.
var wordsOfTopics = map[string]string{
	"alerts":        "notify, slack, phone, sms, webhook, page me, run a program",
	"configuration": "mouse, settings",
	"scripts":       "export by commands",
}

// elsewhere are actions that are not listed: another entry does the same.
var elsewhere = []string{"interrupt", "export_rows"}

// byColumn is how the names of actions begin that sort by a column. Without a key, OrderEntries has them.
const byColumn = "sort_by_"

// ActionEntries returns the actions, but not the one that opens the palette. Those of another part go there first: goTo
// returns how.
func ActionEntries(listed []keys.Listed, opening string, goTo func(*keys.Group) pane.Effect) []Entry {
	var entries []Entry
	for _, a := range listed {
		if a.Name == opening || slices.Contains(elsewhere, a.Name) || strings.HasPrefix(a.Name, byColumn) && a.ShownKeys() == "" {
			continue
		}
		entry := Entry{Key: a.ShownKeys(), Name: a.Title, Words: a.Help, Also: otherWords[a.Name], WhyNot: a.Reason}
		if a.IsThere {
			entry.Key, entry.Effects = "", []pane.Effect{goTo(a.Of)}
			entry.Words += "; goes to " + a.Of.Title + " first"
		}
		entry.Effects = append(entry.Effects, pane.Act(a.Name))
		entries = append(entries, entry)
	}
	return entries
}

// PlaceEntries returns what is found by another word than the name of an action. The kind of a page is a prefix and a
// name: tab is the prefix of the tabs of the analysis, and topic that of the topics of help.
func PlaceEntries(tab, topic string) []Entry {
	return []Entry{
		{Name: "exposure", Words: "analysis: by market, party or own group", Effects: []pane.Effect{pane.Show(tab + "exposure")}},
		{Name: "matrix", Words: "analysis: parties and markets", Effects: []pane.Effect{pane.Show(tab + "matrix")}},
		{Name: "PnL by day", Also: "today, daily", Words: "analysis: the days", Effects: []pane.Effect{pane.Show(tab + "days")}},
		{
			Name:    "price to trouble",
			Also:    "liquidation, distance to " + model.HalfLost.String() + ", " + model.AllLost.String(),
			Words:   "sort by how far the price is from " + columns.RatioName + " " + model.HalfLost.String() + "; not a liquidation price: balances are not sent",
			Effects: []pane.Effect{pane.FocusPositions{}, pane.SortBy(view.ToHalfColumn)},
		},
		{Name: "font", Words: "the font is that of your terminal, and its size too: often ctrl++ and ctrl+-",
			Effects: []pane.Effect{pane.Show(topic + "troubleshooting")}},
	}
}

// ViewEntries returns the views, with the keys that apply them.
func ViewEntries(set *views.Set, digits []string, f *format.Formatter) []Entry {
	var entries []Entry
	for number := range views.Last + 1 {
		if v, found := set.Find(number); found {
			entries = append(entries, Entry{
				Key: digits[number], Name: "view " + format.OneLine(v.Title()), Words: v.Summary(f), WhyNot: v.Wrong(),
				Effects: []pane.Effect{pane.ShowView(number)},
			})
		}
	}
	return entries
}

// ProfileEntries returns the profiles of the configuration, and the one without a profile.
func ProfileEntries(s *views.ProfileSwitch) []Entry {
	if len(s.Names) < 2 {
		return nil
	}
	var entries []Entry
	for _, name := range s.Names {
		title := "no profile"
		if name != "" {
			title = "profile " + format.OneLine(name)
		}
		words := s.Words(name)
		entry := Entry{Name: title, Words: words, Effects: []pane.Effect{pane.ShowProfile(name)}}
		if s.Unavailable != "" || name == s.Current {
			entry.WhyNot = words
		}
		entries = append(entries, entry)
	}
	return entries
}

// TopicEntries returns the topics of help, which are pages of a kind: pageKind and their name.
func TopicEntries(pageKind string) []Entry {
	var entries []Entry
	for _, topic := range topics.All() {
		entries = append(entries, Entry{Name: "help " + topic.Name, Words: topic.Title, Also: wordsOfTopics[topic.Name],
			Effects: []pane.Effect{pane.Show(pageKind + topic.Name)}})
	}
	return entries
}

// ThemeEntries returns the themes that can be chosen, of which one is used.
func ThemeEntries(of *theme.Appearance) []Entry {
	var entries []Entry
	for _, name := range of.Themes.Names() {
		words := "enter keeps it"
		if name == cmp.Or(of.Theme, theme.Auto) {
			words = "the colours of now"
		}
		entries = append(entries, Entry{Name: "theme " + name, Theme: name, Words: words, Effects: []pane.Effect{pane.UseTheme(name)}})
	}
	return entries
}

// ColumnEntries returns the columns that are hidden.
func ColumnEntries(settings columns.Settings) []Entry {
	var showing []Entry
	for i, s := range settings {
		if s.Hidden {
			changed := slices.Clone(settings)
			changed[i].Hidden = false
			showing = append(showing, Entry{Name: "show column " + columns.Title(s.Column), Words: changed[i].Words(),
				Effects: []pane.Effect{pane.FocusPositions{}, pane.SetColumns(changed)}})
		}
	}
	return showing
}

// ScopeEntries returns parties or markets, with what watches one of them.
func ScopeEntries(w store.Watchable, whyNot string) []Entry {
	var entries []Entry
	for _, id := range w.All {
		entries = append(entries, Entry{
			Name: w.Name + " " + w.Label(id), Words: fmt.Sprintf("watch only this %s: %s", w.Name,
				model.Neutralise(id.String())), WhyNot: whyNot,
			Effects: []pane.Effect{pane.Watch(w.Scope([]model.ID{id}))},
		})
	}
	return entries
}
