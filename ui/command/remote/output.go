package remote

import (
	"bytes"
	"time"
)

// output is what the screen writes to the client. The client's terminal is in raw mode, so a line feed needs a carriage
// return.
type output struct{ session *session }

// Write writes to the client. If the client does not read for a time, its connection is closed: the renderer of the
// screen holds a lock meanwhile.
func (o *output) Write(p []byte) (int, error) {
	s := o.session
	slow := time.AfterFunc(outputDeadline, func() {
		s.end(errSlow)
		_ = s.connection.Conn.Close()
	})
	defer slow.Stop()
	text := bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))
	n, err := s.channel.Write(text)
	s.server.bytes.Add(int64(n))
	if err != nil {
		return 0, err
	}
	return len(p), nil
}
