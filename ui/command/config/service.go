package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"blotter/feed/endpoint"
	"blotter/ui/format"
)

// ownHeaders are set by blotter or by HTTP itself.
var ownHeaders = []string{"Accept", "Accept-Encoding", "Connection", "Content-Length", "Host", "Range", "Transfer-Encoding"}

// check checks what depends on several keys of the section.
func (s *Service) check(at *places) error {
	for i, address := range s.BaseURLs {
		if _, err := endpoint.ParseBaseURL(address); err != nil {
			return at.Wrap(fmt.Sprintf("service.base_urls[%d]", i), err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		if err := checkHeader(name, s.Headers[name]); err != nil {
			return at.Wrap("service.headers."+name, err)
		}
	}
	for _, name := range s.SecretHeaders {
		if s.Header().Values(name) == nil {
			return at.Wrap("service.secret_headers", fmt.Errorf("%q is none of headers", name))
		}
	}
	switch {
	case s.TokenFile != "" && len(s.TokenCommand) > 0:
		return at.refuse("service.token_command", "must not be given together with token_file")
	case s.ClientCertificate != "" && s.ClientKey == "":
		return at.refuse("service.client_certificate", "must be given together with client_key")
	case s.ClientKey != "" && s.ClientCertificate == "":
		return at.refuse("service.client_key", "must be given together with client_certificate")
	}
	return nil
}

// check checks that no name is empty.
func (w *Watch) check(at *places) error {
	return cmp.Or(at.refuseEmptyName("watch.parties", w.Parties), at.refuseEmptyName("watch.markets", w.Markets))
}

// check checks what depends on several keys of the section, and each name of a host.
func (f *Feed) check(at *places) error {
	if first, longest := f.Times.FirstBackoff, f.Times.MaxBackoff; first > longest {
		return at.refuse("feed.first_backoff", fmt.Sprintf("is %q, and must not be longer than max_backoff, %q",
			format.Duration(first), format.Duration(longest)))
	}
	for i, host := range f.MetricsHosts {
		_, _, noPort := net.SplitHostPort(host)
		if host == "" || noPort == nil || strings.Contains(host, "/") || !httpguts.ValidHostHeader(host) {
			return at.refuse(fmt.Sprintf("feed.metrics_hosts[%d]", i),
				fmt.Sprintf("%q is not the name of a host without a port, such as desk.internal", host))
		}
	}
	return nil
}

func checkHeader(name, value string) error {
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return errors.New("must be the name of a header: letters, digits and -")
	case !httpguts.ValidHeaderFieldValue(value):
		return errors.New("must be a text without control characters")
	case strings.EqualFold(name, "Authorization"):
		return errors.New("must not be set here: use token_file, token_command or $BLOTTER_TOKEN, which keep the token from other hosts")
	case slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)):
		return errors.New("must not be set here: requests and responses depend on it")
	}
	return nil
}
