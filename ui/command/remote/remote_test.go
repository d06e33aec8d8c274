package remote

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	gossh "golang.org/x/crypto/ssh"

	"blotter/feed/sim/memnet"
	"blotter/ui/input"
)

// newKey returns a key of a client. Keys of different seeds are different.
func newKey(t testing.TB, seed byte) gossh.Signer {
	t.Helper()
	key, err := gossh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// screen is a screen that shows its trader and size, counts keys, and fails when it is asked to.
type screen struct {
	of    string
	size  atomic.Pointer[tea.WindowSizeMsg]
	keys  atomic.Int64
	turns atomic.Int64 // of the wheel
}

func (s *screen) Init() tea.Cmd { return nil }

func (s *screen) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	switch message := message.(type) {
	case tea.WindowSizeMsg:
		s.size.Store(&message)
	case input.Wheel:
		s.turns.Add(int64(message.Turns))
	case tea.KeyPressMsg:
		s.keys.Add(1)
		switch message.String() {
		case "q":
			return s, tea.Quit
		case "u":
			panic("in Update")
		case "c":
			return s, func() tea.Msg { panic("in a command") }
		case "ctrl+z":
			return s, tea.Suspend
		}
	}
	return s, nil
}

func (s *screen) View() tea.View {
	if size := s.size.Load(); size != nil && size.Width == 13 {
		panic("in View")
	}
	view := tea.NewView(s.of + " keys=" + strings.Repeat("k", int(s.keys.Load()%50)) + "|")
	view.AltScreen = true
	return view
}

// desk is a server that clients connect to through memory.
type desk struct {
	*Server
	listener *memnet.Listener
	stop     func()
	mu       sync.Mutex
	reports  []Connection
	opened   []Session
	screens  []*screen
	closed   int
}

// newDesk returns a server with traders "one" and "two", who have the keys of seed 1 and 2.
// The functions wrap its listener.
func newDesk(t *testing.T, change func(*Options), wrap ...func(net.Listener) net.Listener) *desk {
	t.Helper()
	d := &desk{listener: memnet.Listen()}
	options := Options{
		HostKey: newKey(t, 99), MaxSessions: 128, Log: slog.New(slog.DiscardHandler),
		Traders: []Trader{{"one", []gossh.PublicKey{newKey(t, 1).PublicKey()}}, {"two", []gossh.PublicKey{newKey(t, 2).PublicKey()}}},
		Open:    d.open,
		Report: func(c Connection) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.reports = append(d.reports, c)
		},
	}
	if change != nil {
		change(&options)
	}
	var err error
	if d.Server, err = NewServer(options); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	var listener net.Listener = d.listener
	for _, each := range wrap {
		listener = each(listener)
	}
	go func() { served <- d.Serve(ctx, listener) }()
	d.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(d.stop)
	return d
}

func (d *desk) open(_ context.Context, session Session) (Screen, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	model := &screen{of: session.Trader}
	d.opened, d.screens = append(d.opened, session), append(d.screens, model)
	return Screen{model, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.closed++
	}}, nil
}

// dial connects a client.
func (d *desk) dial(t *testing.T, auth ...gossh.AuthMethod) (*gossh.Client, error) {
	t.Helper()
	conn, err := d.listener.DialContext(t.Context(), "tcp", "desk:2222")
	if err != nil {
		t.Fatal(err)
	}
	c, channels, requests, err := gossh.NewClientConn(conn, "desk:2222", &gossh.ClientConfig{
		User: "anyone", Auth: auth, HostKeyCallback: gossh.FixedHostKey(newKey(t, 99).PublicKey()),
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	client := gossh.NewClient(c, channels, requests)
	t.Cleanup(func() { client.Close() })
	return client, nil
}

// connect connects a client with the key of a seed.
func (d *desk) connect(t *testing.T, seed byte) *gossh.Client {
	t.Helper()
	client, err := d.dial(t, gossh.PublicKeys(newKey(t, seed)))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// display is the terminal of a client with a screen.
type display struct {
	*gossh.Session
	input io.Writer
	mu    sync.Mutex
	text  strings.Builder
}

func (o *display) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// show opens a channel with a terminal and a screen.
func show(t *testing.T, client *gossh.Client) *display {
	t.Helper()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	o := &display{Session: session}
	session.Stdout = o
	if o.input, err = session.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 24, 80, nil); err != nil {
		t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		t.Fatal(err)
	}
	return o
}

// press sends bytes of keys.
func (o *display) press(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(o.input, keys); err != nil {
		t.Fatal(err)
	}
}

// has reports whether the terminal has got a text.
func (o *display) has(text string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Contains(ansi.Strip(o.text.String()), text)
}

// until waits in a bubble until condition returns true.
func until(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for range 1000 {
		synctest.Wait()
		if condition() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("not seen: %s", what)
}

// lastReport returns the last report of a connection that ended.
func (d *desk) lastReport() Connection {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.reports) == 0 {
		return Connection{}
	}
	return d.reports[len(d.reports)-1]
}

func TestATraderSeesAScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		client := d.connect(t, 1)
		o := show(t, client)
		until(t, "the screen of the trader", func() bool { return o.has("one keys=") })
		if stats := d.Stats(); stats.Sessions != 1 || stats.Bytes == 0 {
			t.Errorf("%+v", stats)
		}
		if err := o.WindowChange(30, 100); err != nil {
			t.Fatal(err)
		}
		wide := tea.WindowSizeMsg{Width: 100, Height: 30}
		until(t, "the new size", func() bool { return *d.screens[0].size.Load() == wide })
		o.press(t, "q")
		if err := o.Wait(); err != nil {
			t.Errorf("after q the status is %v", err)
		}
		client.Close()
		until(t, "the report", func() bool { return d.lastReport().Trader != "" })
		got, fingerprint := d.lastReport(), gossh.FingerprintSHA256(newKey(t, 1).PublicKey())
		if got.Trader != "one" || got.Why != "quit" || got.Fingerprint != fingerprint || got.Address == "" || got.End.Before(got.Begin) {
			t.Errorf("%+v", got)
		}
		if d.closed != 1 || d.Stats().Sessions != 0 {
			t.Errorf("%d screens closed, %+v", d.closed, d.Stats())
		}
	})
}

