package remote

import (
	"bytes"
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

// run shows the screen of a session, which begins with a size, until the trader quits or the session ends, or runs its
// command. Then it closes the channel.
func (s *session) run(begin size) {
	defer close(s.ran)
	defer s.reader.Wait()
	if s.isCommand {
		s.runCommand()
		return
	}
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
func (s *session) show(begin size) error {
	return s.guard(func(ctx context.Context, panics *system.PanicHandler) error {
		of := s.client()
		if !s.hasTerminal || s.environment.get("TERM") == "dumb" {
			lines := &output{s, s.channel}
			of.Lines = func(text string) error { _, err := io.WriteString(lines, text); return err }
		}
		screen, err := s.server.options.Open(ctx, of)
		if err != nil {
			return err
		}
		defer screen.Close()
		if of.Lines != nil {
			return s.runLines(ctx, panics, screen.Model)
		}
		return s.runProgram(ctx, panics, screen.Model, begin)
	})
}

func (s *session) client() Session {
	return Session{
		Trader: s.trader, Address: s.connection.RemoteAddr().String(), Fingerprint: s.fingerprint, Getenv: s.environment.get,
	}
}

// guard calls a function. A panic ends the session alone.
func (s *session) guard(do func(context.Context, *system.PanicHandler) error) (err error) {
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
	return do(ctx, &panics)
}

// runLines runs a program that writes lines of words in place of a screen, until the session ends. With a terminal,
// ctrl+c and ctrl+d end it too.
func (s *session) runLines(ctx context.Context, panics *system.PanicHandler, lines tea.Model) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.hasTerminal {
		s.reader.Go(func() { s.readInterrupt(cancel) })
	}
	program := tea.NewProgram(panics.Screen(lines), tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithoutRenderer(),
		tea.WithInput(nil), tea.WithOutput(io.Discard))
	_, err := program.Run()
	if s.why() != nil || ctx.Err() != nil {
		return s.why()
	}
	return err
}

// readInterrupt calls interrupt when the client sends ctrl+c or ctrl+d. It returns when the channel is closed.
func (s *session) readInterrupt(interrupt func()) {
	typed := make([]byte, 1<<10)
	for {
		n, err := s.channel.Read(typed)
		if bytes.ContainsAny(typed[:n], "\x03\x04") {
			interrupt()
		}
		if err != nil {
			return
		}
	}
}

func (s *session) runProgram(ctx context.Context, panics *system.PanicHandler, screen tea.Model, begin size) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	input := terminal.NewInput(&limitedInput{ctx, s.channel, rate.NewLimiter(inputPerSecond, inputBurst)}, terminal.RemoteKeyTime, cancel)
	variables := s.environment.list()
	drawn := newDrawnTogether(screen)
	program := tea.NewProgram(panics.Screen(drawn), tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond),
		tea.WithInput(input), tea.WithOutput(&output{s, s.channel}), tea.WithEnvironment(variables), tea.WithFilter(refuseSuspend),
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

// close ends the channel of a screen. An error is shown to the trader.
func (s *session) close(why error) {
	if why != nil {
		s.closeWith(1, why, s.channel)
	} else {
		s.closeWith(0, nil, nil)
	}
}

// closeWith ends the channel with an exit status. Why it ended is written to a part of it, if that is not nil.
func (s *session) closeWith(status uint32, why error, to io.Writer) {
	slow := time.AfterFunc(outputDeadline, func() { _ = s.connection.Conn.Close() })
	defer slow.Stop()
	words := "quit"
	if why != nil {
		words = model.Neutralise(why.Error())
		_, _ = io.WriteString(&output{s, to}, "blotter: "+words+"\n")
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
