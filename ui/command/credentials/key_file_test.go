package credentials

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g trader"

// TestFilesThatAreNoKeys of other programs, and with the marks of Windows.
func TestFilesThatAreNoKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	for want, text := range map[string]string{
		"":                       "\ufeff" + publicKey + "\r\n",
		"is a text in UTF-16":    "\xff\xfes\x00s\x00h\x00",
		"UTF-16":                 "s\x00s\x00h\x00",
		"a private key of PuTTY": "PuTTY-User-Key-File-3: ssh-ed25519\r\nEncryption: none\r\n",
		"in the format of PuTTY": "---- BEGIN SSH2 PUBLIC KEY ----\r\nComment: \"x\"\r\n",
		"has more than":          strings.Repeat("# much\n", maxKeyFile),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		switch got, err := ReadPublicKeys(path); {
		case want == "" && (err != nil || got != publicKey+"\r\n"):
			t.Errorf("with the marks of Windows: %q, %v", got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", want, err)
		}
		if _, err := HostKey(path); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("as a host key, %s: %v", want, err)
		}
	}
}

// TestAFileThatOthersCanWriteIsRefused, and one through a link is not.
func TestAFileThatOthersCanWriteIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not say who can write a file")
	}
	folder := t.TempDir()
	path, link := filepath.Join(folder, "keys"), filepath.Join(folder, "link")
	if err := errors.Join(os.WriteFile(path, []byte(publicKey), 0o600), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	for mode, want := range map[os.FileMode]bool{0o644: true, 0o600: true, 0o664: false, 0o646: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, link} {
			if _, err := ReadPublicKeys(name); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "chmod go-w") {
				t.Errorf("%s with %o: %v", filepath.Base(name), mode, err)
			}
		}
	}
	if _, err := ReadPublicKeys(folder); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

func TestShortRSAKeysAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host_key")
	for bits, want := range map[int]bool{1024: false, 2048: true} {
		private, err := rsa.GenerateKey(rand.Reader, bits)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			t.Fatal(err)
		}
		text := pem.EncodeToMemory(block)
		if bits == 2048 {
			text = append([]byte("\ufeff"), strings.ReplaceAll(string(text), "\n", "\r\n")...)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := HostKey(path); (err == nil) != want || err != nil && !strings.Contains(err.Error(), "has 1024 bits, and at least 2048 are needed") {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
}
