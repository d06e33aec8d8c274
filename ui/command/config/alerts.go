package config

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/filter"
	"blotter/ui/alerts"
)

// AlertRule is a section [[alert]].
type AlertRule struct {
	Name    string
	On      string        // "positions", "group" or "stale"
	Group   string        // its name, if On is group
	Asset   string        // of the sums of the group
	For     time.Duration // how long a position must match, or how long rows must be out of date, if On is stale
	Filter  string
	Clear   string
	Again   time.Duration // how long it lasts until it is reported again; 0 is never
	Bell    bool
	Notify  string   // "none", "osc9" or "osc777"
	Command []string // a program and its arguments
}

func (a *AlertRule) keys() keys {
	return keys{
		{name: "name", kind: text(&a.Name, "a text that is not empty"), sample: `"distress"`, help: "Its name on the screen."},
		{name: "on", kind: oneOf(&a.On, []string{onPositions, onGroup, onStale}),
			help: "positions: the rule is about each position. group: it is " +
				"about the sums of a group, of all its positions that the rules watch, in one asset. stale: the rule " +
				"has no filter, and begins when rows have been out of date for the time in the key for: STALE, BEHIND by a minute or more, missing, or " +
				"not sent again after an outage."},
		{name: "for", kind: duration(&a.For, 0, alerts.ShortestFor, alerts.LongestTime), sample: `"5s"`,
			help: "How long a position must match filter, without " +
				"a break, before it begins: at once if it is not given. If on is stale, how long rows must be out of date: 30s if it is not given."},
		{name: "group", kind: text(&a.Group, "a text that is not empty"), sample: `"majors"`, help: "If on is group: the name of a " +
			"[[group]], or of a group that was made on the screen."},
		{name: "asset", kind: text(&a.Asset, "a text that is not empty"), sample: `"USDT"`,
			help: "If on is group: the asset of the sums, by symbol or identifier."},
		{name: "filter", kind: viewFilter(&a.Filter), sample: `"status:distressed|uPnL/MM<-30%"`, help: "It begins for each position that " +
			"begins to match this filter, as typed after /; also day<-1k, the PnL of the day. If on is group, it compares sums: " + strings.Join(filter.SumFields(), ", ") + ", as in " +
			"upnl<-5k|uPnL/MM<-30%. notional is net."},
		{name: "clear", kind: viewFilter(&a.Clear), sample: `"uPnL/MM>-20%"`, help: "It ends for a position that no longer matches filter. " +
			"If clear is given, the position must also match clear, or be closed: so an alert does not begin again and again for a " +
			"number near its limit."},
		{name: "again", kind: duration(&a.Again, 0, alerts.ShortestAgain, alerts.LongestTime),
			sample: `"15m"`, help: "While it lasts, it is reported " +
				"again each time this has passed, with bell, notify and command: never if it is not given."},
		{name: "bell", kind: boolean(&a.Bell), help: "Ring the bell of the terminal when it begins."},
		{name: "notify", kind: oneOf(&a.Notify, []string{"none", "osc9", "osc777"}),
			help: "Notify the desktop when it begins: osc9 or osc777, " +
				"which are escape sequences that the terminal must know."},
		{name: "command", kind: command(&a.Command), sample: `["/home/me/bin/page-desk", "--urgent"]`,
			help: "A program and its arguments. It is run " +
				"when the alert begins, when it is reported again and when it ends, and gets the event as JSON on standard input: blotter schema describes it. It may take " +
				"10 seconds, with all that it starts. No shell runs it, and its output is not shown."},
	}
}

// What an alert is about.
const (
	onPositions = "positions"
	onGroup     = "group"
	onStale     = "stale"
)

// parse parses the filter or clear of the rule.
func (a *AlertRule) parse(text string) (*filter.Query, error) {
	if a.On == onGroup {
		return filter.ParseSums(text)
	}
	return filter.ParseRule(text)
}

// ScreenAlerts returns the alerts as the screen has them.
func (f *File) ScreenAlerts() []alerts.Rule {
	notifications := map[string]alerts.Notification{"osc9": alerts.OSC9, "osc777": alerts.OSC777}
	var all []alerts.Rule
	for _, a := range f.Alerts {
		shown := alerts.Rule{FilterText: a.Filter, ClearText: a.Clear, Bell: a.Bell,
			Notify: notifications[a.Notify], Run: len(a.Command) > 0}
		shown.Name, shown.Group, shown.Asset, shown.For, shown.Again = a.Name, a.Group, a.Asset, a.For, a.Again
		shown.Filter, _ = a.parse(a.Filter) // the reader has refused both otherwise
		if a.Clear != "" {
			shown.Clear, _ = a.parse(a.Clear)
		}
		if a.On == onStale {
			shown.StaleFor, shown.For = cmp.Or(a.For, 30*time.Second), 0
		}
		all = append(all, shown)
	}
	return all
}

// checkAlerts checks what depends on several keys of [[alert]].
func (f *File) checkAlerts() error {
	taken := make(map[string]string)
	for i := range f.Alerts {
		a, section := &f.Alerts[i], fmt.Sprintf("alert[%d]", i)
		switch other, isTaken := taken[a.Name]; {
		case i >= alerts.MaxRules:
			return f.Wrap(section, fmt.Errorf("there can be at most %d alerts, and here are %d: remove %d",
				alerts.MaxRules, len(f.Alerts), len(f.Alerts)-alerts.MaxRules))
		case a.Name == "":
			return f.Wrap(section, errors.New("must have a name"))
		case strings.TrimSpace(a.Name) != a.Name:
			return f.refuse(section+".name", "must be a text without space around it")
		case isTaken:
			return f.sameAs(section+".name", other, "")
		}
		if err := a.check(section, &f.places, f.Instruments); err != nil {
			return err
		}
		taken[a.Name] = section + ".name"
	}
	return nil
}

// check checks what the rule in a section is about, and its filter and clear.
func (a *AlertRule) check(section string, at *places, in *model.Instruments) error {
	query, err := a.parse(a.Filter)
	_, clearErr := a.parse(a.Clear)
	_, isOne := in.FindAsset(a.Asset)
	switch {
	case err != nil:
		return at.Wrap(section+".filter", err)
	case clearErr != nil:
		return at.Wrap(section+".clear", clearErr)
	case a.On == onStale && a.Filter+a.Clear != "":
		return at.Wrap(section, errors.New("on = \"stale\" has neither a filter nor clear"))
	case a.On != onGroup && a.Group != "":
		return at.refuse(section+".group", `needs on = "group"`)
	case a.On != onGroup && a.Asset != "":
		return at.refuse(section+".asset", `needs on = "group"`)
	case a.On == onStale:
		return nil
	case a.On == onGroup && a.Group == "":
		return at.Wrap(section, errors.New(`on = "group" must have a group, by its name`))
	case a.On == onGroup && a.Asset == "":
		return at.Wrap(section, errors.New(`on = "group" must have an asset: sums of several assets are not added`))
	case a.On == onGroup && !isOne:
		return at.refuse(section+".asset", "several assets have this symbol: give the identifier")
	case a.Filter == "":
		return at.Wrap(section, errors.New("must have a filter"))
	case query.MatchesAll():
		return at.refuse(section+".filter", "must not match all positions")
	}
	return nil
}
