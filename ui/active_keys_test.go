package ui

import (
	"strings"
	"testing"

	"blotter/ui/keys"
	"blotter/ui/pane"
)

// somePart is a part of the screen. Its groups in these tests have an action for each word.
type somePart struct{}

// groupOf returns a group of actions of somePart, one for each word, which is its name and its hint. Those with a star
// are pinned.
func groupOf(words string) *keys.Group {
	var actions []keys.Action[somePart]
	for word := range strings.FieldsSeq(words) {
		name, isPinned := strings.CutSuffix(word, "*")
		pinnedFrom := 0
		if isPinned {
			pinnedFrom = 1
		}
		actions = append(actions, keys.Action[somePart]{Name: name, Keys: []string{name}, Hint: name, PinnedFrom: pinnedFrom})
	}
	return keys.GroupOf[somePart](words, keys.For(actions...))
}

// someKeys are the keys of a replay, of a part, and those that work everywhere. They are the same groups each time.
func someKeys() activeKeys {
	return activeKeys{
		replayed: []*keys.Group{groupOf("play")}, ofPart: []*keys.Group{groupOf("sort"), groupOf("mark")},
		everywhere: []*keys.Group{groupOf("filter pane help* quit*")},
	}
}

// TestKeysOfAnOverlayAreAlone: a key of another group would change what the overlay lies over.
func TestKeysOfAnOverlayAreAlone(t *testing.T) {
	onlyLive, onOverlay := someKeys(), someKeys()
	onlyLive.replayed = nil
	onOverlay.isOverlay = true
	for name, c := range map[string]struct {
		keys activeKeys
		want string
	}{
		"in a replay, its keys first":     {someKeys(), "play, sort, mark, filter pane help* quit*"},
		"those of the part before others": {onlyLive, "sort, mark, filter pane help* quit*"},
		"an overlay":                      {onOverlay, "sort, mark"},
	} {
		var titles []string
		for _, g := range c.keys.groups() {
			titles = append(titles, g.Title)
		}
		if got := strings.Join(titles, ", "); got != c.want {
			t.Errorf("%s: the groups are %q, want %q", name, got, c.want)
		}
	}
}

// TestHintsOfTheLastLine: what a page or an overlay leaves out, and the words that depend on what is shown. Nothing of
// it stays: the same groups are on the next screen.
func TestHintsOfTheLastLine(t *testing.T) {
	active := someKeys()
	for _, c := range []struct {
		name              string
		isPage, isOverlay bool
		nextPane, quit    string
		want              string
	}{
		{name: "a page", isPage: true, nextPane: "margins", quit: "close", want: "play help close sort mark"},
		{name: "an overlay", isOverlay: true, nextPane: "margins", quit: "close", want: "sort mark"},
		{name: "panes, after these", nextPane: "margins", quit: "live", want: "play filter margins help live sort mark"},
	} {
		active.isPage, active.isOverlay = c.isPage, c.isOverlay
		var hints []string
		for _, h := range active.hinted([]any{somePart{}}, new(pane.Context), c.nextPane, c.quit) {
			hints = append(hints, h.Text)
		}
		if got := strings.Join(hints, " "); got != c.want {
			t.Errorf("%s: the last line has %q, want %q", c.name, got, c.want)
		}
	}
}
