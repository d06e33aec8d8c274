package remote

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	gossh "golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"blotter/model"
	"blotter/ui/command/system"
	"blotter/ui/command/terminal"
	"blotter/ui/pane"
)

// run shows the screen of a session, which begins with a size, until the trader quits or the session ends. Then it
// closes the channel.
func (s *session) run(begin size) {
	defer close(s.ran)
	err := s.server.addSession(s)
	for errors.Is(err, errSessionsOfKey) && s.server.replaceSilent(s.ctx, s.fingerprint) {
		err = s.server.addSession(s)
	}
	if err == nil {
		err = s.show(begin)
		s.server.remove(s)
	}
	s.close(err)
}

// show shows the screen, and returns why it ended; nil if the trader has quit.
func (s *session) show(begin size) (err error) {
	if term := s.environment.get("TERM"); !s.hasTerminal || term == "dumb" {
		return errNoTerminal
	}
	var panics system.PanicHandler
	if s.server.options.Panics != nil {
		panics.LogTo(s.server.options.Panics, s.server.options.PanicsName)
	}
	ctx, stop := panics.Start(s.ctx)
	defer stop()
	defer func() {
		if system.PanicOf(ctx) != nil {
			err = errInternal
		}
	}()
	defer panics.Recover()
	screen, err := s.server.options.Open(ctx, Session{
		Trader: s.trader, Address: s.connection.RemoteAddr().String(), Fingerprint: s.fingerprint, Getenv: s.environment.get,
	})
	if err != nil {
		return err
	}
	defer screen.Close()
	return s.runProgram(ctx, &panics, screen.Model, begin)
}

// runProgram runs the Bubble Tea program of the screen.
func (s *session) runProgram(ctx context.Context, panics *system.PanicHandler, screen tea.Model, begin size) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	input := terminal.NewInput(&limitedInput{ctx, s.channel, rate.NewLimiter(inputPerSecond, inputBurst)}, terminal.RemoteKeyTime, cancel)
	variables := s.environment.list()
	drawn := newDrawnTogether(screen)
	program := tea.NewProgram(panics.Screen(drawn), tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond),
		tea.WithInput(input), tea.WithOutput(&output{session: s}), tea.WithEnvironment(variables), tea.WithFilter(refuseSuspend),
		tea.WithColorProfile(colorprofile.Env(variables)), tea.WithWindowSize(begin.columns, begin.rows))
	queue := newInputQueue()
	var tasks sync.WaitGroup
	tasks.Go(func() {
		defer panics.Recover()
		input.Run(ctx, func(message tea.Msg) { queue.add(ctx, message) })
	})
	tasks.Go(func() { queue.run(ctx, rate.NewLimiter(keysPerSecond, keysPerSecond), program.Send) })
	tasks.Go(func() {
		defer panics.Recover()
		s.sendSizes(ctx, program.Send)
	})
	tasks.Go(func() { drawn.run(ctx, program.Send) })
	_, err := program.Run()
	isGone := ctx.Err() != nil && s.ctx.Err() == nil // the client has closed its input
	cancel()
	tasks.Wait()
	switch {
	case s.why() != nil:
		return s.why()
	case isGone:
		return errGone
	case errors.Is(err, tea.ErrInterrupted):
		return nil
	}
	return err
}

// sendSizes sends the sizes of the terminal to the screen, until ctx ends.
func (s *session) sendSizes(ctx context.Context, send func(tea.Msg)) {
	frames := rate.NewLimiter(framesPerSecond, 1)
	for frames.Wait(ctx) == nil {
		select {
		case <-ctx.Done():
		case size := <-s.sizes:
			send(tea.WindowSizeMsg{Width: size.columns, Height: size.rows})
		}
	}
}

// close ends the channel. An error is shown to the trader.
func (s *session) close(why error) {
	slow := time.AfterFunc(outputDeadline, func() { _ = s.connection.Conn.Close() })
	defer slow.Stop()
	status, words := uint32(0), "quit"
	if why != nil {
		status, words = 1, model.Neutralise(why.Error())
		_, _ = io.WriteString(s.channel, "blotter: "+words+"\r\n")
	}
	s.connection.setWhy(words)
	_, _ = s.channel.SendRequest("exit-status", false, gossh.Marshal(struct{ Status uint32 }{status}))
	_ = s.channel.Close()
	if errors.Is(why, errReplaced) && !s.server.hasSessions(s.connection) {
		_ = s.connection.Conn.Close() // which counts as one of the key, although its client does not answer
	}
}

// refuseSuspend replaces a suspension by words: it would stop the server.
func refuseSuspend(_ tea.Model, message tea.Msg) tea.Msg {
	if _, suspends := message.(tea.SuspendMsg); suspends {
		return pane.Said("Not suspended: other traders use this server.")
	}
	return message
}

// limitedInput reads the input of a client, as fast as the limit allows.
type limitedInput struct {
	ctx   context.Context
	from  io.Reader
	limit *rate.Limiter
}

// Read reads what the client has sent.
func (l *limitedInput) Read(p []byte) (int, error) {
	n, err := l.from.Read(p[:min(len(p), inputBurst)])
	if waited := l.limit.WaitN(l.ctx, n); waited != nil {
		return 0, waited
	}
	return n, err
}
