package remote

import (
	"context"

	"golang.org/x/time/rate"

	"blotter/ui/command/system"
)

// The limits of commands, which have places of their own: they end no screen, and no screen ends them.
const (
	maxCommandsOfTrader = 8
	commandsPerSecond   = 2       // of a trader; more wait
	maxCommand          = 4 << 10 // bytes
)

// runCommand runs the command of the session, and closes the channel with its exit code. Rights that have become fewer
// end it with 1.
func (s *session) runCommand() {
	if len(s.command) > maxCommand {
		s.closeWith(2, errCommandLine, s.channel.Stderr())
		return
	}
	starts, err := s.server.addCommand(s)
	if err != nil {
		s.closeWith(1, err, s.channel.Stderr())
		return
	}
	code := 1
	err = s.guard(func(ctx context.Context, _ *system.PanicHandler) error {
		if err := starts.Wait(ctx); err != nil {
			return err
		}
		code = s.server.options.Run(ctx, s.client(), s.command, &output{s, s.channel}, &output{s, s.channel.Stderr()})
		return nil
	})
	s.server.remove(s)
	if why := s.why(); why != nil {
		err = why
	}
	if err != nil {
		code = 1
	}
	s.closeWith(uint32(code), err, s.channel.Stderr())
}

// addCommand adds a session with a command, and returns how often its trader may start one, or why there are too many.
func (s *Server) addCommand(session *session) (*rate.Limiter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ofTrader := 0
	for each := range s.sessions {
		if each.isCommand && each.trader == session.trader {
			ofTrader++
		}
	}
	switch {
	case s.isStopping:
		return nil, errStopping
	case s.owners.of(session.key) != session.trader:
		return nil, errRights
	case ofTrader >= maxCommandsOfTrader:
		return nil, errCommands
	}
	starts := s.starts[session.trader]
	if starts == nil {
		starts = rate.NewLimiter(commandsPerSecond, commandsPerSecond)
		s.starts[session.trader] = starts
	}
	s.sessions[session] = struct{}{}
	return starts, nil
}
