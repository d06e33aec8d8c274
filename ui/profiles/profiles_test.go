package profiles

import (
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func twoProfiles() *Switching {
	return &Switching{Names: []string{"mainnet", "testnet"}, Present: "mainnet"}
}

// TestMessagesOfThePreviousProfile are not those of the next one, in whatever batch they come.
func TestMessagesOfThePreviousProfile(t *testing.T) {
	before := twoProfiles()
	type data struct{ rows int }
	tagged := before.Tag(func() tea.Msg { return tea.BatchMsg{func() tea.Msg { return data{5} }} })().(tea.BatchMsg)[0]()
	if msg, isOwn := before.Untag(tagged); msg != (data{5}) || !isOwn {
		t.Errorf("its own message is %v: %t", msg, isOwn)
	}
	after := twoProfiles()
	after.Follow(before, "testnet", "testnet.example")
	if _, isOwn := after.Untag(tagged); isOwn {
		t.Error("a message of the previous profile is taken for one of the next")
	}
	if msg, isOwn := after.Untag(before.Tag(tea.Quit)()); msg != (tea.QuitMsg{}) || !isOwn {
		t.Errorf("a message for the program itself is %v: %t", msg, isOwn)
	}
}

// TestOneChangeAtATime: another profile can be opened when the one before is shown, and its source closed.
func TestOneChangeAtATime(t *testing.T) {
	s := twoProfiles()
	begin := func(name, want string, can bool) {
		t.Helper()
		if words, ok := s.Begin(name); words != want || ok != can {
			t.Errorf("%s: %q, %t; want %q, %t", name, words, ok, want, can)
		}
	}
	begin("mainnet", "This is profile mainnet.", false)
	begin("testnet", "Opening profile testnet...", true)
	begin("testnet", "A profile is being opened already.", false)
	s.Refuse("testnet", errors.New("no address"))
	if words := s.Words("testnet"); words != "not used: no address" {
		t.Errorf("after a refusal enter %q", words)
	}
	begin("testnet", "Opening profile testnet...", true)
	next := twoProfiles()
	next.Follow(s, "testnet", "testnet.example")
	s, next.Present = next, "testnet"
	begin("mainnet", "A profile is being opened already.", false)
	s.Closed()
	begin("", "Opening the configuration without a profile...", true)
}
