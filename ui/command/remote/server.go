package remote

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
)

// The limits of clients.
const (
	maxHandshakes       = 32               // connections that are not authenticated yet
	handshakeTime       = 10 * time.Second // for one of them, and for a channel until it asks for a shell
	handshakeBytes      = 64 << 10         // which a client may send before it is authenticated
	maxSessionsOfKey    = 4
	maxConnectionsOfKey = 8
	maxChannels         = 32        // of one connection, one after the other or together
	keysPerSecond       = 50        // more wait
	inputPerSecond      = 256 << 10 // bytes
	inputBurst          = 64 << 10
	outputDeadline      = 20 * time.Second
	framesPerSecond     = 20
)

// Options are the settings of a server.
type Options struct {
	HostKey     ssh.Signer
	Traders     []Trader
	MaxSessions int // of all traders
	// Open returns the screen of a session. It may block, until ctx ends with the session. The error is shown to the
	// trader in one line.
	Open func(ctx context.Context, session Session) (Screen, error)
	// Report is called with each connection that ended. It must not block for long.
	Report func(Connection)
	Log    *slog.Logger // gets the errors of handshakes
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
}

// Screen is the screen of a session.
type Screen struct {
	Model tea.Model
	Close func() // called when the screen has ended; it waits for all that the screen has started
}

// Connection is a connection that ended.
type Connection struct {
	Trader, Address, Fingerprint string // the trader and the fingerprint are empty if no key was verified
	Begin, End                   time.Time
	Why                          string // why it ended, in words
}

// Stats are figures of a server.
type Stats struct {
	Sessions int
	Bytes    int64 // written to clients since the start, before encryption
	Refused  int64 // connections that were not authenticated
}

// Server shows a screen to each trader who connects.
type Server struct {
	options    Options
	ssh        *ssh.Server
	handshakes chan struct{} // has room for connections that are not authenticated
	bytes      atomic.Int64
	refused    atomic.Int64

	mu       sync.Mutex
	ctx      context.Context // of Serve
	owners   owners
	sessions map[*session]bool
	open     map[string]int // the number of connections of each key
	running  sync.WaitGroup // the sessions
}

// NewServer returns a server. It is an error if no trader has a key, or if two have the same.
func NewServer(options Options) (*Server, error) {
	owners, err := newOwners(options.Traders)
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: options, owners: owners, handshakes: make(chan struct{}, maxHandshakes),
		sessions: make(map[*session]bool), open: make(map[string]int),
	}
	s.ssh = &ssh.Server{
		HostSigners:              []ssh.Signer{options.HostKey},
		Version:                  "blotter",
		HandshakeTimeout:         handshakeTime,
		ConnCallback:             s.accept,
		ServerConfigCallback:     s.serverConfig,
		ConnectionFailedCallback: func(_ net.Conn, err error) { s.options.Log.Info("ssh handshake", "err", err) },
		ChannelHandlers:          map[string]ssh.ChannelHandler{"session": s.handleChannel},
		RequestHandlers:          map[string]ssh.RequestHandler{},
		SubsystemHandlers:        map[string]ssh.SubsystemHandler{},
		Handler:                  func(ssh.Session) {},
	}
	return s, nil
}

// Serve serves clients of a listener until ctx ends. Then it ends all sessions with words, and waits for them.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()
	ended := make(chan error, 1)
	go func() { ended <- s.ssh.Serve(listener) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	_ = listener.Close()
	s.endSessions(func(*session) bool { return true }, errStopping)
	s.running.Wait()
	_ = s.ssh.Close()
	if ctx.Err() == nil && !errors.Is(err, ssh.ErrServerClosed) {
		return err
	}
	return nil
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

// addConnection counts a connection of a key, and reports whether there may be another one.
func (s *Server) addConnection(key ssh.PublicKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := string(key.Marshal())
	if s.open[id] >= maxConnectionsOfKey {
		return false
	}
	s.open[id]++
	return true
}

// removeConnection counts a connection of a key that was closed.
func (s *Server) removeConnection(key ssh.PublicKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := string(key.Marshal())
	if s.open[id]--; s.open[id] == 0 {
		delete(s.open, id)
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
	ofKey := 0
	for each := range s.sessions {
		if each.fingerprint == session.fingerprint {
			ofKey++
		}
	}
	switch {
	case s.ctx.Err() != nil:
		return errStopping
	case s.owners.of(session.key) != session.trader:
		return errRights
	case ofKey >= maxSessionsOfKey:
		return errSessionsOfKey
	case len(s.sessions) >= s.options.MaxSessions:
		return errSessions
	}
	s.sessions[session] = true
	s.running.Add(1)
	return nil
}

// remove removes a session that has ended.
func (s *Server) remove(session *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, session)
	s.running.Done()
}
