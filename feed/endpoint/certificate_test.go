package endpoint

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"blotter/model"
)

// askingForCertificates starts a service over TLS that asks for a client certificate, and accepts none too.
func askingForCertificates(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	return s
}

// TestClientCertificateIsOnlyForHostsOfTheConfiguration: a redirect to another host is followed without it.
func TestClientCertificateIsOnlyForHostsOfTheConfiguration(t *testing.T) {
	other := recording(t, askingForCertificates, nil)
	service := recording(t, askingForCertificates, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusFound)
	})
	settings := trusting(other)
	settings.RootCAs.AddCert(service.Certificate())
	settings.Certificates = service.TLS.Certificates
	if err := requestOnce(t, Config{Service: Service{BaseURLs: []string{service.URL}, TLS: settings}}); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, Config{Service: Service{BaseURLs: []string{service.URL}, TLS: settings}})
	lease, err := p.Acquire(t.Context(), nil, nil, func(Wait) {})
	if err != nil {
		t.Fatal(err)
	}
	if stream, err := lease.Open(t.Context(), model.Key{}); err == nil {
		stream.Close()
	}
	for name, asked := range map[string]*recorder{"the service": service, "the other host": other} {
		requests := asked.all()
		if len(requests) == 0 {
			t.Fatalf("%s: no request", name)
		}
		for _, r := range requests {
			if shown := len(r.TLS.PeerCertificates) > 0; shown != (asked == service) {
				t.Errorf("%s: the certificate was shown: %v", name, shown)
			}
		}
	}
}

// TestHeadersWithCredentialsAreHidden in the words of the service.
func TestHeadersWithCredentialsAreHidden(t *testing.T) {
	service := recording(t, httptest.NewServer, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "you sent "+r.Header.Get("X-Api-Key")+" "+r.Header.Get("X-Desk")+" "+r.Header.Get("X-Region"), http.StatusForbidden)
	})
	err := requestOnce(t, Config{Service: Service{
		BaseURLs: []string{service.URL}, SecretHeaders: []string{"x-desk"},
		Header: http.Header{"X-Api-Key": {"the-key-itself"}, "X-Desk": {"desk-seven"}, "X-Region": {"region-nine"}},
	}})
	if want := "you sent [token] [token] region-nine"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
