package remote

import (
	"bytes"
	"io"
	"time"
)

// output is what a screen or a command writes to the client.
type output struct {
	session *session
	to      io.Writer // the channel, or its standard error
}

// Write writes to the client. If the client does not read for a time, its connection is closed: the renderer of the
// screen holds a lock meanwhile.
func (o *output) Write(p []byte) (int, error) {
	s := o.session
	slow := time.AfterFunc(outputDeadline, func() {
		s.end(errSlow)
		_ = s.connection.Conn.Close()
	})
	defer slow.Stop()
	text := p
	if s.hasTerminal { // it is in raw mode, so a line feed needs a carriage return
		text = bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))
	}
	n, err := o.to.Write(text)
	s.server.bytes.Add(int64(n))
	if err != nil {
		return 0, err
	}
	return len(p), nil
}
