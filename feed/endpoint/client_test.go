package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"blotter/feed/secrets"
	"blotter/feed/wire"
	"blotter/model"
)

// recorder is a service on a loopback address that records its requests.
type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

// recording starts a service that calls respond; if respond is nil, it responds with an empty page of margin levels.
func recording(t *testing.T, start func(http.Handler) *httptest.Server, respond http.HandlerFunc) *recorder {
	t.Helper()
	r := new(recorder)
	r.Server = start(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		r.requests = append(r.requests, request)
		r.mu.Unlock()
		if respond != nil {
			respond(w, request)
			return
		}
		_, _ = w.Write([]byte(`{"marginLevels":{}}`))
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *recorder) all() []*http.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.requests)
}

func newTLS(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	return s
}

func trusting(r *recorder) *tls.Config {
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	return &tls.Config{RootCAs: roots}
}

// withToken returns a configuration with a token and a header.
func withToken(bases ...string) Config {
	return Config{Service: Service{
		BaseURLs: bases,
		Header:   http.Header{"x-desk": {"seven"}},
		Token:    func(context.Context) (string, error) { return secret, nil },
	}}
}

// requestOnce requests one page.
func requestOnce(t *testing.T, config Config) error {
	t.Helper()
	p := newPool(t, config)
	defer p.Close()
	_, err := p.Page(t.Context(), UserPage, PageQuery{Size: 1})
	return err
}

// otherName returns the address of a service with another name of this machine.
func otherName(address string) string { return strings.Replace(address, "127.0.0.1", "localhost", 1) }

func TestRequestsCarryWhatIsConfigured(t *testing.T) {
	service := recording(t, httptest.NewServer, nil)
	for _, prefix := range []string{"", "/", "/gate/way", "/gate/way/", "/a%2Fb"} {
		if err := requestOnce(t, withToken(service.URL+prefix)); err != nil {
			t.Fatal(err)
		}
		requests := service.all()
		r := requests[len(requests)-1]
		if want := strings.TrimSuffix(prefix, "/") + wire.MarginPath; r.URL.EscapedPath() != want || r.Method != http.MethodGet {
			t.Errorf("the request is %s %s, want %s", r.Method, r.URL.EscapedPath(), want)
		}
		for name, want := range map[string]string{"Accept": "application/json", "X-Desk": "seven", "Authorization": "Bearer " + secret, "Accept-Encoding": ""} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	}
}

func TestRedirectsEnd(t *testing.T) {
	loop := recording(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	plain := recording(t, httptest.NewServer, nil)
	down := recording(t, newTLS, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, plain.URL, http.StatusFound) })
	for _, c := range []struct {
		base string
		tls  *tls.Config
	}{{loop.URL, nil}, {down.URL, trusting(down)}} {
		config := withToken(c.base)
		config.TLS = c.tls
		err := requestOnce(t, config)
		status, ok := errors.AsType[*StatusError](err)
		if !ok || status.Status != http.StatusFound || status.Retryable() || !strings.Contains(status.Words, "it redirects to") {
			t.Errorf("%v", err)
		}
	}
	if got := len(loop.all()); got != maxRedirects+1 {
		t.Errorf("%d requests", got)
	}
	if got := len(plain.all()); got != 0 {
		t.Error("a redirect from https:// to http:// was followed")
	}
}

