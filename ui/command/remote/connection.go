package remote

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"blotter/model"
	"blotter/ui/command/remote/admission"
)

type connection struct {
	net.Conn
	server    *Server
	entry     *admission.Entry
	begin     time.Time
	line      []byte       // what was read for the identification line, and is to be read again
	remaining atomic.Int64 // bytes that may be read before the key is verified
	channels  atomic.Int32 // that are open
	pulse     pulse
	closed    sync.Once

	mu     sync.Mutex
	owner  string        // the trader; empty before the key is verified
	key    ssh.PublicKey // that was verified
	why    string        // why it ended, or its last session
	denied int           // keys
	first  ssh.PublicKey // of them
	user   string        // who the client says it is
}

type connectionKey struct{}

// accept waits for the identification line of a client and for a place, and returns the connection with limits; nil if
// it gets none.
func (s *Server) accept(ctx ssh.Context, conn net.Conn) net.Conn {
	c := &connection{Conn: conn, server: s, begin: time.Now(), pulse: newPulse()}
	if !s.addConnection(c) {
		return nil
	}
	c.remaining.Store(handshakeBytes)
	ctx.SetValue(connectionKey{}, c)
	address, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	c.entry = s.gate.Enter(address.Addr(), func() { _ = conn.Close() })
	err := c.readLine()
	if err == nil {
		err = c.entry.Identified(s.ctx)
	}
	if err != nil {
		c.setWhy(err.Error())
		_ = c.Close()
		return nil
	}
	return c
}

// maxLine is how many bytes of an identification line are read. A longer one is refused later.
const maxLine = 255

// readLine reads the identification line, which Read returns again.
func (c *connection) readLine() error {
	var read [maxLine]byte
	n := 0
	for n < len(read) && !bytes.Contains(read[:n], []byte{'\n'}) {
		more, err := c.Conn.Read(read[n:])
		if n += more; err != nil {
			return errNoLine
		}
		if !bytes.HasPrefix(read[:n], []byte("SSH-")[:min(n, 4)]) {
			return errNoLine
		}
	}
	c.line = read[:n]
	return nil
}

// serverConfig returns how the client of a connection is authenticated.
func (s *Server) serverConfig(ctx ssh.Context) *gossh.ServerConfig {
	return ctx.Value(connectionKey{}).(*connection).authentication()
}

// authentication returns how the client is authenticated: with the public key of a trader alone.
func (c *connection) authentication() *gossh.ServerConfig {
	return &gossh.ServerConfig{
		Config:                  secureConfig(),
		PublicKeyAuthAlgorithms: gossh.SupportedAlgorithms().PublicKeyAuths,
		PublicKeyCallback: func(client gossh.ConnMetadata, key gossh.PublicKey) (*gossh.Permissions, error) {
			if c.server.ownerOf(key) == "" {
				return nil, c.deny(client, key)
			}
			return &gossh.Permissions{}, nil
		},
		// A client may offer several keys, and the callback above is called with each. This one is called with the key
		// whose signature was verified.
		VerifiedPublicKeyCallback: func(
			client gossh.ConnMetadata, key gossh.PublicKey, permissions *gossh.Permissions, _ string,
		) (*gossh.Permissions, error) {
			if !c.verify(key) {
				return nil, c.deny(client, key)
			}
			return permissions, nil
		},
	}
}

// maxUser is how many characters of the name of a user are kept.
const maxUser = 64

// deny counts a key that is denied, and returns the error for the client.
func (c *connection) deny(client gossh.ConnMetadata, key ssh.PublicKey) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.denied++; c.first == nil {
		c.first = key
		c.user = fmt.Sprintf("%.*s", maxUser, model.Neutralise(fmt.Sprintf("%.*s", maxUser, client.User())))
	}
	return ssh.ErrPermissionDenied
}

// verify sets the trader of a connection, whose client has the key. It returns false if no trader has this key any
// more, or too many connections are open with it.
func (c *connection) verify(key ssh.PublicKey) bool {
	if !c.server.assign(c, key) {
		return false
	}
	c.remaining.Store(math.MaxInt64)
	c.entry.SignedIn()
	report := c.report()
	report.Why = "connected"
	c.server.options.Report(report)
	return true
}

// trader returns the trader; empty before the key is verified.
func (c *connection) trader() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owner
}

// isOf reports whether a key was verified.
func (c *connection) isOf(key ssh.PublicKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.key != nil && bytes.Equal(c.key.Marshal(), key.Marshal())
}

// Read reads from the client. Before its key is verified, it may send only a bounded number of bytes.
func (c *connection) Read(p []byte) (n int, err error) {
	if len(c.line) > 0 {
		n = copy(p, c.line)
		c.line = c.line[n:]
	} else {
		n, err = c.Conn.Read(p)
	}
	if c.remaining.Add(-int64(n)) < 0 {
		c.setWhy(errHandshake.Error())
		return 0, errors.Join(errHandshake, c.Conn.Close())
	}
	return n, err
}

// Close closes the connection, and reports its end.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.closed.Do(func() {
		c.entry.Leave()
		report := c.report()
		report.End = time.Now()
		if report.Trader == "" {
			c.server.refused.Add(1)
		}
		c.server.options.Report(report)
		c.server.removeConnection(c)
	})
	return err
}

func (c *connection) report() Connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	report := Connection{
		Trader: c.owner, Address: c.RemoteAddr().String(), Begin: c.begin, Why: cmp.Or(c.why, "disconnected"),
	}
	switch {
	case c.owner != "":
		report.Fingerprint = gossh.FingerprintSHA256(c.key)
	case c.denied > 0:
		report.Denied, report.User, report.Fingerprint = c.denied, c.user, gossh.FingerprintSHA256(c.first)
	}
	return report
}

// setWhy keeps why the connection or one of its sessions ended, for the report.
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
	errSilent        = fmt.Errorf("the client did not answer for %s", silenceTime)
	errReplaced      = errors.New("the client did not answer, and another one with this key needs its place")
	errNoLine        = errors.New("no identification line of SSH")
	errHandshake     = errors.New("too much was sent before the authentication")
	errGone          = errors.New("disconnected")
	errInternal      = errors.New("internal error; the log of the server has it")
	errCommands      = fmt.Errorf("%d commands of this trader run already", maxCommandsOfTrader)
	errCommandLine   = fmt.Errorf("the command line has more than %d bytes", maxCommand)
	errNoShell       = errors.New("neither a shell nor a command was requested in time")
)