func TestOnlyPublicKeysOfTraders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		challenge := func(string, string, []string, []bool) ([]string, error) { return nil, nil }
		for name, auth := range map[string][]gossh.AuthMethod{
			"none":                 nil,
			"password":             {gossh.Password("secret")},
			"keyboard-interactive": {gossh.KeyboardInteractive(challenge)},
			"unknown key":          {gossh.PublicKeys(newKey(t, 7))},
		} {
			if _, err := d.dial(t, auth...); err == nil {
				t.Errorf("%s: accepted", name)
			}
		}
		until(t, "four reports", func() bool { return d.Stats().Refused == 4 })
		if got := d.lastReport(); got.Trader != "" || got.End.IsZero() {
			t.Errorf("%+v", got)
		}
	})
}

// offeredOnly is a key that a client offers and cannot use.
type offeredOnly struct{ gossh.Signer }

func (offeredOnly) Sign(io.Reader, []byte) (*gossh.Signature, error) {
	return nil, errors.New("the private key is of another person")
}

func TestAnOfferedKeyIsNotEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		if _, err := d.dial(t, gossh.PublicKeys(offeredOnly{newKey(t, 1)})); err == nil {
			t.Error("accepted")
		}
	})
}

// TestTheVerifiedKeyCounts if a client offers the public keys of other traders before and after it.
func TestTheVerifiedKeyCounts(t *testing.T) {
	d := newDesk(t, nil)
	_, server := net.Pipe()
	c := &connection{Conn: server, server: d.Server, entry: d.gate.Enter(netip.Addr{}, func() {})}
	config := c.authentication()
	for _, seed := range []byte{1, 2, 1} {
		permissions, err := config.PublicKeyCallback(nil, newKey(t, seed).PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if seed != 2 {
			continue
		}
		if _, err := config.VerifiedPublicKeyCallback(nil, newKey(t, seed).PublicKey(), permissions, ""); err != nil {
			t.Fatal(err)
		}
	}
	if c.trader() != "two" {
		t.Errorf("the trader is %q", c.trader())
	}
}

func TestOnlyAShellIfThereAreNoCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		client := d.connect(t, 1)
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		for name, try := range map[string]func() error{
			"subsystem":      func() error { return session.RequestSubsystem("sftp") },
			"PATH":           func() error { return session.Setenv("PATH", "/tmp") },
			"TERM as env":    func() error { return session.Setenv("TERM", "x") },
			"long LANG":      func() error { return session.Setenv("LANG", strings.Repeat("x", 300)) },
			"control bytes":  func() error { return session.Setenv("LANG", "a\x1b[2J") },
			"direct-tcpip":   func() error { _, err := client.Dial("tcp", "127.0.0.1:80"); return err },
			"tcpip-forward":  func() error { _, err := client.Listen("tcp", "127.0.0.1:80"); return err },
			"agent":          func() error { return request(session, "auth-agent-req@openssh.com") },
			"X11":            func() error { return request(session, "x11-req") },
			"signal":         func() error { return request(session, "signal") },
			"wrong terminal": func() error { return session.RequestPty("xterm\x1b", 24, 80, nil) },
		} {
			if err := try(); err == nil {
				t.Errorf("%s: accepted", name)
			}
		}
		other, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Start("id"); err == nil {
			t.Error("exec: accepted")
		}
		for _, name := range []string{"LANG", "LC_ALL", "COLORTERM", "NO_COLOR"} {
			if err := session.Setenv(name, "C.UTF-8"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := session.Shell(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if len(d.opened) != 1 || d.opened[0].Lines == nil {
			t.Errorf("without a terminal: %v", d.opened)
		}
	})
}

// request sends a request of a channel, and returns an error if it is refused.
func request(session *gossh.Session, name string) error {
	ok, err := session.SendRequest(name, true, nil)
	if err == nil && !ok {
		return errors.New("refused")
	}
	return err
}

func TestTheEnvironmentOfTheClient(t *testing.T) {
	t.Setenv("COLORTERM", "of the server")
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		o := show(t, d.connect(t, 1))
		until(t, "the screen", func() bool { return o.has("one keys=") })
		if got := d.opened[0].Getenv("TERM"); got != "xterm-256color" {
			t.Errorf("TERM is %q", got)
		}
		if got := d.opened[0].Getenv("COLORTERM"); got != "" {
			t.Errorf("COLORTERM is %q", got)
		}
	})
}

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		columns, rows uint32
		want          size
	}{
		{0, 0, size{80, 24}}, {1, 1, size{1, 1}}, {0, 5, size{80, 5}}, {65535, 65535, size{400, 120}},
		{1<<32 - 1, 1<<32 - 1, size{400, 120}},
	} {
		if got := (size{80, 24}).bounded(test.columns, test.rows); got != test.want {
			t.Errorf("%d x %d: %v, not %v", test.columns, test.rows, got, test.want)
		}
	}
}

