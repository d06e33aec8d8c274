package terminal

import "testing"

func TestPasteFilter(t *testing.T) {
	for name, test := range map[string]struct{ input, want string }{
		"keys":                     {"a\x1b[A\x03\x1b", "a\x1b[A\x03\x1b"},
		"text":                     {"a\x1b[200~b\tä😀\r\nc\x1b[201~d", "a\x1b[200~b\tä😀\r\nc\x1b[201~d"},
		"two pastes":               {"\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~", "\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~"},
		"unterminated OSC":         {"\x1b[200~\x1b]52;c;\x1b[201~q", "\x1b[200~]52;c;\x1b[201~q"},
		"OSC in a byte":            {"\x1b[200~\x9d52;c;\x1b[201~q", "\x1b[200~52;c;\x1b[201~q"},
		"half an end":              {"\x1b[200~\x1b[20\x1b[201~q", "\x1b[200~[20\x1b[201~q"},
		"a start in a paste":       {"\x1b[200~a\x1b[200~b\x1b[201~q", "\x1b[200~a[200~b\x1b[201~q"},
		"an escape before the end": {"\x1b[200~a\x1b\x1b[201~q", "\x1b[200~a\x1b[201~q"},
		"ctrl+c":                   {"\x1b[200~\x1b]52;c;\x03q", "\x1b[200~]52;c;\x1b[201~\x03q"},
		"ctrl+c by Kitty":          {"\x1b[200~a\x1b[99;5uq", "\x1b[200~a\x1b[201~\x1b[99;5uq"},
		"ctrl+c with caps lock":    {"\x1b[200~a\x1b[99;69uq", "\x1b[200~a\x1b[201~\x1b[99;69uq"},
		"no UTF-8":                 {"\x1b[200~\xc3\x28\x80\xffa\x1b[201~", "\x1b[200~\xc3(\xffa\x1b[201~"},
	} {
		var whole, bytewise pasteFilter
		if got := string(whole.filter([]byte(test.input))); got != test.want {
			t.Errorf("%s: got %q, not %q", name, got, test.want)
		}
		got := ""
		for _, b := range []byte(test.input) {
			got += string(bytewise.filter([]byte{b}))
		}
		if got != test.want {
			t.Errorf("%s, byte by byte: got %q, not %q", name, got, test.want)
		}
	}
}
