package secrets

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"
)

const token = "s3cr3t-T0k3n+4/desk=="

// everyByte returns the text with each byte in a format.
func everyByte(text, format string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

func TestHide(t *testing.T) {
	var h Hider
	h.AddToken(token)
	for text, want := range map[string]string{
		"":                             "",
		"no secret here":               "no secret here",
		"a " + token + " b":            "a [token] b",
		token + token:                  "[token]",
		"x" + token[3:] + "y":          "x[token]y",
		"short " + token[:7] + "!":     "short " + token[:7] + "!", // seven characters are not enough to find the rest
		"100% of \\ and %zz, \\u12, %": "100% of \\ and %zz, \\u12, %",
		"\xff" + token + "\xff":        "\xff[token]\xff",
		url.QueryEscape(url.QueryEscape(token)) + ".":                        "[token].",
		fmt.Sprintf("%q", "="+everyByte(token, `\u%04x`)):                    `"=[token]"`, // JSON in an error text of Go
		"%41" + strings.Repeat("x", 99) + everyByte(token, "%%%02x") + "%41": "%41" + strings.Repeat("x", 99) + "[token]%41",
	} {
		if got := h.Hide(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for range 20 {
		h.AddToken(fmt.Sprint(time.Now().UnixNano(), "-and-more-of-it"))
	}
	if len(h.tokens) != tokensKept {
		t.Errorf("%d tokens are kept", len(h.tokens))
	}
	h.AddToken("ab")
	if got := h.Hide("cab"); got != "c[token]" {
		t.Errorf("a short token: %q", got)
	}
}

// TestHideFindsEveryPlace: a secret of any length is found wherever it is.
func TestHideFindsEveryPlace(t *testing.T) {
	for length := 1; length <= 40; length++ {
		var h Hider
		text := strings.Repeat("Ab0+", 10)[:length]
		h.AddToken(text)
		for at := range 20 {
			before := strings.Repeat("-", at)
			if got := h.Hide(before + strings.ToUpper(text) + "--"); got != before+"[token]--" {
				t.Errorf("%d characters at %d: %q", length, at, got)
			}
		}
	}
}

func TestSecretsOfTheConfiguration(t *testing.T) {
	var h Hider
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("user:p{ss, \"word\""))
	for _, value := range []string{"key-of-the-desk", "Bearer bearer-token", basic, "session=cookie-1; other=cookie-2", "7"} {
		h.AddHeader(value)
	}
	proxy, err := url.Parse("http://me:pr%40xy-pass@proxy.test:8080")
	if err != nil {
		t.Fatal(err)
	}
	h.AddPassword(proxy)
	h.AddPassword(&url.URL{})
	for range 20 { // tokens that are replaced do not displace them
		h.AddToken(fmt.Sprint(rand.Uint64()))
	}
	for _, secret := range []string{
		"key-of-the-desk", "bearer-token", basic, "p{ss, \"word\"", "cookie-1", "cookie-2", "pr@xy-pass", "pr%40xy-pass",
	} {
		if got := h.Hide("<" + secret + ">"); got != "<[token]>" {
			t.Errorf("%s: %s", secret, got)
		}
	}
	if got := h.Hide("7 of 1795377116220029"); got != "7 of 1795377116220029" {
		t.Errorf("the value of one digit damages numbers: %s", got)
	}
}

// TestPasswordsOfRedirectsAreBounded: a service chooses them. They displace nothing else.
func TestPasswordsOfRedirectsAreBounded(t *testing.T) {
	var h Hider
	h.AddToken(token)
	redirect := func(password string) {
		h.AddRedirect(&url.URL{User: url.UserPassword("me", password)})
	}
	h.AddRedirect(new(url.URL))
	long := strings.Repeat("0123456789abcdef", 1<<16)
	redirect(long)
	if got := len(h.others[0]); got != maxChosen {
		t.Errorf("%d bytes of a password are kept", got)
	}
	for i := range 100 {
		redirect(fmt.Sprint("password-", i))
	}
	if len(h.others) != tokensKept || len(h.kept) != 0 {
		t.Errorf("%d and %d passwords are kept", len(h.others), len(h.kept))
	}
	if got := h.Hide(token + ", password-99"); got != "[token], [token]" {
		t.Error(got)
	}
}

func TestIsCredentialHeader(t *testing.T) {
	for name, want := range map[string]bool{
		"X-Api-Key": true, "Proxy-Authorization": true, "x-auth-TOKEN": true, "Cookie": true, "X-Secret": true, "X-Desk": false,
	} {
		if IsCredentialHeader(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

func FuzzHide(f *testing.F) {
	f.Add("the token is "+token, 3)
	f.Add(everyByte(token, "%%%02x"), 1)
	f.Fuzz(func(t *testing.T, text string, at int) {
		var h Hider
		h.AddToken(token)
		at = max(0, min(at, len(text)))
		whole := text[:at] + token + text[at:]
		if got := h.Hide(whole); strings.Contains(got, token) {
			t.Errorf("%q", got)
		}
	})
}