// TestOneScreenFailsAlone after a panic in each place, and after bytes that libraries could fail for.
func TestOneScreenFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var trace bytes.Buffer
		d := newDesk(t, func(o *Options) { o.Panics, o.PanicsName = &trace, "a log" })
		stays := show(t, d.connect(t, 2))
		until(t, "the screen that stays", func() bool { return stays.has("two keys=") })
		for name, fail := range map[string]func(*display){
			"in Update":    func(o *display) { o.press(t, "u") },
			"in a command": func(o *display) { o.press(t, "c") },
			"in View":      func(o *display) { _ = o.WindowChange(9, 13) },
		} {
			client := d.connect(t, 1)
			o := show(t, client)
			until(t, "a screen", func() bool { return o.has("one keys=") })
			fail(o)
			if err := o.Wait(); err == nil {
				t.Errorf("%s: ended with status 0", name)
			}
			if !o.has("internal error") || !strings.Contains(trace.String(), "panic: "+name) {
				t.Errorf("%s: the trader sees %q, the log has %q", name, o.text.String(), &trace)
			}
			client.Close()
		}
		o := show(t, d.connect(t, 1))
		o.press(t, "\x1b["+strings.Repeat("1;", 40)+"m\x1b]52;"+strings.Repeat("x", 9999)+"\x07\x1bP\xff\x00k")
		until(t, "a key after what is no key", func() bool { return o.has("keys=k") })
		stays.press(t, "k")
		until(t, "a key of the other trader", func() bool { return d.screens[0].keys.Load() == 1 })
	})
}

func TestNobodySuspendsTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		o := show(t, d.connect(t, 1))
		o.press(t, "\x1ak")
		until(t, "a key after ctrl+z", func() bool { return d.screens[0].keys.Load() == 2 })
	})
}

func TestKeysAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		o := show(t, d.connect(t, 1))
		until(t, "the screen", func() bool { return o.has("one keys=") })
		o.press(t, strings.Repeat("k", 1000))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := d.screens[0].keys.Load(); got < 2*keysPerSecond || got > 3*keysPerSecond+1 {
			t.Errorf("%d keys were handled in two seconds", got)
		}
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if got := d.screens[0].keys.Load(); got != 1000 {
			t.Errorf("%d of 1,000 keys were handled at last", got)
		}
	})
}

func TestSessionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, func(o *Options) { o.MaxSessions = 5 })
		one := d.connect(t, 1)
		for range maxSessionsOfKey {
			o := show(t, one)
			until(t, "a screen", func() bool { return o.has("one keys=") })
		}
		o := show(t, d.connect(t, 1))
		until(t, "too many of this key", func() bool { return o.has("too many sessions with this key") })
		two := d.connect(t, 2)
		o = show(t, two)
		until(t, "a screen of another trader", func() bool { return o.has("two keys=") })
		o = show(t, two)
		until(t, "too many of all", func() bool { return o.has("too many sessions on this server") })
		for range maxConnectionsOfKey {
			if _, err := d.dial(t, gossh.PublicKeys(newKey(t, 1))); err != nil {
				return
			}
		}
		t.Error("connections of a key without sessions are not bounded")
	})
}

func TestAShellMustBeRequestedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		channel, _, err := d.connect(t, 1).OpenChannel("session", nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(handshakeTime + time.Second)
		synctest.Wait()
		if _, err := channel.SendRequest("shell", true, nil); err == nil {
			t.Error("the channel is still open")
		}
	})
}

func TestOtherTraders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		one, two := show(t, d.connect(t, 1)), show(t, d.connect(t, 2))
		until(t, "both screens", func() bool { return one.has("one keys=") && two.has("two keys=") })
		key := newKey(t, 1).PublicKey()
		if err := d.SetTraders([]Trader{{"one", []gossh.PublicKey{key}}, {"three", []gossh.PublicKey{key}}}, nil); err == nil {
			t.Error("a key of two traders is accepted")
		}
		synctest.Wait()
		if d.Stats().Sessions != 2 {
			t.Error("wrong traders ended a session")
		}
		if err := d.SetTraders([]Trader{{"one", []gossh.PublicKey{key}}}, nil); err != nil {
			t.Fatal(err)
		}
		until(t, "the end of the trader whose key was removed", func() bool { return two.has("have changed") })
		if err := two.Wait(); err == nil {
			t.Error("ended with status 0")
		}
		if one.press(t, "k"); d.Stats().Sessions != 1 {
			t.Error("the other trader's session ended too")
		}
		if err := d.SetTraders([]Trader{{"one", []gossh.PublicKey{key}}}, map[string]bool{"one": true}); err != nil {
			t.Fatal(err)
		}
		until(t, "the end of the trader who may see less", func() bool { return one.has("have changed") })
	})
}

func TestAnErrorOfTheScreenIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, func(o *Options) {
			o.Open = func(context.Context, Session) (Screen, error) { return Screen{}, errors.New("no \x1b[2J screen") }
		})
		o := show(t, d.connect(t, 1))
		if err := o.Wait(); err == nil || !strings.Contains(o.text.String(), `blotter: no `) || strings.Contains(o.text.String(), "\x1b") {
			t.Errorf("%v, %q", err, o.text.String())
		}
	})
}

// stuckChannel is a channel whose client does not read.
type stuckChannel struct {
	gossh.Channel
	closed chan struct{}
}

func (c *stuckChannel) Write([]byte) (int, error) {
	<-c.closed
	return 0, io.ErrClosedPipe
}

// stuckConn is the connection of a stuckChannel.
type stuckConn struct {
	net.Conn
	closed chan struct{}
}

func (c stuckConn) Close() error {
	close(c.closed)
	return nil
}

// TestAClientThatDoesNotReadIsDisconnected: the renderer of the screen would wait for it without an end.
func TestAClientThatDoesNotReadIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan struct{})
		s := &session{
			server: new(Server), channel: &stuckChannel{closed: closed},
			connection: &connection{Conn: stuckConn{closed: closed}},
		}
		s.ctx, s.end = context.WithCancelCause(t.Context())
		begin := time.Now()
		if _, err := (&output{s, s.channel}).Write([]byte("x")); err == nil || time.Since(begin) != outputDeadline || s.why() != errSlow {
			t.Errorf("%v after %v, because %v", err, time.Since(begin), s.why())
		}
	})
}

func TestKeysOfAuthorizedKeys(t *testing.T) {
	line := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(newKey(t, 1).PublicKey())))
	for text, want := range map[string]int{
		line: 1, line + " a comment\r\n\r\n# nothing\n" + line: 2, "": 0, " \t\n": 0,
	} {
		if keys, err := ParseKeys(text); err != nil || len(keys) != want {
			t.Errorf("%q: %d keys, %v", text, len(keys), err)
		}
	}
	for text, want := range map[string]string{
		"ssh-ed25519":                    "line 1: not a public key",
		"\nssh-ed25519 AAAA":             "line 2: not a public key",
		`from="10.0.0.1" ` + line:        "options of a key",
		`command="id",no-pty ` + line:    "options of a key",
		"-----BEGIN OPENSSH PRIVATE KEY": "not a public key",
		strings.Repeat(line+"\n", 33):    "more than 32 keys",
	} {
		if _, err := ParseKeys(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAServerNeedsATrader(t *testing.T) {
	key := newKey(t, 1).PublicKey()
	for want, traders := range map[string][]Trader{
		"no trader has a key": {{Name: "one"}},
		"have the same key":   {{"one", []gossh.PublicKey{key}}, {"two", []gossh.PublicKey{key}}},
	} {
		if _, err := NewServer(Options{HostKey: newKey(t, 9), Traders: traders}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
