package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/crypto/ssh"

	"blotter/feed"
	"blotter/feed/access"
	"blotter/feed/hub"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/ui"
	"blotter/ui/alerts"
	"blotter/ui/command/remote"
	"blotter/ui/command/saved"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/metrics"
	"blotter/ui/persist"
	"blotter/ui/topics"
	"blotter/ui/views"
)

// errHidden is what a trader sees in place of an error that names files of the server.
var errHidden = errors.New("the desk could not do it; its log says why")

// servedDesk is one feed, and the screens of its traders.
type servedDesk struct {
	*serveCommand
	*configuration
	feed   *feed.Feed
	hub    *hub.Hub
	folder string // of the state of the traders; empty if nothing is kept
	topics topics.Facts
	server *remote.Server

	mu      sync.Mutex
	traders traders
}

// close ends the hub. The feed is closed with the configuration.
func (d *servedDesk) close() { d.hub.Close() }

// serverOptions returns how the server works.
func (d *servedDesk) serverOptions(hostKey ssh.Signer) remote.Options {
	options := remote.Options{
		HostKey: hostKey, Traders: d.traders.keys, MaxSessions: d.file.Serve.MaxSessions,
		Open: d.open, Report: d.lines.add, Log: d.configuration.feed.Logger,
	}
	if d.log != nil {
		options.Panics, options.PanicsName = d.log.Direct(), d.logFile
	}
	return options
}

// reportPanic reports a panic of the hub, which starts again.
func (d *servedDesk) reportPanic(reason any, trace []byte) {
	d.warn(fmt.Errorf("internal error, please report it: %v; the desk starts again", reason))
	if d.log != nil {
		_, _ = fmt.Fprintf(d.log.Direct(), "panic: %v\n\n%s\n", reason, trace)
	}
}

// stats returns the figures of now for the metrics.
func (d *servedDesk) stats() metrics.Desk {
	of, server := d.hub.Stats(), d.server.Stats()
	return metrics.Desk{
		Sessions: server.Sessions, Bytes: server.Bytes, RefusedConnections: server.Refused,
		Streams: of.Streams, LingeringStreams: of.Lingering, BacklogRows: of.BacklogRows, BacklogBytes: of.BacklogBytes,
		ReplacedBacklogs: of.Replaced, Restarts: of.Restarts,
	}
}

// open opens the screen of a session.
func (d *servedDesk) open(ctx context.Context, session remote.Session) (remote.Screen, error) {
	rights := d.rightsOf(session.Trader)
	joined, err := d.hub.Join(ctx)
	if err != nil {
		return remote.Screen{}, err
	}
	state, options := d.screenOptions(ctx, session, rights)
	options.TickAfter = joined.Moment
	if d.hasRewind() {
		options.Memory = traderMemory{joined, rights, d.service}
	}
	screen := ui.New(ctx, access.New(joined, rights, d.service), options)
	return remote.Screen{Model: screen, Close: func() {
		joined.Close()
		if err := errors.Join(state.RememberDays(screen.Days()), state.Close(screen.State())); err != nil {
			d.warn(fmt.Errorf("the state of %s: %w", session.Trader, err))
		}
	}}, nil
}

