package secrets

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
)

// pattern is a secret as pieces of equal length, of the secret itself and of its base64 forms. A text that has only a
// part of the secret, because it was cut, is recognised by any piece.
type pattern struct {
	text   string
	length int
	pieces map[string]bool // in lower case
}

func newPattern(text string) *pattern {
	p := &pattern{text: text, length: min(len(text), max(8, min(len(text)/2, 16))), pieces: make(map[string]bool)}
	p.add(text)
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			p.add(base64Core(encoding, text, before))
		}
	}
	return p
}

// base64Core is the part of the base64 form of a secret that does not depend on the text before and behind it. before
// is how many bytes of that text share the first group of three with the secret.
func base64Core(encoding *base64.Encoding, text string, before int) string {
	whole := encoding.EncodeToString(append(make([]byte, before), text...))
	first, last := (before*8+5)/6, (before+len(text))*8/6
	return whole[min(first, last):last]
}

func (p *pattern) add(form string) {
	form = lower(form)
	for i := 0; i+p.length <= len(form); i++ {
		p.pieces[form[i:i+p.length]] = true
	}
}

// search finds the pieces of all patterns in one pass. Each piece has several groups of a few bytes, so only every
// step-th group of a text is looked up. If nothing is found, that is nearly all of the work.
type search struct {
	patterns []*pattern
	group    int             // bytes of a group: 1 to 4
	step     int             // so that each piece has a group that is looked up
	longest  int             // of the pieces
	groups   [1 << 13]uint64 // a set of hashes of all groups of all pieces
	exact    map[uint32]bool // the groups
}

const hashBits = 19 // of 64 * 1<<13

func newSearch(patterns []*pattern) *search {
	shortest := slices.MinFunc(patterns, func(a, b *pattern) int { return cmp.Compare(a.length, b.length) }).length
	s := &search{patterns: patterns, group: min(4, shortest), exact: make(map[uint32]bool)}
	s.step = shortest - s.group + 1
	for _, p := range patterns {
		s.longest = max(s.longest, p.length)
		for piece := range p.pieces {
			for i := 0; i+s.group <= len(piece); i++ {
				g := s.groupAt(piece, i)
				s.exact[g] = true
				s.groups[hash(g)>>6] |= 1 << (hash(g) & 63)
			}
		}
	}
	return s
}

// groupAt returns a group as a number, with the case of letters removed; other characters may be mixed up too.
func (s *search) groupAt(text string, i int) uint32 {
	if s.group == 4 {
		return fourAt(text, i)
	}
	var g uint32
	for _, c := range []byte(text[i : i+s.group]) {
		g = g<<8 | uint32(c|0x20)
	}
	return g
}

func fourAt(text string, i int) uint32 {
	four := text[i : i+4]
	return (uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24) | 0x20202020
}

func hash(g uint32) uint32 { return g * 2654435769 >> (32 - hashBits) }

// find returns what is to be hidden in a text, in order.
func (s *search) find(text string) []span {
	if s == nil || text == "" {
		return nil
	}
	found := s.findPlain(text, nil)
	for from, to := range escapedParts(text, s.longest) {
		v := plainView(text[from:to])
		for range 2 { // its escapes read, and the escapes in those read
			next, changed := v.unescaped()
			if !changed {
				break
			}
			v = next
			for _, in := range s.findPlain(v.text, nil) {
				found = append(found, span{from + v.from[in.from], from + v.from[in.to]})
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return found
}

// findPlain appends the pieces in a text as it is.
func (s *search) findPlain(text string, found []span) []span {
	if s.group == 4 { // the usual case, without a call for each group
		for i := 0; i+4 <= len(text); i += s.step {
			g := fourAt(text, i)
			if h := hash(g); s.groups[h>>6]&(1<<(h&63)) != 0 && s.exact[g] {
				found = s.findAt(text, i, found)
			}
		}
		return found
	}
	for i := 0; i+s.group <= len(text); i += s.step {
		if s.exact[s.groupAt(text, i)] {
			found = s.findAt(text, i, found)
		}
	}
	return found
}

// findAt appends the pieces that have the group at i.
func (s *search) findAt(text string, i int, found []span) []span {
	for _, p := range s.patterns {
		first, last := max(0, i+s.group-p.length), min(i, len(text)-p.length)
		if first > last {
			continue
		}
		around := lower(text[first : last+p.length])
		for at := first; at <= last; at++ {
			if p.pieces[around[at-first:at-first+p.length]] {
				found = append(found, span{at, at + p.length})
			}
		}
	}
	return found
}

// escapedParts yields the parts of a text in which a piece may have escapes: from the characters before the first
// escape to those behind the last, as long as a piece is.
func escapedParts(text string, longest int) func(func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		from, to := -1, 0
		for at := range escapes(text) {
			if from >= 0 && at >= to {
				if !yield(from, to) {
					return
				}
				from = -1
			}
			if from < 0 {
				from = max(0, at-longest)
			}
			to = at + longest + 12
		}
		if from >= 0 {
			yield(from, min(len(text), to))
		}
	}
}

// escapes yields where each % and \ is.
func escapes(text string) func(func(at int) bool) {
	return func(yield func(at int) bool) {
		percent, backslash := indexFrom(text, '%', 0), indexFrom(text, '\\', 0)
		for percent < len(text) || backslash < len(text) {
			if at := min(percent, backslash); !yield(at) {
				return
			}
			if percent < backslash {
				percent = indexFrom(text, '%', percent+1)
			} else {
				backslash = indexFrom(text, '\\', backslash+1)
			}
		}
	}
}

// indexFrom returns where the next such byte is, or the length of the text.
func indexFrom(text string, c byte, from int) int {
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}
