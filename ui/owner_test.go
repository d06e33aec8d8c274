package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// TestMessagesHaveTheirOwner: a message keeps its first owner in any batch. Messages for the program have no owner.
func TestMessagesHaveTheirOwner(t *testing.T) {
	type data struct{ rows int }
	send := func() tea.Msg { return tea.BatchMsg{func() tea.Msg { return data{5} }} }
	tagged := withOwner("another", withOwner("first", send))().(tea.BatchMsg)[0]()
	if owner, msg := withoutOwner(tagged); owner != "first" || msg != (data{5}) {
		t.Errorf("it is %v of %v", msg, owner)
	}
	if owner, msg := withoutOwner(withOwner("first", tea.Quit)()); owner != nil || msg != (tea.QuitMsg{}) {
		t.Errorf("the message for the program is %v of %v", msg, owner)
	}
}