// screenOptions returns how the screen of a session begins, with the state of its trader.
func (d *servedDesk) screenOptions(ctx context.Context, session remote.Session, rights access.Rights) (*saved.StateFile, ui.Options) {
	c := d.forTrader(ctx, session.Trader, rights)
	options := c.uiOptions()
	options.Service = c.service + " · " + session.Trader
	options.Notices = nil // they name files of the server
	if c.namesProblem != nil {
		d.warn(c.namesProblem)
	}
	options.Subscriptions = rights.Subscriptions
	options.Appearance = appearanceOf(session.Getenv, c.file, c.demo)
	options.Recording, options.Memory, options.Files = nil, nil, nil
	options.WatchAllIfHeldBack = false // the streams are those of all traders
	if !seesFilter(options.Filter, c.instruments, rights) {
		options.Filter = ""
	}
	options.Alerts = visibleAlerts(options.Alerts, c.instruments, rights)
	options.Alerts = slices.DeleteFunc(options.Alerts, func(a alerts.Rule) bool {
		return !seesGroup(a.Group,
			d.instruments, c.instruments)
	})
	options.Topics = d.topics
	options.Profiles = views.ProfileSwitch{Unavailable: "a desk shows one service"}
	options.Names = nil
	if c.names != nil {
		options.Names = traderNames{c.names, d.hide}
	}
	file := saved.NewStateFile(d.pathOf(session.Trader, "state.json"), c.service)
	state, problem := file.Open()
	if problem != nil {
		options.Notices = append(options.Notices, format.Error(d.hide(problem)))
	}
	if state != nil {
		isHidden := func(key model.Key) bool { return !rights.Covers(key) }
		state.Groups = slices.DeleteFunc(state.Groups, func(g persist.Group) bool { return slices.ContainsFunc(g.Positions, isHidden) })
		options.Use(state, isSet(session.Getenv, c.file))
	}
	c.addViews(&options)
	options.Views = slices.DeleteFunc(options.Views, func(v views.View) bool { return !seesView(v, c.instruments, rights) })
	options.Keep = d.keeper(file)
	if file.KeepsBaselines() {
		if options.Keep.Offered, problem = file.Baseline(); problem != nil {
			options.Notices = append(options.Notices, format.Error(d.hide(problem)))
		}
	}
	if file.KeepsDays() {
		lines, problem := file.Days()
		if problem != nil {
			options.Notices = append(options.Notices, format.Error(d.hide(problem)))
		}
		options.Days = history.NewDays(lines, c.file.Screen.DayBegins)
	}
	if !rights.Parties.IsAll() || !rights.Markets.IsAll() {
		options.Seen = fmt.Sprint(rights.Parties.IDs(), rights.Markets.IDs())
	}
	return file, options
}

// keeper keeps the state of a trader in a file.
func (d *servedDesk) keeper(file *saved.StateFile) persist.Keeper {
	keeper := persist.Keeper{
		State: func(state persist.State) error { return d.hide(file.Remember(state)) },
		Begun: func(state persist.State) { file.Begin(state, false) },
	}
	if file.KeepsBaselines() {
		keeper.Baseline = func(baseline *book.Baseline) error { return d.hide(file.RememberBaseline(baseline)) }
	}
	if file.KeepsDays() {
		keeper.Days = func(lines []history.DayLine) error { return d.hide(file.RememberDays(lines)) }
	}
	return keeper
}

// forTrader returns the configuration with the names that a trader may see, and those that the trader has given.
func (d *servedDesk) forTrader(ctx context.Context, trader string, rights access.Rights) *configuration {
	c := *d.configuration
	c.closers, c.recorder, c.memory, c.names, c.namesProblem = nil, nil, nil, nil, nil
	c.instruments = rights.Instruments(d.instruments)
	if narrowed, ok := rights.Scope(c.scope); ok && !c.scope.IsEverything() {
		c.scope = narrowed
	} else {
		c.scope = model.Scope{}
	}
	if path := d.pathOf(trader, "config.toml"); path != "" && !c.demo {
		own := *c.file
		c.file = &own
		c.namesProblem = saved.AddNames(ctx, path, c.file)
		c.instruments = rights.Instruments(c.file.Instruments)
		c.names = saved.NewNamesFile(path, c.file)
	}
	return &c
}

// pathOf returns the path of a file of a trader; empty if nothing is kept. Each trader has a folder: a baseline has a
// file of its own, which is named by the service. The name of the trader is a file name.
func (d *servedDesk) pathOf(trader, name string) string {
	if d.folder == "" {
		return ""
	}
	return filepath.Join(d.folder, "traders", trader, name)
}

// hide writes an error to standard error, and returns one for the trader, without names of files.
func (d *servedDesk) hide(err error) error {
	if err == nil {
		return nil
	}
	d.warn(err)
	return errHidden
}

