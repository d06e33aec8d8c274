package command

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// keyLines are the lines that keys stand on. Elements of a list of sections are counted from 0:
// market[2].price_decimals. A section is a key too.
type keyLines map[string]int

// has tells whether the file has the key.
func (l keyLines) has(key string) bool { return l.line(key) > 0 }

// line is the line of the key, 0 where the file has no such key. A single section may stand for a list of one.
func (l keyLines) line(key string) int { return cmp.Or(l[key], l[plainKey(key)]) }

// linesOf finds the lines of the keys of a text that is known to be TOML: go-toml tells the place of what it
// refuses itself, but not of what is checked afterwards.
func linesOf(text []byte) keyLines {
	lines := make(keyLines)
	elements := make(map[string]int)
	section := ""
	var parser unstable.Parser
	parser.Reset(text)
	for parser.NextExpression() {
		expression := parser.Expression()
		key, line := joinKey(&parser, expression)
		switch expression.Kind {
		case unstable.ArrayTable:
			section = fmt.Sprintf("%s[%d]", key, elements[key])
			elements[key]++
			lines[section] = line
		case unstable.Table:
			section = key
			lines[section] = line
		case unstable.KeyValue:
			lines.add(&parser, section, expression)
		}
	}
	return lines
}

// add notes a key, and the keys inside its value.
func (l keyLines) add(parser *unstable.Parser, section string, expression *unstable.Node) {
	key, line := joinKey(parser, expression)
	if section != "" {
		key = section + "." + key
	}
	l[key] = line
	l.addInside(parser, key, expression.Value())
}

func (l keyLines) addInside(parser *unstable.Parser, key string, value *unstable.Node) {
	children := value.Children()
	for i := 0; children.Next(); i++ {
		switch child := children.Node(); {
		case child.Kind == unstable.KeyValue:
			l.add(parser, key, child)
		case value.Kind == unstable.Array:
			element := fmt.Sprintf("%s[%d]", key, i)
			if child.Raw.Length > 0 {
				l[element] = parser.Shape(child.Raw).Start.Line
			}
			l.addInside(parser, element, child)
		}
	}
}

// joinKey is the key of an expression with its parts joined by dots, and the line of its first part.
func joinKey(parser *unstable.Parser, expression *unstable.Node) (key string, line int) {
	var parts []string
	for it := expression.Key(); it.Next(); {
		if line == 0 {
			line = parser.Shape(it.Node().Raw).Start.Line
		}
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, "."), line
}

var elementOf = regexp.MustCompile(`\[\d+\]`)

// plainKey is a key as people write it, without the counts of its sections.
func plainKey(key string) string { return elementOf.ReplaceAllString(key, "") }

// decodeError says what is wrong with a file that go-toml refuses, in the first place where something is.
func (d *configDocument) decodeError(err error) error {
	var missing *toml.StrictMissingError
	if errors.As(err, &missing) {
		unknown := missing.Errors[0]
		return d.at(&unknown, "is not a setting%s", suggestion(unknown.Key()))
	}
	var refused *toml.DecodeError
	if !errors.As(err, &refused) {
		return usage("%s: %w", d.path, err)
	}
	isTwice := strings.Contains(refused.Error(), "already")
	if words := allowed(strings.Join(refused.Key(), ".")); words != "" && !isTwice {
		return d.at(refused, "must %s", words)
	}
	return d.at(refused, "%s", strings.TrimPrefix(refused.Error(), "toml: "))
}

func (d *configDocument) at(place *toml.DecodeError, format string, arguments ...any) error {
	line, _ := place.Position()
	words := fmt.Sprintf(format, arguments...)
	if key := strings.Join(place.Key(), "."); key != "" {
		words = key + ": " + words
	}
	return usage("%s:%d: %s", d.path, line, words)
}

// allowed is what the value of a key must be: the tag must of its field. It is empty for a key that there is not.
func allowed(key string) string {
	section := reflect.TypeFor[fileConfig]()
	words := ""
	for part := range strings.SplitSeq(key, ".") {
		field, ok := fieldOf(section, part)
		if !ok {
			return words
		}
		words, section = field.Tag.Get("must"), field.Type
	}
	return words
}

// fieldOf is the field of a section, or of the elements of a list of sections, that a key stands for.
func fieldOf(section reflect.Type, key string) (reflect.StructField, bool) {
	for field := range fieldsOf(section) {
		if strings.EqualFold(field.Tag.Get("toml"), key) {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// fieldsOf yields the fields of a section, or of the elements of a list of sections; none for a plain value.
func fieldsOf(section reflect.Type) func(func(reflect.StructField) bool) {
	if section.Kind() == reflect.Slice {
		section = section.Elem()
	}
	if section.Kind() != reflect.Struct {
		return func(func(reflect.StructField) bool) {}
	}
	return section.Fields()
}