// TestPasswordsOfRedirectsAreNotKeptForEver: a service may redirect each request to an address with another password.
func TestPasswordsOfRedirectsAreNotKeptForEver(t *testing.T) {
	var requests atomic.Int64
	var service *recorder
	service = recording(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
		n := requests.Add(1)
		if n%2 == 0 {
			_, _ = w.Write([]byte(`{"marginLevels":{}}`))
			return
		}
		http.Redirect(w, r, strings.Replace(service.URL, "://", fmt.Sprintf("://me:%03[1]d-%03[1]d-%03[1]d@", n), 1), http.StatusFound)
	})
	config := withToken(service.URL)
	config.Secrets = new(secrets.Hider)
	p := newPool(t, config)
	defer p.Close()
	for range 20 {
		if _, err := p.Page(t.Context(), UserPage, PageQuery{Size: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if got := config.Secrets.Hide("001-001-001, 039-039-039, " + secret); got != "001-001-001, [token], [token]" {
		t.Error(got)
	}
}

// TestRedirectsGetTheTokenOnlyAtOwnHosts: a redirect to a host of the configuration gets it, another one does not.
func TestRedirectsGetTheTokenOnlyAtOwnHosts(t *testing.T) {
	for _, own := range []bool{true, false} {
		target := recording(t, httptest.NewServer, nil)
		first := recording(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, otherName(target.URL)+r.URL.String(), http.StatusTemporaryRedirect)
		})
		bases := []string{first.URL}
		if own {
			bases = append(bases, otherName(target.URL))
		}
		if err := requestOnce(t, withToken(bases...)); err != nil {
			t.Fatal(err)
		}
		got := target.all()[0]
		if has := got.Header.Get("Authorization") != "" && got.Header.Get("X-Desk") != ""; has != own {
			t.Errorf("own host %t: the redirected request has %q", own, got.Header)
		}
		if got.Header.Get("Accept") != "application/json" || got.Header.Get("Referer") != "" {
			t.Errorf("the redirected request has %q", got.Header)
		}
	}
}

// TestHostsThatGetTheToken: of a host that the configuration names with https:// only, http:// is another host.
func TestHostsThatGetTheToken(t *testing.T) {
	p := newPool(t, withToken("http://plain.test", "https://secure.test:8443"))
	for address, want := range map[string]bool{
		"http://plain.test/a": true, "https://plain.test": true, "http://plain.test:81": false, "http://secure.test:8443": false,
		"https://secure.test:8443/b": true, "https://secure.test": false, "http://other.test": false, "https://other.test": false,
	} {
		u, _ := url.Parse(address)
		if got := p.client.pages.Transport.(*authoriser).isOwnHost(u); got != want {
			t.Errorf("%s gets the token: %t", address, got)
		}
	}
}

func TestTokenIsNotSentInClear(t *testing.T) {
	for _, c := range []struct {
		base     string
		insecure bool
		sent     bool
	}{
		{"http://127.0.0.1", false, true}, {"http://localhost", false, true}, {"http://[::1]", false, true},
		{"http://desk.test", false, false}, {"http://192.0.2.7", false, false}, {"http://127.0.0.1.desk.test", false, false},
		{"http://localhost.desk.test", false, false}, {"http://desk.test", true, true},
	} {
		dialled := false
		config := withToken(c.base)
		config.InsecureToken = c.insecure
		config.Dial = func(context.Context, string, string) (net.Conn, error) {
			dialled = true
			return nil, errors.New("no such host")
		}
		err := requestOnce(t, config)
		if dialled != c.sent || err == nil || errors.Is(err, ErrTokenInClear) == c.sent || (OutcomeOf(err) == Refused) == c.sent {
			t.Errorf("%s: dialled %t, want %t: %v", c.base, dialled, c.sent, err)
		}
	}
}

func TestTokenThatCannotBeRead(t *testing.T) {
	service := recording(t, httptest.NewServer, nil)
	config := withToken(service.URL)
	config.Token = func(context.Context) (string, error) { return "", errors.New("the file is missing") }
	if err := requestOnce(t, config); err == nil || err.Error() != "getting the token: the file is missing" || OutcomeOf(err) != NoToken || len(service.all()) != 0 {
		t.Errorf("%v, and %d requests", err, len(service.all()))
	}
	config.Token = func(context.Context) (string, error) { return secret + "\nX-Evil: 1", nil }
	if err := requestOnce(t, config); err == nil || leaked(texts(err)) || len(service.all()) != 0 {
		t.Errorf("%v, and %d requests", err, len(service.all()))
	}
}

