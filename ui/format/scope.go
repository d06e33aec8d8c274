package format

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"blotter/model"
	"blotter/ui/draw"
)

// Scope returns the parties and markets of a scope.
func (f *Formatter) Scope(scope *model.Scope) string { return f.ScopeIn(scope, math.MaxInt) }

// ShortScope returns the first party and the first market of a scope, and how many more there are.
func (f *Formatter) ShortScope(scope *model.Scope) string {
	return f.scopeWords(scope, min(len(scope.Parties), 1), min(len(scope.Markets), 1))
}

// ScopeIn returns the parties and markets of a scope in at most the given number of cells. A name is never cut, because
// it could be read as another one: the last names are replaced by "+2", or all of them by "3 parties". If there is no
// room for that either, the text is empty.
func (f *Formatter) ScopeIn(scope *model.Scope, cells int) string {
	parties, markets := len(scope.Parties), len(scope.Markets) // how many of them are named
	for {
		words := f.scopeWords(scope, parties, markets)
		switch {
		case draw.Width(words) <= cells:
			return words
		case parties > max(markets, 1):
			parties--
		case markets > 0:
			markets--
		case parties > 0:
			parties--
		default:
			return ""
		}
	}
}

// scopeWords returns a scope with the names of the given number of its parties and markets.
func (f *Formatter) scopeWords(scope *model.Scope, parties, markets int) string {
	words := cmp.Or(ownNames(f.part.Parties, f.Party, "parties"), "all parties")
	if len(scope.Parties) > 0 {
		words = someNames(scope.Parties, parties, f.Party, "party", "parties")
	}
	in := ownNames(f.part.Markets, f.Market, "markets")
	if len(scope.Markets) > 0 {
		in = someNames(scope.Markets, markets, f.Market, "market", "markets")
	}
	if in != "" {
		words += " in " + in
	}
	return words
}

// ownNames returns the name of the only one that may be shown, or how many of several may; empty if all may.
func ownNames(ids []model.ID, name func(model.ID) string, several string) string {
	switch len(ids) {
	case 0:
		return ""
	case 1:
		return name(ids[0])
	}
	return "your " + Grouped(len(ids)) + " " + several
}

// someNames returns the given number of the names, and how many more there are; or only how many there are.
func someNames(ids []model.ID, named int, name func(model.ID) string, one, several string) string {
	switch {
	case named == 0 && len(ids) == 1:
		return "1 " + one
	case named == 0:
		return Grouped(len(ids)) + " " + several
	}
	var words []string
	for _, id := range ids[:named] {
		words = append(words, name(id))
	}
	if more := len(ids) - named; more > 0 {
		words = append(words, "+"+strconv.Itoa(more))
	}
	return strings.Join(words, " ")
}
