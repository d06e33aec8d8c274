package frame

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

// noticeFor is how long a notice is shown.
const noticeFor = 4 * time.Second

// Notice is a text that the second line shows for a short time.
type Notice struct {
	Text      string
	since     time.Time
	QuitsNext string // the action that has asked whether to quit; done again, it quits

	hasFollowed bool   // it did not come because of a key
	next        string // is shown after it
}

// NewNotice returns a notice that begins now.
func NewNotice(text string, now time.Time) Notice { return Notice{Text: ansi.Strip(text), since: now} }

// Follow shows a text that did not come because of a key: it does not replace a notice that did, but follows it. If the
// text is empty, nothing follows.
func (n *Notice) Follow(text string, now time.Time) {
	switch text = ansi.Strip(text); {
	case text == "":
	case n.Text != "" && !n.hasFollowed:
		n.next = text
	default:
		*n = Notice{Text: text, since: now, hasFollowed: true}
	}
}

// Then shows a text as NewNotice does, but after a notice that is shown. If the text is empty, nothing follows.
func (n *Notice) Then(text string, now time.Time) {
	if n.Text == "" {
		*n = NewNotice(text, now)
	} else {
		n.Follow(text, now)
	}
}

// Expire ends a notice after its time.
func (n *Notice) Expire(now time.Time) {
	if now.Sub(n.since) >= noticeFor {
		n.end(now)
	}
}

// end shows what follows, if anything does.
func (n *Notice) end(now time.Time) {
	next := n.next
	if *n = (Notice{}); next != "" {
		n.Follow(next, now)
	}
}

// Dismiss ends a notice at the next key, unless it has asked whether to quit, and the key does that action again.
func (n *Notice) Dismiss(isAgain bool, now time.Time) {
	if n.QuitsNext == "" || !isAgain {
		n.end(now)
	}
}
