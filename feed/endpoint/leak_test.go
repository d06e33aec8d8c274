package endpoint

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

const secret = "s3cr3t-T0k3n+4/desk=="

// withSecret returns a configuration with the token.
func withSecret() Config {
	return Config{Service: Service{Token: func(context.Context) (string, error) { return secret, nil }}}
}

// leaked reports whether a text has eight characters of the token in a row, in any form that the services of the tests
// repeat.
func leaked(text string) bool {
	for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)),
		base64.RawURLEncoding.EncodeToString([]byte(secret)), base64.StdEncoding.EncodeToString([]byte("Bearer " + secret))[12:], everyByte(secret, "%%%02x"), everyByte(secret, `\u%04x`)} {
		for i := 0; i+8 <= len(form); i++ {
			if strings.Contains(strings.ToLower(text), strings.ToLower(form[i:i+8])) {
				return true
			}
		}
	}
	return false
}

func everyByte(text, format string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// texts returns all texts of an error and of the errors in it.
func texts(err error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Describe(err))
	for inner := range chain(err) {
		fmt.Fprintf(&b, "%s\n%+v\n%q\n", inner.Error(), inner, inner)
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		fmt.Fprintf(&b, "%s\n", status.Words)
	}
	return b.String()
}

// echoes are HTTP/1 responses that have the token, or a part or another form of it, in some place. TOKEN is replaced by
// it.
var echoes = []struct {
	place, response string
	hidden          bool // the error repeats the token, which must be hidden
}{
	{"reason", "HTTP/1.1 401 TOKEN\r\nContent-Length: 0\r\n\r\n", false},
	{"status line", "HTTP/1.1 TOKEN nope\r\n\r\n", true},
	{"protocol", "TOKEN 200 OK\r\n\r\n", true},
	{"no HTTP at all", "TOKEN\r\n", true},
	{"location", "HTTP/1.1 302 Found\r\nLocation: ftp://TOKEN/\r\nContent-Length: 0\r\n\r\n", true},
	{"location that cannot be read", "HTTP/1.1 302 Found\r\nLocation: http://one.test/%zz?x=TOKEN\r\nContent-Length: 0\r\n\r\n", true},
	{"location at a host of that name", "HTTP/1.1 302 Found\r\nLocation: http://s3cr3t-T0k3n/\r\nContent-Length: 0\r\n\r\n", true},
	{"content encoding", "HTTP/1.1 200 OK\r\nContent-Encoding: TOKEN\r\nContent-Length: 0\r\n\r\n", true},
	{"transfer encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: TOKEN\r\n\r\n", true},
	{"content length", "HTTP/1.1 200 OK\r\nContent-Length: TOKEN\r\n\r\n", true},
	{"header without a colon", "HTTP/1.1 200 OK\r\nTOKEN\r\n\r\n", true},
	{"header name", "HTTP/1.1 200 OK\r\n TOKEN: x\r\n\r\n", true},
	{"retry after", "HTTP/1.1 503 No\r\nRetry-After: TOKEN\r\nContent-Length: 0\r\n\r\n", false},
	{"announced trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Content-Length, TOKEN\r\n\r\n", false},
	{"body of an error", "HTTP/1.1 400 No\r\n\r\n" + `{"message":"no such TOKEN","details":[{"inner":"TOKEN"}]}`, true},
	{"body that is no JSON", "HTTP/1.1 400 No\r\n\r\nno TOKEN", true},
	{"body that is HTML", "HTTP/1.1 400 No\r\n\r\n<html>TOKEN", true},
	{"body of 200 that is no JSON", "HTTP/1.1 200 OK\r\n\r\n<html>TOKEN", true},
	{"percent escapes", "HTTP/1.1 400 No\r\n\r\nPERCENT and again QUERY", true},
	{"JSON escapes", "HTTP/1.1 400 No\r\n\r\n" + `{"message":"UNICODE"}`, true},
	{"base64", "HTTP/1.1 400 No\r\n\r\nBASE64", true},
	{"base64 with the scheme", "HTTP/1.1 400 No\r\n\r\nBASIC", true},
	{"upper case", "HTTP/1.1 400 No\r\n\r\nUPPER", true},
	{"half of it, where the line is cut", "HTTP/1.1 400 No\r\n\r\n" + strings.Repeat("x", 186) + "TOKEN", true},
	{"half of it, where the body is cut", "HTTP/1.1 400 No\r\nContent-Length: 900\r\n\r\nno s3cr3t-T0k", true},
	{"half of it, at the end of a chunk", "HTTP/1.1 400 No\r\nTransfer-Encoding: chunked\r\n\r\nd\r\nno s3cr3t-T0k\r\n", true},
	{"chunk length", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nTOKEN\r\n", false},
	{"chunk extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;TOKEN\r\n{TOKEN\r\n", false},
	{"trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nTOKEN\r\n\r\n", true},
	{"name of a field", "HTTP/1.1 200 OK\r\n\r\n" + `{"marginLevels":{"TOKEN":}}`, false},
	{"error of the stream", "HTTP/1.1 200 OK\r\n\r\n" + `{"error":{"message":"TOKEN"}}`, true},
	{"code of the error", "HTTP/1.1 200 OK\r\n\r\n" + `{"error":{"code":"TOKEN"}}`, true},
	{"informational", "HTTP/1.1 103 TOKEN\r\nLink: TOKEN\r\n\r\nHTTP/1.1 404 TOKEN\r\nX-Echo: TOKEN\r\nContent-Length: 0\r\n\r\n", false},
	{"control characters around it", "HTTP/1.1 400 No\r\n\r\n\x1b[31mTOKEN\x07\u202e", true},
}

var placeholders = strings.NewReplacer("TOKEN", secret, "PERCENT", everyByte(secret, "%%%02X"), "QUERY", url.QueryEscape(secret), "UNICODE", everyByte(secret, `\u%04x`),
	"BASE64", base64.StdEncoding.EncodeToString([]byte(secret)), "BASIC", base64.URLEncoding.EncodeToString([]byte("me:Bearer "+secret+"!")), "UPPER", strings.ToUpper(secret))

// TestTokenIsInNoError: a service repeats it in every place of an HTTP/1 response, to pages, streams and probes.
func TestTokenIsInNoError(t *testing.T) {
	for _, echo := range echoes {
		t.Run(echo.place, func(t *testing.T) {
			playRaw(t, withSecret(), placeholders.Replace(echo.response), func(p *Pool) {
				p.config.Limits.MessageBytes = 1 << 16
				text := texts(requestPage(p)) + texts(readStream(p))
				_, err := p.Verify(context.Background(), p.addresses[0].name, time.Now())
				text += texts(err)
				_, _ = p.Acquire(expired(), nil, nil, func(w Wait) { text += texts(w.Cause) })
				if leaked(text) {
					t.Errorf("the token is in:\n%s", text)
				}
				if echo.hidden != strings.Contains(text, "[token]") {
					t.Errorf("hidden is %t, want %t:\n%s", !echo.hidden, echo.hidden, text)
				}
				if strings.ContainsAny(text, "\x1b\x07\u202e\r") {
					t.Errorf("it has control characters: %q", text)
				}
			})
		})
	}
}

// TestWhatAnErrorWithTheTokenIsAbout is still known when its text is hidden, also when a stream has failed with it.
func TestWhatAnErrorWithTheTokenIsAbout(t *testing.T) {
	config := withSecret()
	config.BaseURLs = []string{oneTest}
	p := newPool(t, config)
	p.config.Secrets.AddToken(secret)
	for _, c := range []struct {
		err    error
		step   Step
		advice string
	}{
		{fmt.Errorf("%w: %s", errNoToken, secret), Credentials, checkToken},
		{fmt.Errorf("%w: %s", ErrTokenInClear, secret), Credentials, ""},
		{fmt.Errorf("reading: %s", secret), Response, "check the network, and that the address is that of a trading data service"},
	} {
		err := p.publicError(oneTest, c.err)
		if text := texts(err); StepOf(err) != c.step || Advice(err) != c.advice || leaked(text) {
			t.Errorf("step %q, advice %q: %s", StepOf(err), Advice(err), text)
		}
	}
	lease, _, _, _ := p.tryActive(nil, nil)
	lease.Release(fmt.Errorf("reading: %s", secret))
	if cause := reasonToWait(t, p).Cause; leaked(texts(cause)) || AddressOf(cause) != oneTest {
		t.Errorf("a stream waits at %q because of %v", AddressOf(cause), cause)
	}
}

// playRaw runs a test with a service that responds to every request with the same bytes and closes the connection.
func playRaw(t *testing.T, config Config, response string, run func(*Pool)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		listener := sim.Listen()
		var served sync.WaitGroup
		served.Go(func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				served.Go(func() {
					defer conn.Close()
					if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						_, _ = io.WriteString(conn, response)
					}
				})
			}
		})
		config.BaseURLs, config.InsecureToken = []string{"http://one.test"}, true
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, _, _ := net.SplitHostPort(address); host != "one.test" {
				return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
			}
			return listener.DialContext(ctx, network, address)
		}
		p := newPool(t, config)
		run(p)
		p.Close()
		listener.Close()
		served.Wait()
	})
}

