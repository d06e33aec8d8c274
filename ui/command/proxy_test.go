package command

import "testing"

// TestMalformedProxyIsRefused at the start: net/http would connect without it.
func TestMalformedProxyIsRefused(t *testing.T) {
	for name, address := range map[string]string{"HTTP_PROXY": "http://me:pass@proxy.test:port", "https_proxy": "http://me:pass@proxy.test:port"} {
		withService(t, func(s *service) {
			s.environment[name] = address
			s.run("positions").exits(2).prints("").printsErrors("blotter: $" + name + ": \"http://...@proxy.test:port\" is not the address of a proxy: " +
				"it must be HOST:PORT, or begin with http://, https://, socks5:// or socks5h:// and name a host, without a path\n")
			s.run("positions", "--demo").exits(0)
		})
	}
	withService(t, func(s *service) {
		s.environment["HTTP_PROXY"], s.environment["http_proxy"] = "proxy.test:8080", "unused because of the other"
		s.run("positions").exits(0)
	})
}