// traderNames are the names that a trader gives. Their file is on the server, and is not named.
type traderNames struct {
	*saved.NamesFile
	hide func(error) error
}

// Path returns words in place of the path.
func (traderNames) Path() string { return "your state on this desk" }

// SetAt returns words if the configuration sets a name or number.
func (n traderNames) SetAt(field persist.NameField) string {
	if n.NamesFile.SetAt(field) == "" {
		return ""
	}
	return "the configuration of this desk"
}

// Keep keeps names.
func (n traderNames) Keep(given []persist.GivenName) error { return n.hide(n.NamesFile.Keep(given)) }

// visibleAlerts returns the rules of the desk that a trader may see. Their commands run once for the desk.
func visibleAlerts(all []alerts.Rule, instruments *model.Instruments, rights access.Rights) []alerts.Rule {
	var visible []alerts.Rule
	for _, alert := range all {
		if seesFilter(alert.FilterText, instruments, rights) && seesFilter(alert.ClearText, instruments, rights) {
			alert.Run = false
			visible = append(visible, alert)
		}
	}
	return visible
}

// seesGroup reports whether a trader may see a group of the configuration: all is what there is, and seen what the
// trader may see. A group that the configuration does not have may be one of the trader.
func seesGroup(name string, all, seen *model.Instruments) bool {
	return model.FindGroup(all.Groups(), name) < 0 || model.FindGroup(seen.Groups(), name) >= 0
}

// seesView reports whether a trader may see a view of the configuration.
func seesView(v views.View, instruments *model.Instruments, rights access.Rights) bool {
	isHidden := func(has func(model.ID) bool) func(model.ID) bool {
		return func(id model.ID) bool { return !has(id) }
	}
	return !slices.ContainsFunc(v.Scope.Parties, isHidden(rights.Parties.Has)) &&
		!slices.ContainsFunc(v.Scope.Markets, isHidden(rights.Markets.Has)) && seesFilter(v.Filter, instruments, rights)
}

// seesFilter reports whether a trader may see a filter: each name in it must be one of a party or market that the
// trader may see. A filter that cannot be read is not shown.
func seesFilter(text string, instruments *model.Instruments, rights access.Rights) bool {
	if rights.Parties.IsAll() && rights.Markets.IsAll() {
		return true
	}
	query, err := filter.Parse(text)
	if err != nil {
		return false
	}
	parties, markets := slices.Concat(instruments.Parties(), rights.Parties.IDs()),
		slices.Concat(instruments.Markets(), rights.Markets.IDs())
	for _, term := range query.Terms() {
		for _, condition := range term.Any {
			name, isText := condition.(filter.TextCondition)
			switch {
			case !isText, name.Field == filter.StatusField, name.Field == filter.AssetField, name.Groups(instruments) != 0:
				continue
			}
			isParty := func(id model.ID) bool { return name.MatchesParty(instruments.Party(id)) }
			isMarket := func(id model.ID) bool {
				market := instruments.Market(id)
				return name.MatchesMarket(market, instruments.Asset(market.Asset))
			}
			if !slices.ContainsFunc(parties, isParty) && !slices.ContainsFunc(markets, isMarket) {
				return false
			}
		}
	}
	return true
}

// runAlerts runs the commands of the alerts of the desk, until ctx ends: once, whoever is connected.
func (d *servedDesk) runAlerts(ctx context.Context) error {
	hasCommand := func(a alerts.Rule) bool { return a.Run }
	options := d.uiOptions()
	if !slices.ContainsFunc(options.Alerts, hasCommand) {
		return nil
	}
	joined, err := d.hub.Join(ctx)
	if err != nil {
		return err
	}
	defer joined.Close()
	path := ""
	if d.folder != "" {
		path = filepath.Join(d.folder, "state.json")
	}
	var problem error
	if options.Programs, problem = d.programs.start(ctx, d.configuration, saved.NewStateFile(path, d.service), d.warn); problem != nil {
		d.warn(problem)
	}
	return d.display.runPlain(ctx, joined, options, io.Discard)
}
