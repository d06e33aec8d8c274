package metrics

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// OnlyHosts returns a handler that refuses a request for a host that is neither localhost, nor an IP address, nor one
// of hosts. A web page can let its own name resolve to this machine, and could read what next serves only for programs
// of this machine (DNS rebinding); but its requests have its name.
func OnlyHosts(next http.Handler, hosts []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := hostOf(r.Host); !isAddress(host) && !isOneOf(host, "localhost") && !isOneOf(host, hosts...) {
			http.Error(w, "this host is not accepted: add it to metrics_hosts in the configuration", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf returns the host of a Host header, without its port.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(header, "["), "]")
}

func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

func isOneOf(host string, hosts ...string) bool {
	return slices.ContainsFunc(hosts, func(known string) bool { return strings.EqualFold(known, host) })
}
