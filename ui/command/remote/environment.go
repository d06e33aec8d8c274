package remote

import (
	"slices"
	"strings"
)

// The limits of what a client says of its terminal.
const (
	maxVariable = 256 // bytes of a value
	maxColumns  = 400
	maxRows     = 120
)

// variables are the names of the environment that a client may set. They say how its terminal draws.
var variables = [...]string{
	"COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME", "TERM",
}

// environment has the variables that a client has set. The environment of the server is not in it.
type environment map[string]string

// set sets a variable and reports whether a client may set it.
func (e environment) set(name, value string) bool {
	if !slices.Contains(variables[:], name) || len(value) > maxVariable || strings.ContainsFunc(value, isNotPrintable) {
		return false
	}
	e[name] = value
	return true
}

func isNotPrintable(r rune) bool { return r < ' ' || r > '~' }

// get returns a variable; empty if it is not set.
func (e environment) get(name string) string { return e[name] }

// list returns the variables for the library of the screen. NO_COLOR is not in it: the theme follows it, and the
// library follows only some of its values.
func (e environment) list() []string {
	var list []string
	for name, value := range e {
		if name != "NO_COLOR" {
			list = append(list, name+"="+value)
		}
	}
	slices.Sort(list)
	return list
}

// size is the size of a terminal in cells.
type size struct{ columns, rows int }

// bounded returns the size that a client sent, within the limits. If a client does not know a dimension it sends 0: it
// stays as it was.
func (s size) bounded(columns, rows uint32) size {
	if columns > 0 {
		s.columns = int(min(columns, maxColumns))
	}
	if rows > 0 {
		s.rows = int(min(rows, maxRows))
	}
	return s
}
