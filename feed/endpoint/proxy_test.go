package endpoint

import (
	"strings"
	"testing"
)

func TestParseProxy(t *testing.T) {
	for text, host := range map[string]string{
		"proxy.test:8080": "proxy.test:8080", "http://proxy.test": "proxy.test", "https://me:pass@proxy.test:1": "proxy.test:1",
		"socks5://127.0.0.1:1080": "127.0.0.1:1080", "socks5h://p.test": "p.test", "[::1]:3128": "[::1]:3128",
	} {
		if proxy, err := ParseProxy(text); err != nil || proxy.Host != host {
			t.Errorf("%s: %v, %v", text, proxy, err)
		}
	}
	for _, text := range []string{
		"http://proxy.test:port", "http://[::1", "ftp://proxy.test", "http://", "://x", ":8080", "http//proxy.test:8 0", "http://me:pass-word@pro xy.test",
		"me:pass-word@proxy.test:port", "http://me:pass%zz-word@proxy.test",
	} {
		proxy, err := ParseProxy(text)
		if err == nil || strings.Contains(err.Error(), "word") || !strings.Contains(err.Error(), "is not the address of a proxy") {
			t.Errorf("%s: %v, %v", text, proxy, err)
		}
	}
}
