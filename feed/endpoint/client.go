package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"
)

// maxRedirects is how many redirects one request follows.
const maxRedirects = 5

// client makes the requests of a pool. All of them are GET.
//
// Streams have connections of their own, each for one stream: Go repeats a GET by itself when a connection that it uses
// again is lost, and a stream that is repeated in this way would begin a second snapshot in the middle of the first.
// Pages share connections.
type client struct {
	config         *Config
	streams, pages *http.Client // streams also has the pages with OwnConnection
}

func newClient(config *Config, bases []*url.URL) *client {
	dialer := &net.Dialer{
		Timeout:         config.Times.Connect,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3},
	}
	dial := config.Dial
	if dial == nil {
		dial = dialer.DialContext
	}
	transport := func(reuse bool, settings *tls.Config) *http.Transport {
		return &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			OnProxyConnectResponse: checkProxy,
			DialContext:            limited(config, dial),
			TLSClientConfig:        settings.Clone(),
			TLSHandshakeTimeout:    config.Times.Connect,
			ForceAttemptHTTP2:      true,
			HTTP2: &http.HTTP2Config{
				SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second,
				MaxReceiveBufferPerStream: streamWindow, MaxReceiveBufferPerConnection: connectionWindow,
			},
			DisableCompression:  true, // see gzip.go
			DisableKeepAlives:   !reuse,
			IdleConnTimeout:     90 * time.Second,
			MaxIdleConnsPerHost: 4,
			ReadBufferSize:      64 << 10, // a busy stream fills it at once
		}
	}
	newClient := func(reuse bool) *http.Client {
		a := &authoriser{config: config, bases: bases, own: transport(reuse, config.TLS)}
		a.others = a.own
		if config.TLS != nil {
			withoutCertificate := config.TLS.Clone()
			withoutCertificate.Certificates, withoutCertificate.GetClientCertificate = nil, nil
			a.others = transport(reuse, withoutCertificate)
		}
		return &http.Client{Transport: a, CheckRedirect: checkRedirect}
	}
	return &client{config, newClient(false), newClient(true)}
}

// close closes the connections that no request uses.
func (c *client) close() {
	c.streams.CloseIdleConnections()
	c.pages.CloseIdleConnections()
}

// checkRedirect follows a few redirects to HTTP, but none that leaves TLS.
func checkRedirect(request *http.Request, via []*http.Request) error {
	scheme := request.URL.Scheme
	if len(via) > maxRedirects || scheme != "https" && (scheme != "http" || via[0].URL.Scheme == "https") {
		return http.ErrUseLastResponse
	}
	return nil
}

// authoriser adds the configured headers and the token to requests, and shows the client certificate. A request that
// was redirected to a host that the configuration does not name gets none of them.
type authoriser struct {
	config      *Config
	bases       []*url.URL
	own, others *http.Transport // for hosts of the configuration, and for all others
}

func (a *authoriser) CloseIdleConnections() {
	a.own.CloseIdleConnections()
	a.others.CloseIdleConnections()
}

func (a *authoriser) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header = http.Header{"Accept": {"application/json"}, "User-Agent": {"blotter"}}
	a.config.Secrets.AddRedirect(request.URL) // only that of a redirect can have a password
	next := a.others
	if a.isOwnHost(request.URL) {
		next = a.own
		for name, values := range a.config.Header {
			request.Header[http.CanonicalHeaderKey(name)] = values
		}
		if err := a.authorise(request); err != nil {
			return nil, err
		}
	}
	if a.config.Compression {
		request.Header.Set("Accept-Encoding", "gzip")
	}
	return next.RoundTrip(request)
}

func (a *authoriser) isOwnHost(u *url.URL) bool {
	return slices.ContainsFunc(a.bases, func(base *url.URL) bool {
		return base.Host == u.Host && (base.Scheme == u.Scheme || u.Scheme == "https")
	})
}

func (a *authoriser) authorise(request *http.Request) error {
	if a.config.Token == nil {
		return nil
	}
	if request.URL.Scheme != "https" && !isLoopback(request.URL.Hostname()) && !a.config.InsecureToken {
		return ErrTokenInClear
	}
	token, err := a.config.Token(request.Context())
	if err != nil {
		return fmt.Errorf("%w: %w", errNoToken, err)
	}
	a.config.Secrets.AddToken(token)
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

// get sends a request for an operation. The status of the response is 200, or there is an error. With an error there
// can be a response too, of which only the header may be used.
func (c *client) get(
	ctx context.Context, by *http.Client, base *url.URL, path string, query url.Values,
) (*http.Response, error) {
	address := base.JoinPath(path)
	address.RawQuery = query.Encode()
	ctx, allowance := withAllowance(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := by.Do(request)
	if err != nil { // a *url.Error, with the method and the address: the screen shows the address if it is of use
		return nil, errors.Unwrap(err)
	}
	raw := &rawBody{ReadCloser: response.Body}
	response.Body = raw
	encodingErr := c.decode(response)
	response.Body = &contentBody{ReadCloser: response.Body, allowance: allowance.Load(), raw: raw}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		defer time.AfterFunc(errorBodyTimeout, func() { response.Body.Close() }).Stop()
		return response, c.statusError(response, time.Now())
	}
	if encodingErr != nil {
		response.Body.Close()
		return response, encodingErr
	}
	return response, nil
}

// proxyRefusal is the status with which a proxy refused a connection to the service.
type proxyRefusal string

func (p proxyRefusal) Error() string { return "the proxy responded with " + string(p) }

// checkProxy refuses all responses of a proxy except 200.
func checkProxy(_ context.Context, _ *url.URL, _ *http.Request, response *http.Response) error {
	if response.StatusCode != http.StatusOK {
		return proxyRefusal(response.Status)
	}
	return nil
}
