package config

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lines are the lines of keys. Elements of lists are counted from 0: market[2].price_decimals. A section is a key too.
type lines map[string]int

// line returns the line of the key. For a key that is not there, it is that of the nearest section around it, or 0.
func (l lines) line(key string) int {
	for key != "" && l[key] == 0 {
		key = key[:max(0, strings.LastIndexAny(key, ".["))]
	}
	return l[key]
}

// linesOf finds the keys of a text that is valid TOML. It is for errors and for config show: go-toml returns the line
// of a syntax error, but not of a value that is out of range. Its parser has the lines, but its interface is unstable.
func linesOf(text []byte) lines {
	finder := lineFinder{lines: make(lines), text: text, line: 1}
	elements := make(map[string]int)
	section := ""
	finder.Reset(text)
	for finder.NextExpression() {
		expression := finder.Expression()
		switch expression.Kind {
		case unstable.ArrayTable:
			key := finder.key("", expression)
			section = fmt.Sprintf("%s[%d]", key, elements[key])
			elements[key]++
			finder.lines[section] = finder.lines[key]
		case unstable.Table:
			section = finder.key("", expression)
		case unstable.KeyValue:
			finder.addInside(finder.key(section, expression), expression.Value())
		}
	}
	return finder.lines
}

// lineFinder notes the lines of keys. It counts the lines of the text up to the last key.
type lineFinder struct {
	unstable.Parser
	lines
	text         []byte
	offset, line int
}

// lineAt returns the line of a place in the text, which is rarely before the last one.
func (f *lineFinder) lineAt(place unstable.Range) int {
	offset := int(place.Offset)
	if offset < f.offset {
		f.offset, f.line = 0, 1
	}
	f.line += bytes.Count(f.text[f.offset:offset], []byte("\n"))
	f.offset = offset
	return f.line
}

func (f *lineFinder) addInside(key string, value *unstable.Node) {
	children := value.Children()
	for i := 0; children.Next(); i++ {
		switch child := children.Node(); {
		case child.Kind == unstable.KeyValue:
			f.addInside(f.key(key, child), child.Value())
		case value.Kind == unstable.Array:
			element := fmt.Sprintf("%s[%d]", key, i)
			if child.Raw.Length > 0 {
				f.lines[element] = f.lineAt(child.Raw)
			}
			f.addInside(element, child)
		}
	}
}

// key returns the key of an expression in a section, and notes its line. If it has parts, a.b.c, it notes a and a.b
// too, if they have no line yet: one of them may be the key that is wrong.
func (f *lineFinder) key(section string, expression *unstable.Node) string {
	key := section
	for it := expression.Key(); it.Next(); {
		if key != "" {
			key += "."
		}
		key += string(it.Node().Data)
		if line := f.lineAt(it.Node().Raw); f.lines[key] == 0 {
			f.lines[key] = line
		}
	}
	f.lines[key] = f.line
	return key
}

var elementOf = regexp.MustCompile(`\[\d+\]`)

// plainKey returns a key as people write it, without the numbers of elements.
func plainKey(key string) string { return elementOf.ReplaceAllString(key, "") }
