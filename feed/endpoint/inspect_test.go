package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"syscall"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// inspectStream opens a stream for an inspection and ends it when its first message has come.
func (s *scene) inspectStream() error {
	lease, err := s.pool.Inspections()[0].Lease(s.Context())
	if err != nil {
		return err
	}
	stream, err := lease.Open(s.Context(), model.Key{})
	if err == nil {
		defer stream.Close()
		err = stream.Next(new(wire.Message))
	}
	lease.Release(err)
	return err
}

func TestInspectionDoesNotWaitForABackoff(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.RefuseConnections(true)
		s.streams(1)
		s.pageError()
		s.after(8 * time.Second) // the next try is at least two seconds away
		s.RefuseConnections(false)
		if err := s.inspectStream(); err != nil {
			t.Errorf("a stream: %v", err)
		}
	})
	play(t, Config{}, func(s *scene) {
		s.node.SetMarginResponse(3, sim.Response{Status: 500})
		for range 2 {
			s.after(time.Millisecond)
			s.pageError()
		}
		for range 2 { // the third failure, then a page
			if _, err := s.pool.Inspections()[0].Page(s.Context()); OutcomeOf(err) == Postponed {
				t.Errorf("a page: %v", err)
			}
		}
		if page := s.page(); page == nil {
			t.Error("the page does not end the backoff of pages")
		}
	})
}

func TestInspectionKeepsToTheLimitOfDials(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.RefuseConnections(true)
		began := time.Now()
		sent := 0
		for range 20 {
			if OutcomeOf(s.inspectStream()) != Postponed {
				sent++
			}
			if _, err := s.pool.Inspections()[0].Page(s.Context()); err == nil {
				t.Error("the page came")
			}
			s.after(time.Second)
		}
		if sent == 0 {
			t.Error("no request was sent")
		}
		s.CheckDialLimit(s, began)
	})
}

// TestStreamsOfAnInspectionAtOnce: ten if the address has responded, else the dials of a minute.
func TestStreamsOfAnInspectionAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		status int // of a page before; 0 if there was none
		want   int
	}{"nothing": {0, dialsPerMinute}, "a page": {200, DialsAtOnce}, "a fault": {500, dialsPerMinute}} {
		play(t, Config{}, func(s *scene) {
			address := s.pool.Inspections()[0]
			if c.status > 0 {
				s.node.SetMarginResponse(1, sim.Response{Status: c.status, Body: emptyPage})
				_, _ = address.Page(s.Context())
			}
			ctx, cancel := context.WithTimeout(s.Context(), time.Second)
			defer cancel()
			for i := range DialsAtOnce + 1 {
				lease, err := address.Lease(ctx)
				if sent := err == nil; sent != (i < c.want) {
					t.Errorf("after %s, lease %d: %v", name, i+1, err)
				}
				if err == nil {
					defer lease.Release(nil)
				}
			}
		})
	}
}

