package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"blotter/ui/command/remote/admission"
)

// The limits of clients.
const (
	handshakeTime       = 10 * time.Second // for a handshake, and for a channel until it asks for a shell
	handshakeBytes      = 64 << 10         // which a client may send before it is authenticated
	maxSessionsOfKey    = 4
	maxConnectionsOfKey = 16        // for four screens and eight commands, and some that begin or end
	maxChannels         = 32        // of one connection together
	keysPerSecond       = 50        // more wait
	inputPerSecond      = 256 << 10 // bytes
	inputBurst          = 64 << 10
	outputDeadline      = 20 * time.Second
	framesPerSecond     = 20
	stopTime            = 2 * time.Second // for clients to close their connections when the server stops
)

// Options are the settings of a server.
type Options struct {
	HostKey     ssh.Signer
	Traders     []Trader
	MaxSessions int // of all traders
	// Open returns the screen of a session. It may block, until ctx ends with the session. The error is shown to the
	// trader in one line.
	Open func(ctx context.Context, session Session) (Screen, error)
	// Run runs a command until ctx ends with the session, and returns its exit code. Nil if there are no commands.
	Run func(ctx context.Context, session Session, command string, output, errors io.Writer) (code int)
	// Report is called when a trader has connected, and with each connection that ended. It must not block.
	Report func(Connection)
	Log    *slog.Logger
	// Panics gets the stack traces of panics, and PanicsName is its name; nil if they are not kept.
	Panics     io.Writer
	PanicsName string
}

// Session is what is known of the client of a screen.
type Session struct {
	Trader      string
	Address     string // of the client
	Fingerprint string // of the key that was verified
	// Getenv returns a variable of the client's environment, or TERM; empty if it is not set, or not one of those that
	// say how its terminal draws.
	Getenv func(name string) string
	// Lines writes lines of words, if the client has no terminal for a screen; nil if it has one.
	Lines func(text string) error
}

// Screen is the screen of a session, or what writes lines of words in its place.
type Screen struct {
	Model tea.Model
	Close func() // called when the screen has ended; it waits for all that the screen has started
}

// Connection is a connection of a trader, or one that ended before its client was known to be one.
type Connection struct {
	Trader, Address, Fingerprint string // the trader is empty if no key was verified
	Begin, End                   time.Time
	Why                          string // why it ended, in words
	Denied                       int    // keys that were denied, if there is no trader: the fingerprint is of the first
	User                         string // who the client said it is, if there is no trader: at most 64 characters
}

// Stats are figures of a server.
type Stats struct {
	Sessions int   // screens and commands
	Bytes    int64 // written to clients since the start, before encryption
	Refused  int64 // connections that were not authenticated
}

// Server shows a screen to each trader who connects.
type Server struct {
	options Options
	ssh     *ssh.Server
	gate    *admission.Gate
	bytes   atomic.Int64
	refused atomic.Int64

	mu          sync.Mutex
	ctx         context.Context // of Serve
	isStopping  bool
	owners      owners
	sessions    map[*session]struct{}    // screens and commands
	starts      map[string]*rate.Limiter // how often each trader may start a command
	connections map[*connection]struct{}
	running     sync.WaitGroup // the sessions and connections
}

// NewServer returns a server. It is an error if no trader has a key, or if two have the same.
func NewServer(options Options) (*Server, error) {
	owners, err := newOwners(options.Traders)
	if err != nil {
		return nil, err
	}
	hostKey, err := secureHostKey(options.HostKey)
	if err != nil {
		return nil, fmt.Errorf("the host key: %w", err)
	}
	s := &Server{
		options: options, owners: owners, gate: admission.NewGate(rand.Float64),
		sessions: make(map[*session]struct{}), starts: make(map[string]*rate.Limiter), connections: make(map[*connection]struct{}),
	}
	s.ssh = &ssh.Server{
		HostSigners:          []ssh.Signer{hostKey},
		Version:              "blotter",
		HandshakeTimeout:     handshakeTime,
		ConnCallback:         s.accept,
		ServerConfigCallback: s.serverConfig,
		ConnectionFailedCallback: func(_ net.Conn, err error) {
			if _, ok := errors.AsType[*gossh.AlgorithmNegotiationError](err); ok { // of a trader with an old client, perhaps
				s.options.Log.Info("ssh handshake", "err", algorithms(err))
			}
		},
		ChannelHandlers:   map[string]ssh.ChannelHandler{"session": s.handleChannel},
		RequestHandlers:   map[string]ssh.RequestHandler{},
		SubsystemHandlers: map[string]ssh.SubsystemHandler{},
		Handler:           func(ssh.Session) {},
	}
	return s, nil
}

