package feed

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// recorder is a service on a loopback address that takes note of what it is asked.
type recorder struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

// recording starts a service that answers as told; where answer is nil, with an empty page of margin levels.
func recording(t *testing.T, start func(http.Handler) *httptest.Server, answer http.HandlerFunc) *recorder {
	t.Helper()
	r := new(recorder)
	r.Server = start(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		r.requests = append(r.requests, request)
		r.mu.Unlock()
		if answer != nil {
			answer(w, request)
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

const secret = "s3cr3t-t0k3n"

// withToken is a configuration with a token and a header of its own.
func withToken(bases ...string) Config {
	return Config{
		BaseURLs: bases,
		Header:   http.Header{"x-desk": {"seven"}},
		Token:    func(context.Context) (string, error) { return secret, nil },
	}
}

// askOnce asks for one page.
func askOnce(t *testing.T, config Config) error {
	t.Helper()
	f, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = f.Margins(t.Context(), model.PageRequest{Size: 1})
	return err
}

// otherName is the service's address by another name of this machine.
func otherName(address string) string { return strings.Replace(address, "127.0.0.1", "localhost", 1) }

func TestRequestsCarryWhatIsConfigured(t *testing.T) {
	service := recording(t, httptest.NewServer, nil)
	for _, prefix := range []string{"", "/", "/gate/way", "/gate/way/", "/a%2Fb"} {
		if err := askOnce(t, withToken(service.URL+prefix)); err != nil {
			t.Fatal(err)
		}
		requests := service.all()
		r := requests[len(requests)-1]
		if want := strings.TrimSuffix(prefix, "/") + marginPath; r.URL.EscapedPath() != want || r.Method != http.MethodGet {
			t.Errorf("asked %s %s, want %s", r.Method, r.URL.EscapedPath(), want)
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
		err := askOnce(t, config)
		status, ok := errors.AsType[*StatusError](err)
		if !ok || status.Status != http.StatusFound || status.Retryable() || !strings.Contains(status.Words, "it redirects to") {
			t.Errorf("%v", err)
		}
	}
	if got := len(loop.all()); got != maxRedirects+1 {
		t.Errorf("asked %d times", got)
	}
	if got := len(plain.all()); got != 0 {
		t.Error("a redirect that gives up TLS was followed")
	}
}

func trusting(r *recorder) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(r.Certificate())
	return &tls.Config{RootCAs: pool}
}

// TestOnlyGETLeaves plays a whole session, with faults, pages and audits, and looks at every request.
func TestOnlyGETLeaves(t *testing.T) {
	play(t, func(s *trial) {
		s.fill(120)
		s.watch("network aa", "")
		for range 20 {
			s.node.Kick()
			s.after(time.Minute)
			s.feed.Resync()
			_, _ = s.feed.Margins(s.t.Context(), model.PageRequest{Size: 3})
			s.node.AnswerMargins(1, sim.Answer{Status: 307, Header: http.Header{"Location": {marginPath}}})
			_, _, _ = s.feed.WalkMargins(s.t.Context(), model.PageRequest{Size: 3}, 0)
			s.node.AnswerStreams(1, sim.Answer{Status: 308, Header: http.Header{"Location": {streamPath}}})
		}
		requests := s.node.Requests()
		for _, r := range requests {
			if r.Method != http.MethodGet || r.Header.Get("Content-Length") != "" || r.Header.Get("Accept") != "application/json" {
				s.t.Fatalf("%s %s %q", r.Method, r.URI, r.Header)
			}
		}
		if len(requests) < 100 {
			t.Errorf("only %d requests were made", len(requests))
		}
	})
}

// TestGzip: it is asked for where it is configured, and the first message is there as soon as it was flushed.
func TestGzip(t *testing.T) {
	for _, compression := range []bool{false, true} {
		playWith(t, sim.Config{}, Config{Compression: compression}, func(s *trial) {
			s.fill(60)
			s.watch("network", "")
			s.truth()
			s.node.Update(held("network", "0001", 77))
			s.settle()
			s.truth()
			if got := s.node.Requests()[0].Header.Get("Accept-Encoding") == "gzip"; got != compression {
				t.Errorf("gzip is asked for: %t, want %t", got, compression)
			}
		})
	}
}

// TestGzipThatWasNotAskedFor is refused, rather than read as nonsense.
func TestGzipThatWasNotAskedFor(t *testing.T) {
	service := recording(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		_, _ = zip.Write([]byte(`{"marginLevels":{}}`))
		_ = zip.Close()
	})
	if err := askOnce(t, Config{BaseURLs: []string{service.URL}}); err == nil || !strings.Contains(err.Error(), `encoded as "gzip"`) {
		t.Error(err)
	}
}

// TestGzipThatIsNotFlushed: where the service keeps the snapshot back, it is said that there is none.
func TestGzipThatIsNotFlushed(t *testing.T) {
	playBefore(t, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			zip := gzip.NewWriter(w)
			_, _ = zip.Write([]byte(pageText(true)))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
	}, func(s *trial) {
		s.watch("", "")
		s.after(30*time.Second + 10*time.Millisecond)
		s.is(model.Waiting, model.FreshConnecting)
	})
}

// TestMegabyteErrorPage: one line of it.
func TestMegabyteErrorPage(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerStreams(1, sim.Answer{Status: 502, Body: "\n <h1>Bad\tgateway\u202e</h1>" + strings.Repeat("x", 1<<20)})
		s.watch("", "")
		if words := s.link().Problem.Words; len(words) > 700 || !strings.HasPrefix(words, "<h1>Bad") || strings.ContainsAny(words, "\t\n\u202e") {
			t.Errorf("%q", words)
		}
	})
}

