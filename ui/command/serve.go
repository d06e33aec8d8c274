package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"blotter/feed/access"
	"blotter/feed/hub"
	"blotter/feed/record"
	"blotter/ui/command/cli"
	"blotter/ui/command/credentials"
	"blotter/ui/command/remote"
	"blotter/ui/command/saved"
	"blotter/ui/metrics"
)

// serveCommand shows the dashboard to several traders over SSH, with one feed.
type serveCommand struct {
	*settings
	display *display
	network *network
	runs    *atomic.Pointer[asService]
	metrics metricsFlag
	listen  string
	state   string // the folder
	lines   *connectionLines

	keysFiles *keysFiles
}

func newServe(s *settings, d *display, n *network, runs *atomic.Pointer[asService]) *cobra.Command {
	c := &serveCommand{
		settings: s, display: d, network: n, runs: runs, lines: newConnectionLines(s.stdout.Writer), keysFiles: newKeysFiles(),
	}
	command := &cobra.Command{
		Use:   "serve",
		Short: "Show the dashboard to several traders over SSH, with one feed",
		Long: "blotter serve follows what its traders watch, each stream once, and shows each of them the dashboard over SSH. " +
			"Who may connect, with which keys, and what each may see, is in [[trader]] of the configuration. " +
			"It prints a line when a trader connects, and when a connection ends, and runs until it is interrupted. " +
			"Connections without a key of a trader have a line a minute for each address.\n\n" +
			"SIGHUP makes it read the traders again: sessions of keys that were removed, and of traders who may see less, end. " +
			"blotter help serve shows a whole set-up.\n\n" +
			"With --demo it serves a simulated service, to one trader with a key that it makes, and prints the command that connects.",
		Example: `  blotter serve --demo
  blotter serve --config desk.toml
  blotter serve --config desk.toml --listen 0.0.0.0:2222 --metrics-listen 127.0.0.1:9464`,
		RunE: func(command *cobra.Command, _ []string) error { return c.run(command.Context()) },
	}
	s.flags.register(command)
	set := command.Flags()
	set.StringVar(&c.listen, "listen", "", "the address to listen on, in place of that of the configuration; without a host only for this machine")
	set.StringVar(&c.state, "state-folder", "", "keep the host key and the state of each trader in this folder (default blotter/desk in $XDG_STATE_HOME, or where this system keeps such files)")
	c.metrics.register(command)
	_ = command.MarkFlagDirname("state-folder")
	return command
}

func (c *serveCommand) run(ctx context.Context) error {
	c.settings.state.none = true // each trader has a state
	config, err := c.configure(ctx)
	if err != nil {
		return err
	}
	defer config.close()
	if c.listen == "" {
		c.listen = config.file.Serve.Listen
	}
	demo, err := c.prepareDemo(config)
	if err != nil {
		return err
	}
	defer demo.close()
	folder, err := c.folder()
	if err != nil {
		return err
	}
	traders, problems, err := readTraders(ctx, config.file, config.instruments, c.keysFiles)
	if err == nil && len(problems) > 0 {
		err = problems[0]
	}
	if err != nil {
		return err
	}
	hostKey, err := c.hostKey(config, folder)
	if err != nil {
		return err
	}
	desk, err := c.openDesk(config, traders, folder)
	if err != nil {
		return err
	}
	defer desk.hub.Close() // the feed is closed with the configuration
	server, err := remote.NewServer(desk.serverOptions(hostKey))
	if err != nil {
		return cli.UsageError("%w", err)
	}
	desk.server = server
	figures := metrics.Source{Links: desk.feed.Links, Desk: desk.stats, Programs: c.programs.Figures}
	if err := c.network.serveMetrics(ctx, c.metrics, config, figures); err != nil {
		return err
	}
	listener, err := c.network.listenAt(ctx, "--listen", c.listen, "this desk")
	if err != nil {
		return err
	}
	defer listener.Close()
	if err := c.printBegin(listener.Addr(), hostKey, demo); err != nil {
		c.warn(err) // a full disk is no reason not to serve
	}
	return c.serve(ctx, desk, listener)
}

// collectorPercent is by how many percent the memory grows before the garbage collector runs. With less than the usual
// 100, sessions take less memory, and the collector takes more of the processors.
const collectorPercent = 50

// stopGrace is how long serve may take to end after it was interrupted: its clients close their connections.
const stopGrace = 5 * time.Second

// serve serves the traders until ctx ends. SIGTERM is the usual end of a service.
func (c *serveCommand) serve(ctx context.Context, desk *servedDesk, listener net.Listener) error {
	defer debug.SetGCPercent(debug.SetGCPercent(collectorPercent))
	var tasks, lines sync.WaitGroup
	tasksEnd, endTasks := context.WithCancel(ctx)
	linesEnd, endLines := context.WithCancel(context.WithoutCancel(ctx))
	hangups := make(chan struct{}, 1)
	c.runs.Store(&asService{grace: stopGrace, hangUp: func() {
		select {
		case hangups <- struct{}{}:
		default: // the traders are read again soon
		}
	}})
	defer c.runs.Store(nil)
	lines.Go(func() {
		defer c.panics.Recover()
		c.lines.run(linesEnd)
	})
	tasks.Go(func() {
		defer c.panics.Recover()
		desk.readTradersAgain(tasksEnd, hangups)
	})
	tasks.Go(func() {
		defer c.panics.Recover()
		if err := desk.runAlerts(tasksEnd); err != nil && tasksEnd.Err() == nil {
			c.warn(fmt.Errorf("the alerts of the desk: %w", err))
		}
	})
	err := desk.server.Serve(ctx, listener)
	endTasks()
	tasks.Wait()
	endLines()
	lines.Wait()
	switch {
	case err != nil:
		return fmt.Errorf("serving: %w", err)
	case errors.Is(context.Cause(ctx), errTerminated):
		return nil
	}
	return ctx.Err()
}