func expired() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func requestPage(p *Pool) error {
	_, err := p.Page(context.Background(), UserPage, PageQuery{Size: 1})
	return err
}

// readStream reads one stream to its end and returns all errors.
func readStream(p *Pool) error {
	lease, err := p.Acquire(context.Background(), nil, nil, nil)
	if err != nil {
		return err
	}
	stream, err := lease.Open(context.Background(), model.Key{})
	var text []error
	for m := new(wire.Message); err == nil; {
		if err = stream.Next(m); m.Error != "" {
			text = append(text, errors.New(m.Error))
		}
	}
	lease.Release(err)
	return errors.Join(append(text, err)...)
}

// secured runs a scene with the simulated service behind TLS, with HTTP/2.
func secured(t *testing.T, config Config, name string, run func(*scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		certificate, authority, err := sim.Certificate(name)
		if err != nil {
			t.Fatal(err)
		}
		s := &scene{T: t, node: sim.New(sim.Config{})}
		s.listener = s.Listen("one.test")
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error)
		go func() {
			settings := &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2", "http/1.1"}}
			served <- s.node.Serve(ctx, s.connections.Listener(tls.NewListener(s.listener, settings)))
		}()
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(authority)
		config.TLS = &tls.Config{RootCAs: roots}
		config.BaseURLs, config.Dial = []string{"https://one.test"}, s.Dial
		s.pool = newPool(t, config)
		run(s)
		s.pool.Close()
		stop()
		<-served
	})
}

