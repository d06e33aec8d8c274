package endpoint

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestHide(t *testing.T) {
	var secrets Secrets
	secrets.Add(secret)
	for text, want := range map[string]string{
		"":                             "",
		"no secret here":               "no secret here",
		"a " + secret + " b":           "a [token] b",
		secret + secret:                "[token]",
		"x" + secret[3:] + "y":         "x[token]y",
		"short " + secret[:7] + "!":    "short " + secret[:7] + "!", // seven characters are not enough to find the rest
		"100% of \\ and %zz, \\u12, %": "100% of \\ and %zz, \\u12, %",
		"\xff" + secret + "\xff":       "\xff[token]\xff",
		url.QueryEscape(url.QueryEscape(secret)) + ".":     "[token].",
		fmt.Sprintf("%q", "="+everyByte(secret, `\u%04x`)): `"=[token]"`, // JSON in an error text of Go
	} {
		if got := secrets.Hide(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for range 20 {
		secrets.Add(fmt.Sprint(time.Now().UnixNano(), "-and-more-of-it"))
	}
	if len(secrets.tokens) != secretsKept {
		t.Errorf("%d tokens are kept", len(secrets.tokens))
	}
	secrets.Add("ab")
	if got := secrets.Hide("cab"); got != "c[token]" {
		t.Errorf("a short token: %q", got)
	}
}

func FuzzHide(f *testing.F) {
	f.Add("the token is "+secret, 3)
	f.Add(everyByte(secret, "%%%02x"), 1)
	f.Fuzz(func(t *testing.T, text string, at int) {
		var secrets Secrets
		secrets.Add(secret)
		at = max(0, min(at, len(text)))
		if got := secrets.Hide(text[:at] + secret + text[at:]); strings.Contains(got, secret) {
			t.Errorf("%q", got)
		}
	})
}
