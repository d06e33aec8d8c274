package credentials

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
)

// TokenVariable is the environment variable with the token, as help and errors name it.
const TokenVariable = "$BLOTTER_TOKEN"

// TokenSource returns the bearer token. Its errors do not contain the token.
type TokenSource func(context.Context) (string, error)

// Token returns the source of the token and its name: the environment, or else the file or command of the
// configuration; nil if there is no token. It is tried once, so that a problem is reported at once.
func Token(ctx context.Context, getenv func(string) string, file *config.File) (source TokenSource, place string, err error) {
	service := &file.Service
	if token := getenv("BLOTTER_TOKEN"); token != "" {
		if err := checkToken(token); err != nil {
			return nil, "", cli.UsageError("%s: %w", TokenVariable, err)
		}
		return func(context.Context) (string, error) { return token, nil }, TokenVariable, nil
	}
	switch {
	case service.TokenFile != "":
		path := file.ResolvePath(service.TokenFile)
		place = "service.token_file"
		source = func(ctx context.Context) (string, error) { return readToken(ctx, path) }
	case len(service.TokenCommand) > 0:
		place, source = "service.token_command", cacheToken(service.TokenCommand)
	default:
		return nil, "", nil
	}
	if _, err := source(ctx); err != nil {
		return nil, "", file.Wrap(place, err)
	}
	return source, place, nil
}

// checkToken refuses what cannot be in a header: by RFC 6750 a token is visible ASCII.
func checkToken(token string) error {
	if token == "" {
		return errors.New("there is no token")
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token must be one line of ASCII letters, digits and signs, without spaces")
	}
	return nil
}

// maxToken is how many bytes a token file may have, or the output of a token command.
const maxToken = 8 << 10

// readToken reads the token from its file. It is called for each request, so that a new token on disk is used.
func readToken(ctx context.Context, path string) (string, error) {
	text, err := readPrivate(ctx, path, maxToken)
	if err != nil {
		return "", err
	}
	token := strings.TrimRight(string(text), "\r\n")
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return token, nil
}

// readPrivate reads a file with a secret of at most the given number of bytes, which other users of the system cannot
// read.
func readPrivate(ctx context.Context, path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, system.FileErrorf(path, "cannot be read: %w", system.WithoutPath(err))
	}
	if err := checkPrivate(path, info); err != nil {
		return nil, system.FileErrorf(path, "%w", err)
	}
	return system.ReadFile(ctx, path, limit)
}

// tokenLifetime is how long a token is used before its command is run again.
const tokenLifetime = time.Minute

// cacheToken returns a source that runs a command, and keeps its token for tokenLifetime. Callers wait while another
// one runs it.
func cacheToken(command []string) TokenSource {
	var token string
	var until time.Time
	turn := make(chan struct{}, 1)
	return func(ctx context.Context) (string, error) {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return "", noToken(ctx)
		}
		if time.Now().Before(until) {
			return token, nil
		}
		fresh, err := runTokenCommand(ctx, command)
		if err == nil {
			token, until = fresh, time.Now().Add(tokenLifetime)
		}
		return fresh, err
	}
}

// runTokenCommand returns the first line that the command writes. What it writes to standard error is not shown,
// because that may be the token too.
func runTokenCommand(ctx context.Context, line []string) (string, error) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	output := tokenOutput{full: cancel}
	err := system.RunProgram(running, line, system.ProgramLimit, func(command *exec.Cmd) { command.Stdout = &output })
	switch {
	case ctx.Err() != nil:
		return "", noToken(ctx)
	case output.tooLong:
		return "", fmt.Errorf("%s wrote more than %d bytes; it must write only the token, on the first line", line[0], maxToken)
	case err != nil:
		return "", err
	}
	token, _, _ := strings.Cut(string(output.text), "\n")
	token = strings.TrimSuffix(token, "\r")
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s: %w", line[0], err)
	}
	return token, nil
}

// noToken is the error if ctx was done before the command had ended.
func noToken(ctx context.Context) error { return fmt.Errorf("no token: %w", system.WhyDone(ctx)) }

// tokenOutput keeps what a command writes, up to the length of a token.
type tokenOutput struct {
	text    []byte
	tooLong bool
	full    func() // called if the command writes more
}

func (o *tokenOutput) Write(p []byte) (int, error) {
	if len(o.text)+len(p) > maxToken {
		o.tooLong = true
		o.full()
		return 0, errors.New("the token is too long")
	}
	o.text = append(o.text, p...)
	return len(p), nil
}
