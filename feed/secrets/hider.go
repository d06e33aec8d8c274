// Package secrets hides credentials in texts: tokens, passwords, and the values of headers. A service may repeat them,
// and its texts are shown on the screen and written to logs and recordings. Hider has the secrets (hider.go) and finds
// their pieces in texts (pieces.go), also behind escapes (escapes.go). Only short texts are searched: errors and lines
// of logs.
package secrets

import (
	"encoding/base64"
	"math"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Hider hides secrets. The zero value hides nothing. It is safe for use by many goroutines.
type Hider struct {
	mu     sync.Mutex
	kept   []string // for as long as the program runs
	tokens []string // the latest, no more than tokensKept
	others []string // the latest passwords that a service has chosen, no more than tokensKept
	pieces atomic.Pointer[pieces]
}

// tokensKept is how many tokens are remembered: they are replaced from time to time, and a response may come after
// that.
const tokensKept = 8

const replacement = "[token]"

// AddToken remembers a token that is being sent.
func (h *Hider) AddToken(text string) { h.remember(&h.tokens, text, 1, tokensKept) }

// minLength is how long a secret of the configuration is at least: shorter ones are in too many other texts.
const minLength = 4

// Add remembers a secret of the configuration.
func (h *Hider) Add(text string) { h.remember(&h.kept, text, minLength, math.MaxInt) }

// remember remembers a text of at least some length, and forgets the oldest of its kind if there are more than most.
func (h *Hider) remember(kind *[]string, text string, least, most int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(text) < least || slices.Contains(slices.Concat(h.kept, h.tokens, h.others), text) {
		return
	}
	*kind = append(*kind, text)
	*kind = slices.Delete(*kind, 0, max(0, len(*kind)-most))
	all := piecesOf(slices.Concat(h.kept, h.tokens, h.others))
	h.pieces.Store(&all)
}

// AddPassword remembers the password of an address, if it has one.
func (h *Hider) AddPassword(address *url.URL) {
	password, _ := address.User.Password()
	h.Add(password)
}

// maxChosen is how much of a password that a service has chosen is remembered.
const maxChosen = 256

// AddRedirect remembers the password of an address to which a service redirects, if it has one. A service may choose
// others without end, and very long ones, so only the latest are remembered, and the beginning of each.
func (h *Hider) AddRedirect(address *url.URL) {
	password, _ := address.User.Password()
	h.remember(&h.others, password[:min(len(password), maxChosen)], minLength, tokensKept)
}

// AddHeader remembers the value of a header, and what of it is the secret: the token of Bearer, the password of Basic,
// the values of cookies.
func (h *Hider) AddHeader(value string) {
	h.Add(value)
	scheme, credentials, found := strings.Cut(value, " ")
	if found && !strings.HasSuffix(scheme, ";") {
		h.Add(strings.TrimSpace(credentials))
	}
	if decoded, err := base64.StdEncoding.DecodeString(credentials); err == nil && strings.EqualFold(scheme, "Basic") {
		_, password, _ := strings.Cut(string(decoded), ":")
		h.Add(password)
	}
	for pair := range strings.SplitSeq(value, ";") {
		if _, cookie, found := strings.Cut(pair, "="); found {
			h.Add(strings.Trim(cookie, `= "`))
		}
	}
}

// credentialWords are in the names of headers with credentials.
var credentialWords = []string{"authorization", "key", "token", "secret", "cookie"}

// IsCredentialHeader reports whether a header has a credential, by its name.
func IsCredentialHeader(name string) bool {
	name = lower(name)
	return slices.ContainsFunc(credentialWords, func(word string) bool { return strings.Contains(name, word) })
}

// Hide returns the text without secrets: whatever their case, in base64, with percent or backslash escapes, and in
// part.
func (h *Hider) Hide(text string) string {
	known := h.pieces.Load()
	if known == nil {
		return text
	}
	var b strings.Builder
	end := 0 // of what is written or hidden
	for _, s := range known.find(text) {
		s.from = max(s.from, end)
		if s.from >= s.to {
			continue
		}
		if b.WriteString(text[end:s.from]); s.from > end || end == 0 {
			b.WriteString(replacement)
		}
		end = s.to
	}
	b.WriteString(text[end:])
	return b.String()
}

// span is a part of a text that is hidden.
type span struct{ from, to int }
