package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"slices"
	"strings"
	"time"

	"blotter/feed"
	"blotter/feed/endpoint"
	"blotter/feed/record"
	"blotter/feed/secrets"
	"blotter/model"
	"blotter/model/filter"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/credentials"
	"blotter/ui/command/saved"
	"blotter/ui/command/watch"
	"blotter/ui/persist"
)

// configuration is the configuration of a command. Flags override the environment, and the environment overrides the
// file.
type configuration struct {
	file         *config.File
	origin       string // where it comes from, in words
	service      string // the name of the service on the screen
	feed         feed.Config
	instruments  *model.Instruments // of the file, the demo or a recording of the demo
	names        *saved.NamesFile   // of the screen; nil if names are not kept
	namesProblem error              // what is wrong with them
	scope        model.Scope
	query        *filter.Query // of --filter
	demo         bool
	replayed     bool             // a recording is shown in place of a service
	recorder     *record.Recorder // nil if nothing is recorded
	memory       *record.Memory   // for rewind; nil if there is none
	closers      []func()
}

// close closes what the configuration has opened, the last first.
func (c *configuration) close() {
	closers := c.closers
	c.closers = nil
	for _, closer := range slices.Backward(closers) {
		closer()
	}
}

// closeAfter closes all if there was an error.
func (c *configuration) closeAfter(err *error) {
	if *err != nil {
		c.close()
	}
}

// configure returns the configuration from flags, environment and file. It reads the files that these name. The exit
// code of an error is cli.ExitUsage, cli.ExitUnavailable when the time is over, or cli.ExitInterrupted.
func (s *settings) configure(ctx context.Context) (*configuration, error) {
	c, err := s.configureAll(ctx)
	switch {
	case err == nil || ctx.Err() == nil:
		return c, err
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err()
	}
	return nil, &cli.ExitError{Code: cli.ExitUnavailable, Err: err}
}

// configureWithin returns the configuration, and a context that ends with --timeout or when the configuration is
// closed. The time for reading the configuration counts too.
func (s *settings) configureWithin(ctx context.Context, timeout time.Duration) (context.Context, *configuration, error) {
	if timeout <= 0 {
		return nil, nil, cli.UsageError("--timeout: must be longer than 0s")
	}
	timed, cancel := context.WithTimeout(ctx, timeout)
	c, err := s.configure(timed)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	c.closers = append(c.closers, cancel)
	return timed, c, nil
}

func (s *settings) configureAll(ctx context.Context) (_ *configuration, err error) {
	c, err := s.configureWithoutService(ctx)
	if err != nil {
		return nil, err
	}
	defer c.closeAfter(&err)
	if s.served == nil {
		c.captureStandardLog()
	}
	if err := s.connect(ctx, c); err != nil {
		return nil, err
	}
	s.warnOfNames()
	if err := s.addScreenGroups(c); err != nil {
		return nil, err
	}
	if s.configureFeed != nil {
		s.configureFeed(&c.feed)
	}
	c.scope, err = s.scope(c.file, c.instruments)
	return c, err
}

// addScreenGroups adds the groups that the trader made on the screen, if the filter or an alert names a group that the
// file does not have. A filter of a group that is in neither place is an error: it would match nothing.
func (s *settings) addScreenGroups(c *configuration) error {
	isUnknown := func(a config.AlertRule) bool {
		return a.Group != "" && model.FindGroup(c.instruments.Groups(), a.Group) < 0
	}
	if c.query.UnknownGroup(c.instruments) == "" && !slices.ContainsFunc(c.file.Alerts, isUnknown) {
		return nil
	}
	made, err := saved.NewStateFile(s.state.file(s.getenv, s.demo), c.service).Groups()
	if err != nil {
		s.warn(err)
	}
	c.instruments = persist.WithGroups(c.instruments, made)
	return s.checkGroups(c)
}

// checkGroups refuses a filter of a group that there is not.
func (s *settings) checkGroups(c *configuration) error {
	name := c.query.UnknownGroup(c.instruments)
	if name == "" {
		return nil
	}
	known := "there are none: the configuration has no [[group]], and none was made on the screen"
	if groups := c.instruments.Groups(); len(groups) > 0 {
		var names []string
		for _, g := range groups {
			names = append(names, g.Name)
		}
		known = "groups: " + strings.Join(names, ", ")
	}
	return cli.UsageError("--filter: no group has %q in its name; %s", name, known)
}

// configureWithoutService returns the configuration from the file, with the filter and the log of the flags.
func (s *settings) configureWithoutService(ctx context.Context) (*configuration, error) {
	file, err := s.readConfig(ctx)
	if err != nil {
		return nil, err
	}
	query, err := s.useFilter(&file.Screen)
	if err != nil {
		return nil, err
	}
	c := s.configurationOf(file)
	c.query = query
	return c, s.openLog(c)
}

// configurationOf returns the configuration of a file alone.
func (s *settings) configurationOf(file *config.File) *configuration {
	origin := cmp.Or(file.Path, "no file")
	if file.Profile != "" {
		origin += ", profile " + file.Profile
	}
	return &configuration{
		file: file, origin: origin, instruments: file.Instruments, demo: s.demo,
		names: s.namesFile(file), namesProblem: s.namesProblem,
		feed: feed.Config{
			Service: endpoint.Service{OnPanic: s.panics.Handle}, Logger: slog.New(slog.DiscardHandler),
			Times: file.Feed.Times, Limits: file.Feed.Limits,
		},
	}
}

