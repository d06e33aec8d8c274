package doctor

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// steps are what there was on the way to an answer; empty where a step was not done.
type steps struct{ name, tls, connection, answer string }

// way notes the steps of a request. It has a lock because a connection may still be tried when its request has ended.
type way struct {
	start time.Time
	mu    sync.Mutex
	steps steps
}

// done returns the steps so far.
func (w *way) done() steps {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.steps
}

// since is the time since the request began.
func (w *way) since() string { return time.Since(w.start).Round(100 * time.Microsecond).String() }

// trace has the steps of a request noted.
func (w *way) trace(ctx context.Context) context.Context {
	note := func(change func(*steps)) {
		w.mu.Lock()
		defer w.mu.Unlock()
		change(&w.steps)
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSDone: func(info httptrace.DNSDoneInfo) {
			var hosts []string
			for _, address := range info.Addrs {
				hosts = append(hosts, address.String())
			}
			note(func(s *steps) { s.name = strings.Join(hosts, ", ") })
		},
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			if err == nil && len(state.PeerCertificates) > 0 {
				certificate := state.PeerCertificates[0]
				note(func(s *steps) {
					s.tls = fmt.Sprintf("%s, with the certificate of %q, valid until %s", tls.VersionName(state.Version),
						certificate.Subject.CommonName, certificate.NotAfter.Format(time.DateOnly))
				})
			}
		},
		GotConn: func(info httptrace.GotConnInfo) {
			note(func(s *steps) { s.connection = fmt.Sprintf("to %s, after %s", info.Conn.RemoteAddr(), w.since()) })
		},
		GotFirstResponseByte: func() { note(func(s *steps) { s.answer = w.since() }) },
	})
}
