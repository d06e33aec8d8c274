package remote

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// connection is a connection of a client.
type connection struct {
	net.Conn
	server    *Server
	begin     time.Time
	remaining atomic.Int64 // bytes that may be read before the key is verified
	channels  atomic.Int32 // that were opened

	leaveHandshakes func() // makes room for another connection; may be called again
	closed          sync.Once

	mu     sync.Mutex
	trader string        // empty before the key is verified
	key    ssh.PublicKey // that was verified
	why    string        // why its last session ended
}

// connectionKey is the key of the connection in its context.
type connectionKey struct{}

// accept returns a connection with limits; nil if too many are open, or not authenticated.
func (s *Server) accept(ctx ssh.Context, conn net.Conn) net.Conn {
	select {
	case s.handshakes <- struct{}{}:
	default:
		s.refused.Add(1)
		return nil
	}
	c := &connection{Conn: conn, server: s, begin: time.Now(), leaveHandshakes: sync.OnceFunc(func() { <-s.handshakes })}
	c.remaining.Store(handshakeBytes)
	ctx.SetValue(connectionKey{}, c)
	return c
}

// serverConfig returns how the client of a connection is authenticated.
func (s *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	return ctx.Value(connectionKey{}).(*connection).authentication()
}

// authentication returns how the client is authenticated: with the public key of a trader alone.
func (c *connection) authentication() *gossh.ServerConfig {
	return &gossh.ServerConfig{
		PublicKeyCallback: func(_ gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
			if c.server.ownerOf(key) == "" {
				return nil, ssh.ErrPermissionDenied
			}
			return &gossh.Permissions{}, nil
		},
		// A client may offer several keys, and the callback above is called with each. This one is called with the key
		// whose signature was verified.
		VerifiedPublicKeyCallback: func(
			_ gossh.ConnMetadata, key gossh.PublicKey, permissions *gossh.Permissions, _ string,
		) (*gossh.Permissions, error) {
			return permissions, c.verify(key)
		},
	}
}

// verify sets the trader of a connection, whose client has the key. It is an error if no trader has this key any more,
// or too many connections are open with it.
func (c *connection) verify(key ssh.PublicKey) error {
	trader := c.server.ownerOf(key)
	if trader == "" || !c.server.addConnection(key) {
		return ssh.ErrPermissionDenied
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trader, c.key = trader, key
	c.remaining.Store(math.MaxInt64)
	c.leaveHandshakes()
	return nil
}

// Read reads from the client. Before its key is verified, it may send only a bounded number of bytes.
func (c *connection) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.remaining.Add(-int64(n)) < 0 {
		return 0, errors.Join(errHandshake, c.Conn.Close())
	}
	return n, err
}

// Close closes the connection, and reports its end.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.closed.Do(func() {
		c.leaveHandshakes()
		c.mu.Lock()
		defer c.mu.Unlock()
		report := Connection{Trader: c.trader, Address: c.RemoteAddr().String(), Begin: c.begin, End: time.Now(), Why: c.why}
		switch {
		case c.trader == "":
			c.server.refused.Add(1)
			report.Why = "not authenticated"
		default:
			c.server.removeConnection(c.key)
			report.Fingerprint = gossh.FingerprintSHA256(c.key)
			report.Why = cmp.Or(report.Why, "disconnected")
		}
		c.server.options.Report(report)
	})
	return err
}

// setWhy keeps why a session of the connection ended, for the report.
func (c *connection) setWhy(words string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.why = words
}

// The reasons for the end of a session. All but those before a shell are shown to the trader.
var (
	errStopping      = errors.New("the server stops")
	errRights        = errors.New("the rights or the key of the trader have changed")
	errSessions      = errors.New("too many sessions on this server")
	errSessionsOfKey = errors.New("too many sessions with this key")
	errSlow          = fmt.Errorf("the client did not read for %s", outputDeadline)
	errHandshake     = errors.New("too much was sent before the authentication")
	errGone          = errors.New("disconnected")
	errInternal      = errors.New("internal error; the log of the server has it")
	errNoTerminal    = errors.New("a terminal is needed: connect with ssh -t, and with a TERM that is not dumb")
	errNoShell       = errors.New("no shell was requested in time")
)
