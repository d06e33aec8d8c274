package store

// Notice is a message for the trader.
type Notice struct {
	Text   string // a line of words
	IsKept bool   // it is said once: newer notices do not replace it
	// Sequences are escape sequences that ring the bell of the terminal or notify the desktop.
	Sequences []string
}

// notices are those that Notices has not returned yet.
type notices []Notice

func (n *notices) addNotice(text string) { *n = append(*n, Notice{Text: text, IsKept: true}) }

// addIf adds a text unless it is empty.
func (n *notices) addIf(text string) {
	if text != "" {
		n.addNotice(text)
	}
}
