package views

import (
	"errors"
	"testing"
)

func twoProfiles() *ProfileSwitch {
	return &ProfileSwitch{Names: []string{"mainnet", "testnet"}, Current: "mainnet"}
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
	next.Follow("testnet", "testnet.example")
	s, next.Current = next, "testnet"
	begin("mainnet", "A profile is being opened already.", false)
	s.Closed()
	begin("", "Opening the configuration without a profile...", true)
}
