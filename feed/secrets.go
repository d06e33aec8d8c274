package feed

import (
	"bytes"
	"errors"
	"slices"
	"sync"
)

// secrets are the tokens that were sent. A service may repeat what it was sent in what it says, and what it says
// goes to the screen and into the log. The nil secrets are none.
type secrets struct {
	mu     sync.Mutex
	tokens []string // the latest, no more than secretsKept
}

// secretsKept is how many tokens are remembered: they are replaced from time to time, and answers take theirs.
const secretsKept = 8

// hiddenToken stands where a token was.
const hiddenToken = "[token]"

// keep remembers a token that is being sent.
func (s *secrets) keep(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token == "" || slices.Contains(s.tokens, token) {
		return
	}
	if len(s.tokens) == secretsKept {
		s.tokens = s.tokens[1:]
	}
	s.tokens = append(s.tokens, token)
}

// hide is the text with no token in it.
func (s *secrets) hide(text []byte) []byte {
	if s == nil {
		return text
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, token := range s.tokens {
		text = bytes.ReplaceAll(text, []byte(token), []byte(hiddenToken))
	}
	return text
}

// hideIn is the error with no token in its text. Only one that has a token is no longer the error that it was.
func (s *secrets) hideIn(err error) error {
	text := err.Error()
	if hidden := string(s.hide([]byte(text))); hidden != text {
		return errors.New(hidden)
	}
	return err
}
