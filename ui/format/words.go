package format

import (
	"strings"

	"blotter/model"
	"blotter/model/filter"
)

// maxShown is how many bytes a text of the service may have to be shown whole. Formatting a megabyte for each frame
// would take too long.
const maxShown = 1 << 10

// Text returns a text of the service, neutralised and safe for the screen. A text that is too long is cut, and its
// length is added.
func Text(text string) string {
	if len(text) <= maxShown {
		return model.Neutralise(text)
	}
	const kept = 100
	return model.Neutralise(strings.ToValidUTF8(text[:kept], "")) + "… (" + Grouped(len(text)) + " bytes)"
}

// Grouped formats a count with its thousands grouped.
func Grouped(n int) string { return model.AmountOf(int64(n)).Scaled(0, false) }

// Counted returns a number of things: 1 row, 2,000 rows.
func Counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Grouped(n) + " " + thing
}

// StatusWords returns the status of a position, such as ORDERS CLOSED; empty if it has none. The words are those that
// filters match, so that a reader can type what is seen. It is not neutralised: see Status.
func StatusWords(p *model.Position) string {
	if p.Status() == model.StatusUnspecified {
		return ""
	}
	return filter.StatusText(p.StatusName())
}

// Status formats the status of a position.
func Status(p *model.Position) string { return Text(StatusWords(p)) }

// StatusMeaning returns in a few words what a status says about a position; empty if it says nothing.
func StatusMeaning(status model.Status) string {
	switch status {
	case model.StatusDistressed:
		return "too little margin"
	case model.StatusOrdersClosed:
		return "its orders were closed"
	case model.StatusClosedOut:
		return "closed by the service"
	}
	return ""
}

// WatchesAll is the end of a sentence for when the streams of the scope are replaced by one for all positions.
const WatchesAll = "the whole service is watched instead of the scope, whose rows are picked here: a proxy holds back all of its streams"
