package endpoint

import (
	"io"
	"log/slog"

	"blotter/feed/secrets"
)

// StandardLog returns a writer for Go's standard logger. net/http writes there what belongs to no request: responses
// without a request, unknown frames of HTTP/2. They may contain anything, the token included, and an http.Transport has
// no logger of its own. Each write becomes one line of logger, neutralised and without the tokens in secrets. The
// command sets it once, before anything else is done:
//
//	secrets := new(secrets.Hider) // for Config.Secrets too
//	log.SetFlags(0)
//	log.SetOutput(endpoint.StandardLog(logger, secrets))
func StandardLog(logger *slog.Logger, secrets *secrets.Hider) io.Writer {
	return standardLog{logger, secrets}
}

type standardLog struct {
	logger  *slog.Logger
	secrets *secrets.Hider
}

func (w standardLog) Write(line []byte) (int, error) {
	if text := oneLine(w.secrets, string(line)); text != "" {
		w.logger.Warn("Go's own log: " + text)
	}
	return len(line), nil
}
