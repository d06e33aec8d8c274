package topics

import (
	"slices"
	"strings"

	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// belowKeys are the topics that are shown below the keys.
var belowKeys = []string{"filters", "screen"}

// otherTopics are the other ones, with what opens them on the screen.
func otherTopics(k *keys.Map) string {
	text := headingMark + "More\n\n"
	for _, topic := range All() {
		if !slices.Contains(belowKeys, topic.Name) {
			text += itemMark + k.Key(keys.Palette) + " help " + topic.Name + itemGap + topic.Title + "\n"
		}
	}
	return text
}

// NewHelpPage returns the page with the keys, two topics, and a list of the others. The function drawKeys draws the
// keys in a width.
func NewHelpPage(f Facts, k *keys.Map, drawKeys func(c *pane.Context, width int) []string) *pane.Page {
	notes := readTopics(f, k, belowKeys...)
	return pane.NewLongPage(func(c *pane.Context, s pane.Size) (string, []string) {
		var lines []string
		for _, line := range drawKeys(c, s.Width-2) {
			lines = append(lines, draw.Cut(" "+strings.TrimRight(line, " "), s.Width))
		}
		lines = append(append(lines, notes(s.Width)...), "")
		return "help", append(lines, linesOf(otherTopics(k), s.Width)...)
	})
}

// NewTopicPage returns the page with a topic.
func NewTopicPage(f Facts, k *keys.Map, name string) *pane.Page {
	topic, _ := Find(name)
	text := readTopics(f, k, name)
	return pane.NewLongPage(func(_ *pane.Context, s pane.Size) (string, []string) {
		return "help: " + topic.Title, text(s.Width)
	})
}

// readTopics returns what makes the lines of topics in a width, and keeps them until the width is another.
func readTopics(f Facts, k *keys.Map, names ...string) func(width int) []string {
	var lines []string
	madeFor := 0
	return func(width int) []string {
		if width == madeFor {
			return lines
		}
		lines, madeFor = nil, width
		for _, name := range names {
			topic, _ := Find(name)
			if len(names) > 1 {
				lines = append(lines, "")
				for _, line := range draw.WrapWords(strings.ToUpper(topic.Title), width-1) {
					lines = append(lines, " "+line)
				}
			}
			lines = append(append(lines, ""), topic.Lines(f, k, width)...)
		}
		return lines
	}
}
