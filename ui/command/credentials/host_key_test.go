package credentials

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestTheHostKeyIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "host_key")
	first, err := HostKey(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := HostKey(path)
	if err != nil {
		t.Fatal(err)
	}
	if ssh.FingerprintSHA256(first.PublicKey()) != ssh.FingerprintSHA256(again.PublicKey()) {
		t.Error("the key is another one")
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestWrongHostKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host_key")
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := HostKey(path); err == nil || !strings.Contains(err.Error(), path+" is not a private key") {
		t.Errorf("%v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := HostKey(path); err == nil || !strings.Contains(err.Error(), "can be read by others") {
		t.Errorf("%v", err)
	}
}
