package export

import (
	"io"
	"unicode"
	"unicode/utf8"
)

func (r *records[R]) writeJSON(w io.Writer) error {
	if r.count == 0 {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	leads := r.jsonLeads()
	return r.writeChunks(w, func(c *chunk[R], i int) {
		separator := ",\n"
		if i == 0 {
			separator = "[\n"
		}
		c.text = c.appendRecord(append(c.text, separator...), c.record(i), leads)
		if i == c.count-1 {
			c.text = append(c.text, "\n]\n"...)
		}
	})
}

func (r *records[R]) writeLines(w io.Writer) error {
	leads := r.jsonLeads()
	return r.writeChunks(w, func(c *chunk[R], i int) {
		c.text = append(c.appendRecord(c.text, c.record(i), leads), '\n')
	})
}

// jsonLeads returns what comes before the value of each field of an object: a comma and the name.
func (r *records[R]) jsonLeads() []string {
	leads := r.fields()
	for i, field := range leads {
		leads[i] = string(append(appendString([]byte{','}, []byte(field)), ':'))
	}
	return leads
}

// appendRecord appends a record as an object, with the leads of its fields. It has at least one field.
func (r *records[R]) appendRecord(b []byte, record *R, leads []string) []byte {
	begin := len(b)
	if b = r.appendCells(b, record, leads, appendString, omitEmpty); len(b) == begin {
		b = r.appendCells(b, record, leads, appendString, writeEmpty)
	}
	b[begin] = '{' // in place of the first comma
	return append(b, '}')
}

func appendObject(b []byte, fields, texts []string) []byte {
	b = append(b, '{')
	for i, field := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, []byte(field)), ':')
		b = appendString(b, []byte(texts[i]))
	}
	return append(b, '}')
}

// appendString appends a JSON string. Libraries escape less: DEL, the C1 controls and the characters that change the
// direction of text are legal in JSON, but they can control a terminal.
func appendString(b, text []byte) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	plain := 0 // most texts need no escapes
	for plain < len(text) && text[plain] >= ' ' && text[plain] < 0x7f && text[plain] != '"' && text[plain] != '\\' {
		plain++
	}
	b = append(b, text[:plain]...)
	for _, r := range string(text[plain:]) {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case isEscaped(r): // all of them are up to U+FFFF
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

// isEscaped reports whether r is a control character (C0, DEL, C1), changes the direction of text, or breaks a line.
func isEscaped(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r < 0xa0, r == 0x2028, r == 0x2029:
		return true
	}
	return unicode.Is(unicode.Bidi_Control, r)
}