// algorithms returns the words of an error of algorithms without the client's list of them, which may be long.
func algorithms(err error) string {
	words, _, _ := strings.Cut(err.Error(), ";")
	return words
}

// Serve serves clients of a listener until ctx ends. Then it ends all sessions with words, and waits for the clients to
// close their connections, for a short time.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	serving, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.ctx = serving
	s.mu.Unlock()
	ended := make(chan error, 1)
	go func() { ended <- s.ssh.Serve(listener) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	_ = listener.Close()
	cancel()
	s.stop()
	if ctx.Err() == nil && !errors.Is(err, ssh.ErrServerClosed) {
		return err
	}
	return nil
}

// stop ends all sessions and connections, and waits for them.
func (s *Server) stop() {
	s.mu.Lock()
	s.isStopping = true
	s.mu.Unlock()
	s.endSessions(func(*session) bool { return true }, errStopping)
	s.closeConnections(func(c *connection) bool { return c.trader() == "" })
	late := time.AfterFunc(stopTime, func() { s.closeConnections(func(*connection) bool { return true }) })
	defer late.Stop()
	s.running.Wait()
	_ = s.ssh.Close()
}

// SetTraders replaces the traders. The sessions of the traders with these names, whose rights became fewer, end, and
// those of keys that no longer are theirs. If there is an error, everything stays.
func (s *Server) SetTraders(traders []Trader, withFewerRights map[string]bool) error {
	owners, err := newOwners(traders)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.owners = owners
	s.mu.Unlock()
	s.endSessions(func(each *session) bool {
		return withFewerRights[each.trader] || owners.of(each.key) != each.trader
	}, errRights)
	return nil
}

// Stats returns the figures of now.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Sessions: len(s.sessions), Bytes: s.bytes.Load(), Refused: s.refused.Load()}
}

// ownerOf returns the trader of a key; empty if no trader has it.
func (s *Server) ownerOf(key ssh.PublicKey) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.owners.of(key)
}

// addConnection adds a connection, and reports whether there may be one: not if the server stops.
func (s *Server) addConnection(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStopping {
		return false
	}
	s.connections[c] = struct{}{}
	s.running.Add(1)
	return true
}

func (s *Server) removeConnection(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.connections, c)
	s.running.Done()
}

// assign makes a connection one of the trader who has a key. It returns false if no trader has it, or too many
// connections have this key.
func (s *Server) assign(c *connection, key ssh.PublicKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ofKey := 0
	for each := range s.connections {
		if each.isOf(key) {
			ofKey++
		}
	}
	trader := s.owners.of(key)
	if trader == "" || ofKey == maxConnectionsOfKey {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owner, c.key = trader, key
	return true
}

// closeConnections closes the connections for which match returns true.
func (s *Server) closeConnections(match func(*connection) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for each := range s.connections {
		if match(each) {
			_ = each.Conn.Close()
		}
	}
}

// endSessions ends the sessions for which match returns true.
func (s *Server) endSessions(match func(*session) bool, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for each := range s.sessions {
		if match(each) {
			each.end(why)
		}
	}
}

// addSession adds a session, or returns why there are too many.
func (s *Server) addSession(session *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	ofKey, ofAll := 0, 0
	for each := range s.sessions {
		if each.isCommand {
			continue
		}
		if ofAll++; each.fingerprint == session.fingerprint {
			ofKey++
		}
	}
	switch {
	case s.isStopping:
		return errStopping
	case s.owners.of(session.key) != session.trader:
		return errRights
	case ofKey >= maxSessionsOfKey:
		return errSessionsOfKey
	case ofAll >= s.options.MaxSessions:
		return errSessions
	}
	s.sessions[session] = struct{}{}
	return nil
}

// remove removes a session that has ended, or ends. It may be called again.
func (s *Server) remove(session *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, session)
}

// begin counts a channel, and reports whether there may be one: not if the server stops.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isStopping {
		s.running.Add(1)
	}
	return !s.isStopping
}

func (s *Server) hasSessions(c *connection) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for each := range s.sessions {
		if each.connection == c {
			return true
		}
	}
	return false
}
