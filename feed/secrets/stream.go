package secrets

import (
	"strings"
	"unicode/utf8"
)

// Stream hides secrets in a text that comes in pieces. A secret may begin in one piece and end in the next: the end of
// what came is held back, up to the last control character (a line ends with one), while it could be a part of a
// secret.
type Stream struct {
	hider  *Hider
	before string // the end of what was returned
	held   string
	hidden bool // the last byte that was returned was hidden
}

// NewStream returns a Stream for one text.
func (h *Hider) NewStream() *Stream { return &Stream{hider: h} }

// Next takes a piece, and returns what can be written now.
func (s *Stream) Next(piece []byte) []byte { return s.next(piece, false) }

// End returns the rest.
func (s *Stream) End() []byte { return s.next(nil, true) }

func (s *Stream) next(piece []byte, isEnd bool) []byte {
	search := s.hider.search.Load()
	if search == nil && s.held == "" {
		return piece
	}
	text := s.before + s.held + string(piece)
	from, to := len(s.before), len(text)
	if !isEnd {
		to = max(from, len(text)-trailing(text, search.reach()))
		for to > from && to < len(text) && !utf8.RuneStart(text[to]) {
			to--
		}
	}
	var b strings.Builder
	s.hidden = replace(&b, text, from, to, search.find(text), s.hidden)
	s.before, s.held = text[max(0, to-search.reach()):to], text[to:]
	return []byte(b.String())
}

// trailing returns how many bytes at the end, up to a limit, are no control characters.
func trailing(text string, limit int) int {
	n := 0
	for n < min(limit, len(text)) && text[len(text)-1-n] >= ' ' && text[len(text)-1-n] != 0x7f {
		n++
	}
	return n
}