// TestTokenIsHiddenInErrorsOfHTTP2: in the debug data of a GOAWAY, and in errors of a stream.
func TestTokenIsHiddenInErrorsOfHTTP2(t *testing.T) {
	secured(t, withSecret(), "one.test", func(s *scene) {
		_, stream := s.stream()
		const goAway = 7
		lastStream, internalError := "\x00\x00\x00\x00", "\x00\x00\x00\x02"
		if s.connections.SendFrames(1, goAway, 0, lastStream+internalError+secret) == 0 {
			t.Fatal("there is no HTTP/2 connection")
		}
		s.node.Cut()
		err := stream.Next(new(wire.Message))
		if text := texts(err); err == nil || leaked(text) {
			t.Errorf("the token is in: %s", text)
		}
		s.node.SetMarginResponse(1, sim.Response{Status: 400, Header: http.Header{"X-Echo": {secret}, "Trailer": {"X-Late"}}, Body: `{"message":"` + secret + `"}`})
		if text := texts(s.pageError()); leaked(text) || !strings.Contains(text, "[token]") {
			t.Errorf("the token is in: %s", text)
		}
	})
}

// TestTokenIsHiddenInErrorsOfTLS: a certificate names hosts, and the error repeats them.
func TestTokenIsHiddenInErrorsOfTLS(t *testing.T) {
	secured(t, withSecret(), "s3cr3t-t0k3n.test", func(s *scene) {
		if text := texts(s.pageError()); leaked(text) || !strings.Contains(text, "the certificate is for another host: ") || !strings.Contains(text, "[token]") {
			t.Errorf("the token is in: %s", text)
		}
	})
}

