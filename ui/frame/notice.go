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
	QuitsNext bool // the key that interrupts was pressed; pressed again, it quits
}

// NewNotice returns a notice that begins now.
func NewNotice(text string, now time.Time) Notice { return Notice{Text: ansi.Strip(text), Since: now} }

// Expire ends a notice after its time.
func (n *Notice) Expire(now time.Time) {
	if now.Sub(n.Since) >= noticeFor {
		*n = Notice{}
	}
}

// Dismiss ends a notice at the next key; but not that of an interrupt, at a second one.
func (n *Notice) Dismiss(isInterrupt bool) {
	if !n.QuitsNext || !isInterrupt {
		*n = Notice{}
	}
}
