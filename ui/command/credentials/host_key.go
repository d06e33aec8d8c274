package credentials

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/crypto/ssh"

	"blotter/ui/command/system"
)

// HostKey returns the private key with which a server proves its identity, from a file that only its owner can read.
// If there is no file, it makes a new key and writes it.
func HostKey(path string) (ssh.Signer, error) {
	key, err := ExistingHostKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := writeHostKey(path); err != nil && !errors.Is(err, fs.ErrExist) { // another server may have written it
			return nil, err
		}
		key, err = ExistingHostKey(path)
	}
	return key, err
}

// ExistingHostKey returns the private key of a file. It is an error if there is no file.
func ExistingHostKey(path string) (ssh.Signer, error) {
	text, err := readHostKey(path)
	if err != nil {
		return nil, err
	}
	key, err := ssh.ParsePrivateKey(text)
	if _, isEncrypted := errors.AsType[*ssh.PassphraseMissingError](err); isEncrypted {
		return nil, system.FileErrorf(path, "needs a passphrase: use a key without one")
	}
	if err != nil {
		return nil, system.FileErrorf(path, "is not a private key of SSH")
	}
	if err := CheckStrength(key.PublicKey()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// writeHostKey makes a private key and writes it to a new file.
func writeHostKey(path string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return fmt.Errorf("making a host key: %w", err)
	}
	block, err := ssh.MarshalPrivateKey(key, "blotter")
	if err != nil {
		return fmt.Errorf("making a host key: %w", err)
	}
	return system.CreateFile(path, pem.EncodeToMemory(block))
}

// NewHostKey returns a new private key, which is not kept.
func NewHostKey() (ssh.Signer, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making a host key: %w", err)
	}
	return ssh.NewSignerFromKey(key)
}