func TestTwoContentTypes(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerMargins(1, sim.Answer{Status: 400, Header: http.Header{"Content-Type": {"application/json", "application/grpc"}}, Body: `{"message":"no"}`})
		_, err := s.feed.Margins(s.t.Context(), model.PageRequest{Size: 1})
		if status, ok := asStatus(err); !ok || status.Words != "no" {
			t.Error(err)
		}
	})
}

// TestHTTP2 is spoken where it is offered, on streams and for pages, and each stream has a connection to itself.
func TestHTTP2(t *testing.T) {
	service := recording(t, newTLS, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == marginPath {
			_, _ = w.Write([]byte(`{"marginLevels":{}}`))
			return
		}
		_, _ = w.Write([]byte(pageText(true)))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	f, err := New(Config{BaseURLs: []string{service.URL}, TLS: trusting(service)})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Watch(model.Scope{Parties: ids("aa bb")}.Subscriptions(nil, 1))
	for live := 0; live < 2; {
		delta, err := f.Next(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		live = 0
		for i := range delta.Links {
			if delta.Links[i].Phase == model.Live {
				live++
			}
		}
	}
	if _, err := f.Margins(t.Context(), model.PageRequest{Size: 1}); err != nil {
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

// TestProxyFromTheEnvironmentIsHonoured. The environment is read once in a process, so it is the transport that
// is looked at.
func TestProxyFromTheEnvironmentIsHonoured(t *testing.T) {
	base, _ := url.Parse("https://desk.test")
	c := newClient(Config{}, []*url.URL{base})
	for _, client := range []*http.Client{c.streams, c.pages} {
		transport := client.Transport.(*gatekeeper).next.(*http.Transport)
		if transport.Proxy == nil || !transport.ForceAttemptHTTP2 {
			t.Error("the transport has no proxy or no HTTP/2")
		}
	}
	if !c.streams.Transport.(*gatekeeper).next.(*http.Transport).DisableKeepAlives {
		t.Error("streams share connections")
	}
}

// TestAProxyIsNotTakenForTheService: what does not answer, or says no, is what the environment names.
func TestAProxyIsNotTakenForTheService(t *testing.T) {
	dead := httptest.NewServer(nil)
	dead.Close()
	strict := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer strict.Close()
	for _, c := range []struct{ base, proxy, words string }{
		{"http://desk.test", dead.URL, "the proxy cannot be reached: "},
		{"https://desk.test", dead.URL, "the proxy cannot be reached: "},
		{"https://desk.test", strict.URL, "the proxy answered 403 Forbidden"},
	} {
		proxy, _ := url.Parse(c.proxy)
		f, err := New(Config{BaseURLs: []string{c.base}})
		if err != nil {
			t.Fatal(err)
		}
		f.client.pages.Transport.(*gatekeeper).next.(*http.Transport).Proxy = http.ProxyURL(proxy)
		_, err = f.Margins(t.Context(), model.PageRequest{Size: 1})
		if err == nil || !strings.HasPrefix(err.Error(), c.words) {
			t.Errorf("%s: %v", c.base, err)
		}
		var last Finding
		if f.Examine(t.Context(), model.Scope{}, func(found Finding) { last = found }) == nil || last.About != "proxy" ||
			!strings.Contains(last.Advice, "$HTTPS_PROXY") || !strings.Contains(last.Advice, "$NO_PROXY") || strings.Contains(last.Advice, "port") {
			t.Errorf("%s: %+v is found", c.base, last)
		}
		f.Close()
	}
}

func TestTLSErrorsInPlainWords(t *testing.T) {
	service := recording(t, newTLS, nil)
	plain := recording(t, httptest.NewServer, nil)
	elsewhere := trusting(service)
	elsewhere.ServerName = "desk.test"
	late := trusting(service)
	late.Time = func() time.Time { return time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		base  string
		tls   *tls.Config
		words string
	}{
		{service.URL, nil, "authority that is not known here; name it with ca_file"},
		{service.URL, elsewhere, "the certificate is for another host"},
		{service.URL, late, "the certificate has expired"},
		{"https" + strings.TrimPrefix(plain.URL, "http"), nil, "does not speak TLS; is the address http://"},
	} {
		if got := words(askOnce(t, Config{BaseURLs: []string{c.base}, TLS: c.tls})); !strings.Contains(got, c.words) {
			t.Errorf("%q, want %q", got, c.words)
		}
	}
}
