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
	Since     time.Time
	QuitsNext string // the action that has asked whether to quit; done again, it quits
}

// NewNotice returns a notice that begins now.
func NewNotice(text string, now time.Time) Notice { return Notice{Text: ansi.Strip(text), Since: now} }

// Expire ends a notice after its time.
func (n *Notice) Expire(now time.Time) {
	if now.Sub(n.Since) >= noticeFor {
		*n = Notice{}
	}
}

// Dismiss ends a notice at the next key, unless it has asked whether to quit, and the key does that action again.
func (n *Notice) Dismiss(isAgain bool) {
	if n.QuitsNext == "" || !isAgain {
		*n = Notice{}
	}
}
