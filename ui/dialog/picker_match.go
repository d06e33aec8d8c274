package dialog

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"blotter/model"
	"blotter/model/match"
	"blotter/ui/draw"
)

// match returns how well the name or the identifier of the offer matches a text. Letters with others between them are
// not enough: another party would be watched than the one that was meant.
func (o *offer) match(text string, typed *offer) match.Quality {
	if o.isSingle() && o.id == typed.id || o.label == text {
		return match.Same
	}
	quality := match.Of(strings.Trim(o.label, draw.Fence), text)
	if quality == match.Same { // it has a fence
		quality = match.AnotherCase
	}
	if quality < match.Beginning && o.isSingle() {
		id, word := model.Neutralise(o.id.String()), strings.ToLower(text)
		switch {
		case strings.HasPrefix(id, word):
			quality = match.Beginning
		case strings.Contains(id, word):
			quality = max(quality, match.Inside)
		}
	}
	if quality < match.EveryWord {
		return match.None
	}
	return quality
}

// cutsNumber reports whether a text ends in the middle of a number in the offer's name, or of a word after its number.
// The digits of an identifier are not numbers.
func (o *offer) cutsNumber(text string) bool {
	label, word := strings.ToLower(o.label), strings.ToLower(text)
	at := strings.Index(label, word)
	if at < 0 || o.id.IsWellFormed() && strings.Contains(o.label, "…") {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(word)
	next, _ := utf8.DecodeRuneInString(label[at+len(word):])
	return unicode.IsDigit(last) && (unicode.IsDigit(next) || unicode.IsLetter(next)) && !match.HasWord(label, word)
}

// isWordOfName reports whether a typed text is a whole word of the name of another offer.
func (p *Picker) isWordOfName(typed *offer) bool {
	return slices.ContainsFunc(p.offers, func(o offer) bool { return o.match(typed.label, typed) >= match.WholeWord })
}