// TestHTTP2: it is used if the service offers it, for streams and pages, and each stream has its own connection.
func TestHTTP2(t *testing.T) {
	service := recording(t, newTLS, respondingWith(func() http.Header { return nil }).ServeHTTP)
	p := newPool(t, Config{Service: Service{BaseURLs: []string{service.URL}, TLS: trusting(service)}})
	for range 2 {
		lease, err := p.Acquire(t.Context(), nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := lease.Open(t.Context(), model.Key{})
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		if err := stream.Next(new(wire.Message)); err != nil {
			t.Fatal(err)
		}
		lease.Healthy()
	}
	if _, err := p.Page(t.Context(), UserPage, PageQuery{Size: 1}); err != nil {
		t.Fatal(err)
	}
	from := make(map[string]bool)
	for _, r := range service.all() {
		if r.ProtoMajor != 2 || r.TLS == nil {
			t.Errorf("%s came by %s", r.URL, r.Proto)
		}
		from[r.RemoteAddr] = true
	}
	if len(from) != 3 {
		t.Errorf("%d connections for two streams and a page", len(from))
	}
}

// TestProxyFromTheEnvironmentIsUsed checks the transport, because a process reads the environment only once.
func TestProxyFromTheEnvironmentIsUsed(t *testing.T) {
	p := newPool(t, Config{Service: Service{BaseURLs: []string{"https://desk.test"}}})
	for _, by := range []*http.Client{p.client.streams, p.client.pages} {
		transport := by.Transport.(*authoriser).own
		if transport.Proxy == nil || !transport.ForceAttemptHTTP2 {
			t.Error("the transport has no proxy or no HTTP/2")
		}
	}
	if !p.client.streams.Transport.(*authoriser).own.DisableKeepAlives {
		t.Error("streams share connections")
	}
}

// TestErrorsOfAProxyNameTheProxy if it does not respond, and if it refuses the connection.
func TestErrorsOfAProxyNameTheProxy(t *testing.T) {
	dead := httptest.NewServer(nil)
	dead.Close()
	strict := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer strict.Close()
	for _, c := range []struct{ base, proxy, words string }{
		{"http://desk.test", dead.URL, "the proxy cannot be reached: "},
		{"https://desk.test", dead.URL, "the proxy cannot be reached: "},
		{"https://desk.test", strict.URL, "the proxy responded with 403 Forbidden"},
	} {
		p := newPool(t, Config{Service: Service{BaseURLs: []string{c.base}}})
		throughProxy(p, c.proxy)
		if err := requestPage(p); err == nil || !strings.HasPrefix(err.Error(), c.words) || StepOf(err) != Proxy {
			t.Errorf("%s: %v", c.base, err)
		}
	}
}

func TestParseBaseURL(t *testing.T) {
	for _, text := range []string{"http://desk.test", "https://desk.test:8443/gate/way/", "http://[::1]:80"} {
		if _, err := ParseBaseURL(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "desk.test", "ftp://desk.test", "ftp://me:PASSWORD@desk.test", "http://", "http://me:PASSWORD@desk.test", "http://desk.test?token=PASSWORD", "http://desk.test/#PASSWORD",
		"http://desk.test:port", "http://me:PASSWORD@desk.test:port", "http://me:PASSWORD%zz@desk.test", "http://me:PASSWORD@desk test/", "me:PASSWORD@desk.test",
	} {
		if _, err := ParseBaseURL(text); err == nil || strings.Contains(err.Error(), "PASSWORD") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, words := range map[string]string{
		"desk.test": `"desk.test" is not an address: `,
		"ftp://me:PASSWORD@desk.test/a?token=PASSWORD": `"ftp://...@desk.test/a?..." is not an address: `,
		"me:PASSWORD@desk.test:1#PASSWORD":             `"...@desk.test:1#..." is not an address: `,
		"http://desk.test:port?token=PASSWORD":         `"http://desk.test:port?..." is not an address: `,
	} {
		if _, err := ParseBaseURL(text); err == nil || !strings.HasPrefix(err.Error(), words) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := New(Config{}); err == nil {
		t.Error("a pool without an address")
	}
}
