package metrics

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// OnlyHosts returns a handler that refuses a request for a host that is neither localhost, nor an IP address, nor one
// of hosts. A web page can make its own name resolve to this machine, to read what next serves only for programs of
// this machine (DNS rebinding). The requests of such a page have its name.
func OnlyHosts(next http.Handler, hosts []string) http.Handler {
	accepted := append([]string{"localhost"}, hosts...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostOf(r.Host)
		_, noAddress := netip.ParseAddr(host)
		isHost := func(known string) bool { return strings.EqualFold(known, host) }
		if noAddress != nil && !slices.ContainsFunc(accepted, isHost) {
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
