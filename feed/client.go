package feed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"time"

	"blotter/model"
)

// The paths of the two operations, below the base address.
const (
	streamPath = "/api/v2/stream/positions"
	marginPath = "/api/v2/margin/levels"
)

// maxRedirects is how many redirects one request follows.
const maxRedirects = 5

// client makes the requests of a feed. All of them are GET.
//
// Streams have connections of their own, each for one stream: Go repeats a GET by itself when a connection that
// it uses again turns out to be gone, and a stream that is repeated unseen would begin a second snapshot in
// the middle of the first. Pages share connections.
type client struct {
	streams, pages *http.Client
	secrets        *secrets
	limit          int64
	answer         time.Duration
}

func newClient(config Config, bases []*url.URL) *client {
	dialer := &net.Dialer{
		Timeout:         config.Times.Connect,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3},
	}
	dial := config.Dial
	if dial == nil {
		dial = dialer.DialContext
	}
	sent := new(secrets)
	transport := func(reuse bool) http.RoundTripper {
		return &gatekeeper{config: config, bases: bases, secrets: sent, next: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			OnProxyConnectResponse: checkProxy,
			DialContext:            sparingly(dial),
			TLSClientConfig:        config.TLS.Clone(),
			TLSHandshakeTimeout:    config.Times.Connect,
			ForceAttemptHTTP2:      true,
			HTTP2:                  &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
			DisableCompression:     !config.Compression,
			DisableKeepAlives:      !reuse,
			IdleConnTimeout:        90 * time.Second,
			MaxIdleConnsPerHost:    4,
			ReadBufferSize:         64 << 10, // a busy stream fills it at once
		}}
	}
	return &client{
		streams: &http.Client{Transport: transport(false), CheckRedirect: checkRedirect},
		pages:   &http.Client{Transport: transport(true), CheckRedirect: checkRedirect},
		secrets: sent,
		limit:   config.Limits.MessageBytes,
		answer:  config.Times.Answer,
	}
}

// close lets go of the connections that no request uses.
func (c *client) close() {
	c.streams.CloseIdleConnections()
	c.pages.CloseIdleConnections()
}

// checkRedirect follows a few redirects, but none that gives up TLS.
func checkRedirect(request *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects || via[0].URL.Scheme == "https" && request.URL.Scheme != "https" {
		return http.ErrUseLastResponse
	}
	return nil
}

// gatekeeper puts the configured headers and the token on a request, and only where they belong: a request that
// was redirected to a host that the configuration does not name gets neither.
type gatekeeper struct {
	config  Config
	bases   []*url.URL
	secrets *secrets
	next    http.RoundTripper
}

func (g *gatekeeper) CloseIdleConnections() {
	if closer, ok := g.next.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

func (g *gatekeeper) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header = http.Header{"Accept": {"application/json"}, "User-Agent": {"blotter"}}
	if g.isOwnHost(request.URL) {
		for name, values := range g.config.Header {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
		if err := g.authorise(request); err != nil {
			return nil, err
		}
	}
	return g.next.RoundTrip(request)
}

func (g *gatekeeper) isOwnHost(u *url.URL) bool {
	for _, base := range g.bases {
		if base.Host == u.Host && (base.Scheme == u.Scheme || u.Scheme == "https") {
			return true
		}
	}
	return false
}

// errTokenInClear is why a token is not sent.
var errTokenInClear = errors.New("the token is not sent without TLS to a host that is not this machine; use an https:// address")

func (g *gatekeeper) authorise(request *http.Request) error {
	if g.config.Token == nil {
		return nil
	}
	if request.URL.Scheme != "https" && !isLoopback(request.URL.Hostname()) && !g.config.InsecureToken {
		return &StatusError{Words: errTokenInClear.Error()}
	}
	token, err := g.config.Token(request.Context())
	if err != nil {
		return fmt.Errorf("getting the token: %w", err)
	}
	g.secrets.keep(token)
	request.Header.Set("Authorization", "Bearer "+token)
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// get asks for an operation. The answer's status is 200, or the error says what it was.
func (c *client) get(ctx context.Context, by *http.Client, base *url.URL, path string, query url.Values) (*http.Response, error) {
	address := base.JoinPath(path)
	address.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := by.Do(request)
	if err != nil {
		return nil, c.secrets.hideIn(plainError(err))
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		defer time.AfterFunc(errorBodyPatience, func() { response.Body.Close() }).Stop()
		return nil, statusError(response, c.secrets, time.Now())
	}
	if encoding := response.Header.Get("Content-Encoding"); encoding != "" && !response.Uncompressed {
		response.Body.Close()
		return nil, fmt.Errorf("the answer is encoded as %q, which was not asked for", oneLine(c.secrets.hide([]byte(encoding))))
	}
	return response, nil
}

// plainError leaves out the method and the address that net/http puts before what went wrong: the screen
// says the address where it is of use.
func plainError(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// stream opens a positions stream. Connected is called once the request has been written on a connection that
// stands; the service may then take its time, without even a status line, where it has nothing to tell.
func (c *client) stream(ctx context.Context, base *url.URL, key model.Key, connected func()) (*http.Response, error) {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				connected()
			}
		},
	})
	return c.get(ctx, c.streams, base, streamPath, keyQuery(key))
}

// keyQuery names whom a request is about. An empty parameter is left out, because it is not the same as none.
func keyQuery(key model.Key) url.Values {
	query := make(url.Values)
	if !key.Party.IsZero() {
		query.Set("partyId", key.Party.String())
	}
	if !key.Market.IsZero() {
		query.Set("marketId", key.Market.String())
	}
	return query
}

// page asks for a page and reads it.
func (c *client) page(ctx context.Context, base *url.URL, query url.Values) (*listing, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.answer, fmt.Errorf("no answer within %s", c.answer))
	defer cancel()
	response, err := c.get(ctx, c.pages, base, marginPath, query)
	if err != nil {
		return nil, causeOf(ctx, err)
	}
	defer response.Body.Close()
	page, err := decodeListing(response.Body, c.limit, c.secrets)
	if err != nil {
		return nil, causeOf(ctx, err)
	}
	page.block = blockOf(response.Header)
	return page, nil
}

// causeOf is the reason that a context was ended for, where that is why err came about.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		return cause
	}
	return err
}
