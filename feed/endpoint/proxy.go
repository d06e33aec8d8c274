package endpoint

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// ParseProxy reads the address of a proxy as net/http does: with one of these schemes, or as HOST:PORT. No error
// repeats a user or a password.
func ParseProxy(text string) (*url.URL, error) {
	address := text
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	proxy, err := url.Parse(address)
	schemes := []string{"http", "https", "socks5", "socks5h"}
	if err != nil || proxy.Hostname() == "" || strings.Trim(proxy.Path, "/") != "" || !slices.Contains(schemes, proxy.Scheme) {
		return nil, fmt.Errorf("%q is not the address of a proxy: it must be HOST:PORT, or begin with http://, https://, "+
			"socks5:// or socks5h:// and name a host, without a path", withoutSecrets(text))
	}
	return proxy, nil
}