// folder returns where the host key and the state of the traders are; empty if nothing is kept.
func (c *serveCommand) folder() (string, error) {
	if c.demo && c.state == "" {
		return "", nil
	}
	if c.state != "" {
		return c.state, nil
	}
	if state := saved.StatePath(c.getenv); state != "" {
		return filepath.Join(filepath.Dir(state), "desk"), nil
	}
	return "", cli.UsageError("there is no folder for the state: set --state-folder")
}

// hostKey returns the key with which the server proves its identity.
func (c *serveCommand) hostKey(config *configuration, folder string) (ssh.Signer, error) {
	path := filepath.Join(folder, "host_key")
	if given := config.file.Serve.HostKey; given != "" {
		path = config.file.ResolvePath(given)
	} else if folder == "" {
		return credentials.NewHostKey()
	}
	key, err := credentials.HostKey(path)
	if err != nil {
		return nil, config.file.Wrap("serve.host_key", err)
	}
	return key, nil
}

// printBegin prints the address, the fingerprint of the host key, and for the demo how to connect.
func (c *serveCommand) printBegin(address net.Addr, hostKey ssh.Signer, demo *demoTrader) error {
	text := fmt.Sprintf("Listening at %s. The fingerprint of the host key is %s.\n", address, ssh.FingerprintSHA256(hostKey.PublicKey()))
	if demo != nil {
		command, err := demo.command(address, hostKey.PublicKey())
		if err != nil {
			return err
		}
		text += "Connect from another terminal with:\n" + command + "\n"
	}
	_, err := io.WriteString(c.stdout.Writer, text)
	return cli.OutputError(err)
}

// openDesk starts the feed and the hub. They end with the desk.
func (c *serveCommand) openDesk(config *configuration, traders traders, folder string) (*servedDesk, error) {
	feed, err := config.newFeed()
	if err != nil {
		return nil, err
	}
	d := &servedDesk{serveCommand: c, configuration: config, feed: feed, folder: folder, traders: traders, topics: topicFacts()}
	options := hub.Options{
		// Of screens, of commands, and that of the alerts.
		Limits: hub.Limits{Sessions: 2*config.file.Serve.MaxSessions + 1, Rows: config.feed.Limits.Rows},
		Report: d.reportPanic,
	}
	if config.hasRewind() {
		options.NewMemory = func() (*record.Memory, error) { return config.newMemory(maxPlayers) }
	}
	d.hub = hub.New(feed, options)
	return d, nil
}

// demoTrader is the trader of the demo, whose key is in a temporary folder.
type demoTrader struct{ folder string }

// prepareDemo makes a key for the only trader of the demo, if the configuration has none; otherwise it returns nil.
func (c *serveCommand) prepareDemo(config *configuration) (*demoTrader, error) {
	if !c.demo || len(config.file.Traders) > 0 {
		return nil, nil
	}
	folder, err := os.MkdirTemp("", "blotter-desk-")
	if err != nil {
		return nil, fmt.Errorf("a folder for the key of the demo: %w", err)
	}
	demo := &demoTrader{folder}
	key, err := credentials.HostKey(demo.keyPath())
	if err != nil {
		return nil, errors.Join(err, demo.close())
	}
	config.file.Traders = []traderConfig{{
		Name: demoName, Keys: []string{string(ssh.MarshalAuthorizedKey(key.PublicKey()))},
		Parties: []string{access.All}, Markets: []string{access.All},
	}}
	return demo, nil
}

func (d *demoTrader) keyPath() string { return filepath.Join(d.folder, "key") }

func (d *demoTrader) command(address net.Addr, hostKey ssh.PublicKey) (string, error) {
	host, port, err := net.SplitHostPort(address.String())
	if err != nil {
		return "", err
	}
	known := filepath.Join(d.folder, "known_hosts")
	line := fmt.Sprintf("[%s]:%s %s", host, port, ssh.MarshalAuthorizedKey(hostKey))
	if err := os.WriteFile(known, []byte(line), 0o600); err != nil {
		return "", fmt.Errorf("the host key of the demo: %w", err)
	}
	return fmt.Sprintf("  ssh -p %s -i %s -o IdentitiesOnly=yes -o UserKnownHostsFile=%s %s", port, d.keyPath(), known, host), nil
}

// close removes the key. The trader may be nil.
func (d *demoTrader) close() error {
	if d == nil {
		return nil
	}
	return os.RemoveAll(d.folder)
}
