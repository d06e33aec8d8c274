package ui

import (
	"strings"

	"blotter/ui/draw"
)

// retryHint ends the words about the next try. It goes first where there is no room for all of them.
const retryHint = "; {resync} retries now."

// drawMessage draws the second line: the filter while it is typed, else what a key did, else what is wrong. It is there
// also where it is empty, so that the table never moves.
func (m *Model) drawMessage(width int) string {
	switch {
	case m.filter.open:
		return m.drawFilter(width)
	case m.data.baseline.confirming && m.notice.text == "":
		return draw.Text(width, m.styles.Warning, " "+draw.Cut(m.baselineQuestion(), width-2))
	case m.notice.text != "":
		return draw.Text(width, m.styles.Warning, " "+draw.CutMiddle(m.notice.text, width-2))
	}
	if reason := m.reason(); reason != "" {
		return draw.Text(width, m.styles.Warning, " "+m.fitReason(reason, width-2))
	}
	return ""
}

// fitReason shortens what is wrong to a width, but not the last sentence: when it is tried again.
func (m *Model) fitReason(reason string, width int) string {
	if draw.Width(reason) <= width {
		return reason
	}
	reason = strings.Replace(reason, m.keys.Fill(retryHint), ".", 1)
	at := max(strings.LastIndex(reason, ". "), 0)
	if what, next := reason[:at], reason[at:]; 2*draw.Width(next) <= width {
		return draw.Cut(what, width-draw.Width(next)) + next
	}
	return draw.CutMiddle(reason, width)
}