// TestTokenIsHiddenInErrorsOfAProxy that repeats it.
func TestTokenIsHiddenInErrorsOfAProxy(t *testing.T) {
	config := withSecret()
	config.BaseURLs = []string{"https://one.test"}
	config.Dial = func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			_, _ = http.ReadRequest(bufio.NewReader(server))
			_, _ = io.WriteString(server, "HTTP/1.1 407 "+secret+"\r\n\r\n")
		}()
		return client, nil
	}
	p := newPool(t, config)
	throughProxy(p, "http://proxy.test")
	if text := texts(requestPage(p)); leaked(text) || !strings.Contains(text, "the proxy responded with 407 "+"[token]") {
		t.Errorf("the token is in: %s", text)
	}
}

// TestOfAVeryLongErrorOnlyTheBeginningIsSearched: a service may begin a response with megabytes of one line, which
// net/http repeats. A search needs many times the memory of what it searches.
func TestOfAVeryLongErrorOnlyTheBeginningIsSearched(t *testing.T) {
	config := withSecret()
	config.BaseURLs = []string{"https://one.test"}
	p := newPool(t, config)
	p.config.Secrets.AddToken(secret)
	long := errors.New(secret + strings.Repeat("x", 4<<20) + secret)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := p.publicError("https://one.test", long)
	runtime.ReadMemStats(&after)
	if text := texts(err); leaked(text) || !strings.Contains(text, "[token]xxx") {
		t.Errorf("%d bytes: %.300s", len(text), text)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes for an error of 4 MB", grown)
	}
}

// TestAPartOfATokenAtTheEndOfALongTextIsHidden: what is searched of the text ends within the token, and before that is
// nothing that would be shown in its place.
func TestAPartOfATokenAtTheEndOfALongTextIsHidden(t *testing.T) {
	config := withSecret()
	config.InsecureToken = true
	play(t, config, func(s *scene) {
		s.page()
		for part := range len(secret) {
			for _, tokens := range []int{0, (searchedBytes - part) / len(secret)} {
				long := strings.Repeat("\n", searchedBytes-part-tokens*len(secret)) + strings.Repeat(secret, tokens+1) + "."
				if text := s.pool.publicError(oneTest, errors.New(long)).Error(); leaked(text) {
					t.Errorf("%d bytes in an error: %s", part, text)
				}
				s.node.SetMarginResponse(1, sim.Response{Status: 400, Body: long})
				if text := s.pageError().Error(); leaked(text) {
					t.Errorf("%d bytes in a response: %s", part, text)
				}
				s.pool.Retry()
				s.after(time.Minute)
			}
		}
	})
}

// TestAPartOfATokenAtTheEndOfALineIsHidden: a text of the service that is too long for the screen is cut, perhaps in
// the middle of the token.
func TestAPartOfATokenAtTheEndOfALineIsHidden(t *testing.T) {
	config := withSecret()
	config.InsecureToken = true
	for length := 180; length < 200; length++ {
		play(t, config, func(s *scene) {
			body := `{"error":{"message":"` + strings.Repeat("x", length) + secret + `"}}`
			s.node.SetMarginResponse(1, sim.Response{Status: 200, Body: body})
			if text := texts(s.pageError()); leaked(text) || !strings.Contains(text, "xxx") {
				t.Errorf("of a page, after %d bytes: %s", length, text)
			}
			s.after(time.Minute)
			s.node.SetStreamResponse(1, sim.Response{Status: 200, Body: body})
			if text := texts(readStream(s.pool)); leaked(text) || !strings.Contains(text, "xxx") {
				t.Errorf("after %d bytes: %s", length, text)
			}
		})
	}
}

// throughProxy makes a pool use a proxy. A process reads the environment only once, so it cannot name one here.
func throughProxy(p *Pool, proxy string) {
	address, _ := url.Parse(proxy)
	for _, by := range []*http.Client{p.client.streams, p.client.pages} {
		by.Transport.(*authoriser).own.Proxy = http.ProxyURL(address)
	}
}

// chain yields an error and everything that it wraps.
func chain(err error) func(yield func(error) bool) {
	return func(yield func(error) bool) { walk(err, yield) }
}

func walk(err error, yield func(error) bool) bool {
	if err == nil {
		return true
	}
	if !yield(err) {
		return false
	}
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		return walk(wrapper.Unwrap(), yield)
	case interface{ Unwrap() []error }:
		for _, inner := range wrapper.Unwrap() {
			if !walk(inner, yield) {
				return false
			}
		}
	}
	return true
}
