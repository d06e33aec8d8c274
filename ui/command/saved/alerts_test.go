package saved

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneProgramHoldsTheAlerts of a service at a time, and each of several changes what is kept.
func TestOneProgramHoldsTheAlerts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blotter", "state.json")
	first, second := NewStateFile(path, "mainnet").Alerts(), NewStateFile(path, "mainnet").Alerts()
	other := NewStateFile(path, "testnet").Alerts()
	if !first.Hold() || second.Hold() || !first.Hold() || !other.Hold() {
		t.Error("the lock is not held by the first program alone")
	}
	add := func(file *AlertsFile, word string) (before string) {
		t.Helper()
		var kept string
		if err := file.Change(&kept, func() bool { before, kept = kept, kept+word; return true }); err != nil {
			t.Error(err)
		}
		return before
	}
	add(first, "a")
	if before := add(second, "b"); before != "a" {
		t.Errorf("the second program reads %q", before)
	}
	if before := add(other, "c"); before != "" {
		t.Errorf("that of another service reads %q", before)
	}
	first.Close()
	if !second.Hold() {
		t.Error("the second program does not take the lock")
	}
	if NewStateFile("", "mainnet").Alerts() != nil {
		t.Error("without a state there is a file")
	}
}

// TestAlertsThatCannotBeUsed are kept under another name if they are damaged, and else not replaced.
func TestAlertsThatCannotBeUsed(t *testing.T) {
	for text, want := range map[string]string{"{": "It is kept: ", `{"written_by":"blotter","version":9}`: "a newer blotter wrote it"} {
		file := NewStateFile(filepath.Join(t.TempDir(), "state.json"), "mainnet").Alerts()
		if err := os.WriteFile(file.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var kept string
		err := file.Change(&kept, func() bool { kept = "new"; return true })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", text, err)
		}
		now, _ := os.ReadFile(file.path)
		if isReplaced := strings.Contains(string(now), "new\""); isReplaced != strings.Contains(want, "kept") {
			t.Errorf("%s is now %s", text, now)
		}
	}
}
