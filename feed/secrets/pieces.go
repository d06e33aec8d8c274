package secrets

import (
	"cmp"
	"encoding/base64"
	"slices"
)

// pieces are the parts of all secrets, in lower case, by their length. A text that has only a part of a secret, because
// it was cut, is recognised by any piece.
type pieces map[int]map[string]bool

// piecesOf returns the pieces of secrets and of their base64 forms. All pieces of one secret have the same length.
func piecesOf(secrets []string) pieces {
	p := make(pieces)
	for _, text := range secrets {
		length := min(len(text), max(8, min(len(text)/2, 16)))
		p.addForm(text, length)
		for before := range 3 {
			for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				p.addForm(base64Core(encoding, text, before), length)
			}
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

func (p pieces) addForm(form string, length int) {
	if p[length] == nil {
		p[length] = make(map[string]bool)
	}
	form = lower(form)
	for i := 0; i+length <= len(form); i++ {
		p[length][form[i:i+length]] = true
	}
}

// find returns what is to be hidden in a text, in order: the pieces in the text itself, and those behind its escapes,
// or behind escapes of escapes.
func (p pieces) find(text string) (found []span) {
	m, more := mapped(text), true
	for depth := 0; more && depth < 3; depth++ {
		for length, known := range p {
			for i := 0; i+length <= len(m.text); i++ {
				if known[m.text[i:i+length]] {
					found = append(found, span{m.from[i], m.from[i+length]})
				}
			}
		}
		m, more = m.unescaped()
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return found
}