// TestInspectionWaitsForAStreamThatIsOpen if the dials of the minute are used. If none is open, it says so at once.
func TestInspectionWaitsForAStreamThatIsOpen(t *testing.T) {
	for _, isOpen := range []bool{true, false} {
		bubble(t, 1, func(t *testing.T, p *Pool) {
			address, began := p.Inspections()[0], time.Now()
			var leases []*Lease
			for range dialsPerMinute {
				l, err := address.Lease(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				leases = append(leases, l)
			}
			if isOpen {
				leases[0].establish()
				time.AfterFunc(time.Second, leases[0].Healthy)
				leases = leases[1:]
			}
			for _, l := range leases {
				l.Release(errTrouble)
			}
			_, err := address.Lease(t.Context())
			if took := time.Since(began); isOpen && (err != nil || took != time.Second+firstProbation) {
				t.Errorf("beside an open stream, after %s: %v", took, err)
			} else if !isOpen && (OutcomeOf(err) != Postponed || took > 0) {
				t.Errorf("without one, after %s: %v", took, err)
			}
		})
	}
}

// TestHasCertificate: the authorities that are known here are no certificate.
func TestHasCertificate(t *testing.T) {
	for _, c := range []struct {
		settings *tls.Config
		want     bool
	}{{nil, false}, {&tls.Config{RootCAs: x509.NewCertPool()}, false}, {&tls.Config{Certificates: make([]tls.Certificate, 1)}, true}} {
		p := newPool(t, Config{Service: Service{BaseURLs: []string{oneTest}, TLS: c.settings}})
		if got := p.Inspections()[0].HasCertificate(); got != c.want {
			t.Errorf("%+v: %t", c.settings, got)
		}
	}
}

func TestInspectionWaitsForATimeOfTheService(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		banned := sim.Response{Status: 403, Header: http.Header{"Retry-After": {"600"}}}
		s.node.SetMarginResponse(1, banned)
		s.node.SetStreamResponse(1, banned)
		_ = s.inspectStream()
		s.pageError()
		before := len(s.node.Requests())
		_, pageErr := s.pool.Inspections()[0].Page(s.Context())
		for _, err := range []error{pageErr, s.inspectStream()} {
			if postponement := postponed(t, err); !postponement.ByService || time.Until(postponement.Until) != 10*time.Minute {
				t.Errorf("the next request is allowed in %s: %v", time.Until(postponement.Until), err)
			}
		}
		if sent := len(s.node.Requests()) - before; sent != 0 {
			t.Errorf("%d requests were sent", sent)
		}
		s.after(10 * time.Minute)
		if _, err := s.pool.Inspections()[0].Page(s.Context()); err != nil {
			t.Errorf("a page after that time: %v", err)
		}
		if err := s.inspectStream(); err != nil {
			t.Errorf("a stream after that time: %v", err)
		}
	})
}

func TestInspectionIsTraced(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		var remote string
		trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) { remote = info.Conn.RemoteAddr().String() }}
		page, err := s.pool.Inspections()[0].Page(httptrace.WithClientTrace(s.Context(), trace))
		if err != nil || remote != "127.0.0.1:80" || page.Block.Height == 0 {
			t.Errorf("%+v by %q, %v", page, remote, err)
		}
	})
}

func TestAdvice(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	p := newPool(t, Config{Service: Service{BaseURLs: []string{"http://one.test"}}})
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{refused, "check the host and port, and that the service runs"},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "check the network, or ask the operator of the service"},
		{&net.DNSError{IsNotFound: true}, "check the spelling of the host, and the name servers of this machine"},
		{proxyRefusal("407"), "check the proxy: $HTTPS_PROXY or $HTTP_PROXY names it, $NO_PROXY names hosts that are reached without one"},
		{tls.RecordHeaderError{}, ""},
		{ErrTokenInClear, ""},
		{fmt.Errorf("%w: no such file", errNoToken), "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"},
		{&PostponedError{Cause: refused}, ""},
		{context.Canceled, ""},
		{&StatusError{Status: 302}, "check the address: it must be that of the service itself"},
		{&StatusError{Status: 400}, "check the party and the market: a text that is not a name in the configuration is sent as an identifier"},
		{&StatusError{Status: 401}, "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"},
		{&StatusError{Status: 403}, "check the token: $BLOTTER_TOKEN, service.token_file or service.token_command"},
		{&StatusError{Status: 403, RetryAfter: time.Minute}, "wait 1m0s: the service allows no request before that"},
		{&StatusError{Status: 404}, "check the path of the address: the service has no such operation below it"},
		{&StatusError{Status: 429}, "wait: the service limits requests"},
		{&StatusError{Status: 502}, "the service has a fault of its own: ask the operator of the service"},
		{endedError{}, "ask the operator of the service"},
		{fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), "check the network, and that the address is that of a trading data service"},
		{fmt.Errorf("%w of 7 bytes", wire.ErrTooLong), "raise feed.message_bytes, or check that the address is that of a trading data service"},
		{fmt.Errorf("%w of 7 bytes", wire.ErrOverBudget), "raise feed.buffer_bytes, or watch fewer parties or markets"},
		{errors.New("the response is not JSON"), "check the network, and that the address is that of a trading data service"},
	} {
		if got := Advice(p.publicError("http://one.test", c.err)); got != c.want {
			t.Errorf("the advice on %v is\n%q, want\n%q", c.err, got, c.want)
		}
	}
}
