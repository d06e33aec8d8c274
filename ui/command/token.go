package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// tokenSource gives the bearer token, nil where there is none. No error of it ever holds a token.
type tokenSource func(context.Context) (string, error)

// tokenSource is where the token comes from, and what that place is called: the environment, or else the file or
// command of the configuration. It is asked once before anything begins, so that what is wrong with it is told at once.
func (p *program) tokenSource(ctx context.Context, document *configDocument) (source tokenSource, place string, err error) {
	service := &document.Service
	if token := p.Getenv("BLOTTER_TOKEN"); token != "" {
		if err := checkToken(token); err != nil {
			return nil, "", usage("$BLOTTER_TOKEN: %w", err)
		}
		return func(context.Context) (string, error) { return token, nil }, "$BLOTTER_TOKEN", nil
	}
	switch {
	case service.TokenFile != "":
		path := document.besides(service.TokenFile)
		place = "service.token_file"
		source = func(context.Context) (string, error) { return readToken(path) }
	case len(service.TokenCommand) > 0:
		place, source = "service.token_command", keepToken(service.TokenCommand)
	default:
		return nil, "", nil
	}
	if _, err := source(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		return nil, "", document.problem(place, "%w", err)
	}
	return source, place, nil
}

// configureWithin is configure for a command that ends: no token_command holds it up for longer than its timeout.
func (p *program) configureWithin(ctx context.Context, timeout time.Duration) (*configuration, error) {
	timed, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	config, err := p.configure(timed)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, unavailable("service.token_command: no token within %s", timeout)
	}
	return config, err
}

// checkToken refuses what cannot stand in a header: RFC 6750 has tokens of visible ASCII alone.
func checkToken(token string) error {
	if token == "" {
		return errors.New("there is no token")
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token must be one line of letters, digits and signs, without space")
	}
	return nil
}

// readToken reads the token anew each time, so that a token that is replaced on disk is used from then on.
func readToken(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", path, reason(err))
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s can be read by others; mend it with: chmod 600 %s", path, path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", path, reason(err))
	}
	token := strings.TrimRight(string(text), "\r\n")
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return token, nil
}

const (
	tokenCommandTime = 10 * time.Second // how long a command may take
	tokenKeptFor     = time.Minute      // how long its token is used before it is asked again
)

// keepToken runs a command for the token, and again when the token is a minute old. One caller runs it, others wait.
func keepToken(command []string) tokenSource {
	var token string
	var until time.Time
	turn := make(chan struct{}, 1)
	return func(ctx context.Context) (string, error) {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return "", ctx.Err()
		}
		if time.Now().Before(until) {
			return token, nil
		}
		fresh, err := runTokenCommand(ctx, command)
		if err == nil {
			token, until = fresh, time.Now().Add(tokenKeptFor)
		}
		return fresh, err
	}
}

// runTokenCommand takes the first line that the command writes. What it writes to standard error is not repeated,
// as a command that is being debugged may write the token there.
func runTokenCommand(ctx context.Context, words []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, tokenCommandTime)
	defer cancel()
	command := exec.CommandContext(ctx, words[0], words[1:]...)
	command.WaitDelay = time.Second
	output, err := command.Output()
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("%s did not end within %s", words[0], tokenCommandTime)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case ended:
		return "", fmt.Errorf("%s failed (%s); run it by hand to see why", words[0], exit.ProcessState)
	case err != nil:
		return "", fmt.Errorf("%s cannot be run: %w", words[0], reason(err))
	}
	line, _, _ := strings.Cut(string(output), "\n")
	token := strings.TrimSuffix(line, "\r")
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", words[0], err)
	}
	return token, nil
}
