package format

import (
	"strings"

	"blotter/model"
)

// labels are the names of identifiers of one kind: parties, markets or assets. They are cached, because most screens
// show the same few. An identifier without a name is shortened to its two ends, a3f9…81c2. If two cached
// labels would look the same, both are shortened less.
type labels struct {
	name  func(model.ID) (label string, named bool)
	ascii bool // names have only ASCII
	texts map[model.ID]string
	ids   map[string]model.ID // the identifier that was shortened to a text; zero if there could be several
}

// The limits of the cache: how many labels it has, and how long their identifiers are. All other labels are made each
// time.
const (
	maxLabels   = 1 << 13
	maxCachedID = 64
)

const (
	shortestEnds = 4  // how many characters of each end of a shortened identifier are shown, at least
	maxID        = 16 // how many characters an identifier may have to be shown whole
	maxNameAsID  = 40 // the same for one that is a name, such as BTC-USD-260327-110000-C
)

func newLabels(ascii bool, name func(model.ID) (string, bool)) *labels {
	return &labels{name: name, ascii: ascii, texts: make(map[model.ID]string), ids: make(map[string]model.ID)}
}

// NameOrID returns a name, or else the identifier, with a word before it if it is the name of another one. Neither is
// neutralised.
func NameOrID(name string, id model.ID, named func(string) model.ID) (label string, isNamed bool) {
	if name != "" {
		return name, true
	}
	label = id.Label()
	if other := named(label); !other.IsZero() && other != id {
		label = "id " + label
	}
	return label, false
}

func (l *labels) of(id model.ID) string {
	if label, ok := l.texts[id]; ok {
		return label
	}
	label, named := l.name(id)
	if named {
		label = l.shownName(label)
	} else {
		label = Text(label)
	}
	switch {
	case len(id.String()) > maxCachedID && named:
		return label
	case len(id.String()) > maxCachedID:
		return shortID(label, shortestEnds)
	case len(l.texts) >= maxLabels:
		clear(l.texts)
		clear(l.ids)
	}
	if named {
		l.texts[id] = label
	} else {
		l.shorten(id, shortestEnds)
	}
	return l.texts[id]
}

// shownName returns a name of the trader as the screen shows it.
func (l *labels) shownName(name string) string {
	switch {
	case len(name) > maxShown:
		return Text(name)
	case l.ascii:
		return asciiName(name)
	}
	return Name(name)
}

// shorten makes the label of an identifier without a name: its two ends, which are longer if another identifier has
// the same ends. The label of the other one becomes longer too.
func (l *labels) shorten(id model.ID, ends int) {
	label, _ := l.name(id)
	label = shortID(Text(label), ends)
	other, taken := l.ids[label]
	if !taken || other == id || ends >= maxCachedID {
		l.texts[id], l.ids[label] = label, id
		return
	}
	l.ids[label] = model.ID{}
	if !other.IsZero() {
		l.shorten(other, ends+1)
	}
	l.shorten(id, ends+1)
}

// shortID shortens a long identifier to its two ends, of the given number of characters each.
func shortID(id string, ends int) string {
	isName := strings.Trim(strings.ToLower(id), "0123456789abcdef") != ""
	if len(id) <= maxID || isName && len(id) <= maxNameAsID {
		return id
	}
	runes := []rune(id)
	if len(runes) <= max(maxID, 2*ends+1) {
		return id
	}
	return string(runes[:ends]) + "…" + string(runes[len(runes)-ends:])
}
