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

// steps describe the steps of a request; empty if a step was not done.
type steps struct{ name, tls, connection, response string }

// stepRecorder records the steps of a request. It has a lock because a connection may still be tried when its request
// has ended.
type stepRecorder struct {
	start time.Time
	mu    sync.Mutex
	steps steps
}

func (r *stepRecorder) done() steps {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.steps
}

func (r *stepRecorder) since() string {
	return time.Since(r.start).Round(100 * time.Microsecond).String()
}

// trace returns a context with which the steps of a request are recorded.
func (r *stepRecorder) trace(ctx context.Context) context.Context {
	record := func(change func(*steps)) {
		r.mu.Lock()
		defer r.mu.Unlock()
		change(&r.steps)
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSDone: func(info httptrace.DNSDoneInfo) {
			var hosts []string
			for _, address := range info.Addrs {
				hosts = append(hosts, address.String())
			}
			record(func(s *steps) { s.name = strings.Join(hosts, ", ") })
		},
		TLSHandshakeDone: func(state tls.ConnectionState, err error) {
			if err != nil || len(state.PeerCertificates) == 0 {
				return
			}
			certificate := state.PeerCertificates[0]
			record(func(s *steps) {
				s.tls = fmt.Sprintf("%s, with the certificate of %q, valid until %s", tls.VersionName(state.Version),
					certificate.Subject.CommonName, certificate.NotAfter.Format(time.DateOnly))
			})
		},
		GotConn: func(info httptrace.GotConnInfo) {
			record(func(s *steps) { s.connection = fmt.Sprintf("to %s, after %s", info.Conn.RemoteAddr(), r.since()) })
		},
		GotFirstResponseByte: func() { record(func(s *steps) { s.response = r.since() }) },
	})
}