// openLog makes --log-file the log of the feed.
func (s *settings) openLog(c *configuration) error {
	if s.logFile == "" {
		return nil
	}
	if err := s.openLogFile(s.logFile); err != nil {
		return err
	}
	c.closers = append(c.closers, s.closeLog)
	c.feed.Logger = s.log.Logger()
	return nil
}

// captureStandardLog makes Go's standard logger write to the log of the feed, without tokens: net/http writes to it
// what it cannot return as the error of a request.
func (c *configuration) captureStandardLog() {
	c.feed.Secrets = new(secrets.Hider)
	log.SetFlags(0)
	log.SetOutput(endpoint.StandardLog(c.feed.Logger, c.feed.Secrets))
	c.closers = append(c.closers, func() { log.SetOutput(io.Discard) })
}

// connect sets how the service is reached: its addresses, TLS, headers and token.
func (s *settings) connect(ctx context.Context, c *configuration) error {
	if s.served != nil {
		s.served.connect(c)
		return nil
	}
	if s.demo {
		return s.startDemo(c)
	}
	file := c.file
	addresses, place, err := s.addresses(file)
	if err != nil {
		return err
	}
	if file.Profile != "" && place == baseURLVariable {
		s.warn(fmt.Errorf("%s replaces the addresses of profile %s", place, file.Profile))
	}
	c.feed.BaseURLs = addresses
	c.origin += "; the address from " + place
	c.feed.Dial = s.dial
	c.feed.Compression = file.Service.Compression
	c.feed.Header, c.feed.SecretHeaders = file.Service.Header(), file.Service.SecretHeaders
	c.feed.InsecureToken = file.Service.SendTokenWithoutTLS
	if c.feed.TLS, err = credentials.TLS(ctx, file); err != nil {
		return err
	}
	if err := hidePasswordsOfProxies(s.getenv, c.feed.Secrets); err != nil {
		return cli.UsageError("%w", err)
	}
	token, place, err := credentials.Token(ctx, s.getenv, file)
	if err != nil {
		return err
	}
	if token != nil {
		c.feed.Token = token
		c.origin += "; the token from " + place
	}
	c.service = serviceName(file, addresses)
	return nil
}

// serviceName returns the name of a service on the screen; empty if it has no address.
func serviceName(file *config.File, addresses []string) string {
	if len(addresses) == 0 {
		return ""
	}
	base, err := endpoint.ParseBaseURL(addresses[0])
	if err != nil {
		return file.Service.Name
	}
	return cmp.Or(file.Service.Name, base.Host)
}

// hidePasswordsOfProxies hides the passwords of the proxies in the environment. A proxy that cannot be used is an
// error: net/http would connect without it.
func hidePasswordsOfProxies(getenv func(string) string, hider *secrets.Hider) error {
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY"} {
		if getenv(name) == "" {
			name = strings.ToLower(name) // which net/http uses then
		}
		address := getenv(name)
		if address == "" {
			continue
		}
		proxy, err := endpoint.ParseProxy(address)
		if err != nil {
			return fmt.Errorf("$%s: %w", name, err)
		}
		hider.AddPassword(proxy)
	}
	return nil
}

// baseURLVariable is the environment variable with the addresses of the service, as help and errors name it.
const baseURLVariable = "$BLOTTER_BASE_URL"

var errNoAddress = errors.New("no address of a service: set --base-url, $BLOTTER_BASE_URL or base_urls under [service] in the " +
	"configuration file, or use --demo")

// addresses returns the addresses of the service and where they come from: flags, environment or file.
func (s *settings) addresses(file *config.File) (addresses []string, place string, err error) {
	addresses, place = s.givenAddresses(file)
	for _, address := range addresses {
		if _, err := endpoint.ParseBaseURL(address); err != nil {
			return nil, "", cli.UsageError("%s: %w", place, err)
		}
	}
	if len(addresses) == 0 {
		return nil, "", cli.UsageError("%w", errNoAddress)
	}
	return addresses, place, nil
}

// givenAddresses returns the addresses as they are given, perhaps none, and where they come from.
func (s *settings) givenAddresses(file *config.File) (addresses []string, place string) {
	if len(s.baseURLs) > 0 {
		return s.baseURLs, "--base-url"
	}
	if addresses = strings.Fields(s.getenv("BLOTTER_BASE_URL")); len(addresses) > 0 {
		return addresses, baseURLVariable
	}
	return file.Service.BaseURLs, "service.base_urls"
}

// openSource returns the feed of a command: a new one, or what a trader of a desk may have of that of the desk. It is
// closed together with the configuration.
func (s *settings) openSource(c *configuration) (record.Feed, error) {
	if s.served != nil {
		return s.served.source, nil
	}
	return c.newFeed()
}

// newFeed returns a feed with this configuration. It is closed together with the configuration.
func (c *configuration) newFeed() (*feed.Feed, error) {
	source, err := feed.New(c.feed)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	c.closers = append(c.closers, source.Close)
	return source, nil
}

// newWatch returns a watch of the positions in scope. The clock is that of a replay, or nil.
func (s *settings) newWatch(source watch.Source, c *configuration, clock func() time.Time) *watch.Watch {
	subscriptions := c.scope.Subscriptions(nil, 1)
	if s.served != nil {
		subscriptions = s.served.rights.Subscriptions(c.scope, nil, 1)
	}
	return watch.New(source, subscriptions, watch.Options{
		Scope: c.scope, IsFresh: s.served != nil, Query: c.query, Instruments: c.instruments, Zone: c.file.Screen.Zone,
		Clock: clock, Limit: c.feed.Limits.Rows, Warn: s.warn,
		WatchAllIfHeldBack: c.file.Feed.WatchAllIfHeldBack && clock == nil,
	})
}
