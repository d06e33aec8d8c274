package layout

import (
	"time"

	"github.com/charmbracelet/x/ansi"
)

const noticeFor = 4 * time.Second

// Notice is a text that the second line shows for a short time.
type Notice struct {
	Text      string
	since     time.Time
	QuitsNext string // the action that has asked whether to quit; done again, it quits

	isNews bool     // newer ones replace it
	news   string   // the newest, which is shown after it; empty if there is none
	then   []string // are shown after that, one after the other
}

// Show shows a text in place of a notice. What follows that is shown after the text.
func (n *Notice) Show(text string, now time.Time) {
	*n = Notice{Text: ansi.Strip(text), since: now, then: n.then, news: n.news}
}

// Follow shows a text that did not come because of a key: it does not replace a notice that did, but follows it. Of
// several, only the newest follows. If the text is empty, nothing does.
func (n *Notice) Follow(text string, now time.Time) {
	if text = ansi.Strip(text); text == "" {
		return
	}
	if n.news = text; n.isNews {
		n.Text = ""
	}
	n.Next(now)
}

// maxThen limits how many texts are shown one after the other.
const maxThen = 10

// Then shows a text as Show does, but after all that is shown and that follows. If the text is empty, nothing follows.
func (n *Notice) Then(text string, now time.Time) {
	if text = ansi.Strip(text); text != "" && len(n.then) < maxThen {
		n.then = append(n.then, text)
	}
	n.Next(now)
}

// Next shows what follows if nothing is shown.
func (n *Notice) Next(now time.Time) {
	switch {
	case n.Text != "":
	case n.news != "":
		n.Text, n.since, n.isNews, n.news = n.news, now, true, ""
	case len(n.then) > 0:
		n.Text, n.since, n.isNews, n.then = n.then[0], now, false, n.then[1:]
	}
}

// Expire ends a notice after its time, and shows what follows.
func (n *Notice) Expire(now time.Time) {
	if now.Sub(n.since) >= noticeFor {
		n.Dismiss(false)
	}
	n.Next(now)
}

// Dismiss ends a notice at the next key, unless it has asked whether to quit, and the key does that action again. What
// follows waits for Next.
func (n *Notice) Dismiss(isAgain bool) {
	if n.QuitsNext == "" || !isAgain {
		n.Text, n.QuitsNext = "", ""
	}
}
