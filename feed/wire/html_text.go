package wire

import (
	"bytes"
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isHTML reports whether text begins like a page for a browser, which a proxy in front of the service sends.
func isHTML(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) }

// htmlText returns the title of a page for a browser, or else its text, in one line and neutralised; empty if it has
// neither. The page may be cut.
func htmlText(page []byte) string {
	var title, text strings.Builder
	var inside atom.Atom // the element whose text is no text of the page
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for kind := tokens.Next(); kind != html.ErrorToken && text.Len() <= 8*lineCells; kind = tokens.Next() {
		switch kind {
		case html.StartTagToken:
			name, _ := tokens.TagName()
			switch tag := atom.Lookup(name); tag {
			case atom.Title, atom.Script, atom.Style:
				inside = tag
			}
		case html.EndTagToken:
			inside = 0
		case html.TextToken:
			switch inside {
			case 0:
				text.Write(tokens.Text())
				text.WriteByte(' ')
			case atom.Title:
				title.Write(tokens.Text())
			}
		}
	}
	return cmp.Or(allInOneLine([]byte(title.String())), allInOneLine([]byte(text.String())))
}
