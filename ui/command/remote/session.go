package remote

import (
	"context"
	"errors"
	"sync"
	"time"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// session is a channel of a client that shows a screen or runs a command, or will.
type session struct {
	server      *Server
	connection  *connection
	channel     gossh.Channel
	trader      string
	key         ssh.PublicKey
	fingerprint string

	ctx context.Context // ends with the session; its cause is why
	end context.CancelCauseFunc

	environment environment
	size        size      // that the client has sent last
	sizes       chan size // the newest size that the screen does not have yet
	hasTerminal bool
	hasBegun    bool   // a shell or a command was requested
	command     string // that runs in place of a screen
	isCommand   bool
	ran         chan struct{}  // closed when the screen or the command has ended
	reader      sync.WaitGroup // of the input of a session without a screen
}

// handleChannel handles a channel that a client opens, until it is closed.
func (s *Server) handleChannel(_ *ssh.Server, client *gossh.ServerConn, opened gossh.NewChannel, ctx ssh.Context) {
	if !s.begin() {
		_ = opened.Reject(gossh.Prohibited, errStopping.Error())
		return
	}
	defer s.running.Done()
	c := ctx.Value(connectionKey{}).(*connection)
	s.startPulse(ctx, c, client)
	defer c.channels.Add(-1)
	if c.channels.Add(1) > maxChannels {
		_ = opened.Reject(gossh.ResourceShortage, "too many channels on this connection")
		return
	}
	channel, requests, err := opened.Accept()
	if err != nil {
		s.options.Log.Info("ssh channel", "err", err)
		return
	}
	session := s.newSession(ctx, c, channel)
	late := time.AfterFunc(handshakeTime, func() {
		session.end(errNoShell)
		_ = channel.Close()
	})
	for request := range requests {
		isAccepted := session.handle(request)
		if request.WantReply {
			_ = request.Reply(isAccepted, nil)
		}
		if isAccepted && (request.Type == "shell" || request.Type == "exec") {
			late.Stop()
			go session.run(session.size)
		}
	}
	late.Stop()
	session.end(errGone)
	if session.hasBegun {
		<-session.ran
	}
}

func (s *Server) newSession(ctx ssh.Context, c *connection, channel gossh.Channel) *session {
	session := &session{
		server: s, connection: c, channel: channel, trader: c.trader(), key: c.key, fingerprint: gossh.FingerprintSHA256(c.key),
		environment: make(environment), size: size{80, 24}, sizes: make(chan size, 1), ran: make(chan struct{}),
	}
	session.ctx, session.end = context.WithCancelCause(ctx)
	return session
}

// handle handles a request of the client before or while the screen is shown, and reports whether it is accepted.
func (s *session) handle(request *gossh.Request) bool {
	switch request.Type {
	case "pty-req":
		return s.setTerminal(request.Payload)
	case "env":
		var variable struct{ Name, Value string }
		return !s.hasBegun && gossh.Unmarshal(request.Payload, &variable) == nil &&
			variable.Name != "TERM" && s.environment.set(variable.Name, variable.Value)
	case "window-change":
		return s.resize(request.Payload)
	case "shell":
		isFirst := !s.hasBegun
		s.hasBegun = true
		return isFirst
	case "exec":
		return s.setCommand(request.Payload)
	}
	return false // subsystem, agent and X11 forwarding, signals
}

// setCommand sets the command that runs in place of a screen.
func (s *session) setCommand(payload []byte) bool {
	var exec struct{ Command string }
	if s.hasBegun || s.server.options.Run == nil || gossh.Unmarshal(payload, &exec) != nil {
		return false
	}
	s.hasBegun, s.isCommand, s.command = true, true, exec.Command
	return true
}

// setTerminal sets what the client says of its terminal, once.
func (s *session) setTerminal(payload []byte) bool {
	var terminal struct {
		Term                         string
		Columns, Rows, Width, Height uint32 // in cells, and in pixels
		Modes                        string
	}
	if s.hasTerminal || s.hasBegun || gossh.Unmarshal(payload, &terminal) != nil ||
		terminal.Term == "" || !s.environment.set("TERM", terminal.Term) {
		return false
	}
	s.hasTerminal = true
	s.size = s.size.bounded(terminal.Columns, terminal.Rows)
	return true
}

// resize sets a new size of the terminal. If sizes come faster than the screen takes them, the newest counts.
func (s *session) resize(payload []byte) bool {
	var window struct{ Columns, Rows, Width, Height uint32 }
	if !s.hasTerminal || gossh.Unmarshal(payload, &window) != nil {
		return false
	}
	s.size = s.size.bounded(window.Columns, window.Rows)
	select {
	case <-s.sizes:
	default:
	}
	s.sizes <- s.size
	return true
}

// why returns why the session ended; nil if the trader has quit.
func (s *session) why() error {
	if s.ctx.Err() == nil {
		return nil
	}
	why := context.Cause(s.ctx)
	if errors.Is(why, context.Canceled) { // of the connection
		return errGone
	}
	return why
}
