package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"golang.org/x/crypto/ssh"

	"blotter/feed"
	"blotter/feed/access"
	"blotter/feed/hub"
	"blotter/model/book"
	"blotter/ui"
	"blotter/ui/command/remote"
	"blotter/ui/command/saved"
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

	pasts pasts

	mu      sync.Mutex
	traders traders
}

func (d *servedDesk) serverOptions(hostKey ssh.Signer) remote.Options {
	options := remote.Options{
		HostKey: hostKey, Traders: d.traders.keys, MaxSessions: d.file.Serve.MaxSessions,
		Open: d.open, Run: d.runCommand, Report: d.lines.add, Log: d.configuration.feed.Logger,
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

func (d *servedDesk) stats() metrics.Desk {
	of, server := d.hub.Stats(), d.server.Stats()
	return metrics.Desk{
		Sessions: server.Sessions, Bytes: server.Bytes, RefusedConnections: server.Refused,
		Streams: of.Streams, LingeringStreams: of.Lingering, BacklogRows: of.BacklogRows, BacklogBytes: of.BacklogBytes,
		ReplacedBacklogs: of.Replaced, Restarts: of.Restarts,
	}
}

func (d *servedDesk) open(ctx context.Context, session remote.Session) (remote.Screen, error) {
	rights := d.rightsOf(session.Trader)
	joined, err := d.hub.Join(ctx)
	if err != nil {
		return remote.Screen{}, err
	}
	state, options := d.screenOptions(ctx, session, rights)
	options.TickAfter = joined.Moment
	if d.hasRewind() {
		options.Memory = traderMemory{joined, rights, d.deskName(), session.Trader, &d.pasts}
	}
	source := access.New(joined, rights, d.deskName())
	programs, endPrograms := d.traderAlerts(ctx, state, rights)
	options.Programs, options.Desk = programs, access.NewAlerts(joined, rights, deskRules(options.Alerts))
	end := func() {
		joined.Close()
		endPrograms()
	}
	if session.Lines != nil {
		return remote.Screen{Model: ui.NewPlain(ctx, source, options, session.Lines), Close: end}, nil
	}
	screen := ui.New(ctx, source, options)
	return remote.Screen{Model: screen, Close: func() {
		end()
		if err := errors.Join(state.RememberDays(screen.Days()), state.Close(screen.State())); err != nil {
			d.warn(fmt.Errorf("the state of %s: %w", session.Trader, err))
		}
	}}, nil
}

// screenOptions returns how the screen of a session begins, with the state of its trader. What is of the configuration
// or of the state comes through visibleConfig, and what is of the service through the source.
func (d *servedDesk) screenOptions(ctx context.Context, session remote.Session, rights access.Rights) (*saved.StateFile, ui.Options) {
	file := saved.NewStateFile(d.pathOf(session.Trader, "state.json"), d.service)
	state, problem := file.Open()
	c, state := visibleConfig(rights, d.configuration, state)
	d.addNames(ctx, c, session.Trader, rights)
	options := c.fileOptions()
	for i := range options.Alerts {
		options.Alerts[i].OfDesk = true
	}
	options.Service = c.service + " · " + session.Trader
	options.Extent = extentOf(rights, d.configuration.feed.Limits.Rows)
	options.Log = d.configuration.feed.Logger
	options.Appearance = appearanceOf(session.Getenv, c.file, c.demo)
	options.Topics = d.topics
	options.Profiles = views.ProfileSwitch{Unavailable: "a desk shows one service"}
	if c.names != nil {
		options.Names = traderNames{c.names, d.hide}
	}
	options.Note(d.hide(problem))
	if state != nil {
		options.Use(state, isSet(session.Getenv, c.file))
	}
	c.addViews(&options)
	options.Keep = d.keeper(file)
	if file.KeepsBaselines() {
		options.Keep.Offered, problem = file.Baseline()
		options.Note(d.hide(problem))
	}
	if file.KeepsDays() {
		kept, problem := file.Days()
		options.Note(d.hide(problem))
		options.Days = history.NewDays(kept.Only(rights.Parties.Has, rights.Covers), c.file.Screen.DayBegins)
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
		keeper.Days = func(kept history.Kept) error { return d.hide(file.RememberDays(kept)) }
	}
	return keeper
}

// addNames adds the names that a trader has given to the configuration that the trader has. A name is compared with
// what the trader may see alone, so that none tells of what is hidden.
func (d *servedDesk) addNames(ctx context.Context, c *configuration, trader string, rights access.Rights) {
	path := d.pathOf(trader, "config.toml")
	if path == "" || c.demo {
		return
	}
	if problem := saved.AddNames(ctx, path, c.file); problem != nil {
		d.warn(problem)
	}
	c.instruments = rights.Instruments(c.file.Instruments) // names may be older than the rights
	c.names = saved.NewNamesFile(path, c.file)
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
