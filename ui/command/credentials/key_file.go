package credentials

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"golang.org/x/crypto/ssh"

	"blotter/ui/command/system"
)

const (
	maxKeyFile = 64 << 10 // bytes of a file with keys
	minRSABits = 2048
)

// ReadPublicKeys returns the text of a file with public keys of traders. It may wait for as long as the system does.
func ReadPublicKeys(path string) (string, error) {
	text, err := system.ReadRegular(path, maxKeyFile, func(info fs.FileInfo) error {
		if info.Mode().Perm()&0o022 != 0 {
			return fmt.Errorf("can be written by others; correct it with: chmod go-w %s", path)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if text, err = keyText(text); err != nil {
		return "", system.FileErrorf(path, "%w", err)
	}
	return string(text), nil
}

func readHostKey(path string) ([]byte, error) {
	text, err := system.ReadRegular(path, maxKeyFile, func(info fs.FileInfo) error { return checkPrivate(path, info) })
	if err != nil {
		return nil, err
	}
	if text, err = keyText(text); err != nil {
		return nil, system.FileErrorf(path, "%w", err)
	}
	return text, nil
}

// checkPrivate refuses a file that other users of the system can read. Windows does not say which ones can.
func checkPrivate(path string, info fs.FileInfo) error {
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("can be read by others; correct it with: chmod 600 %s", path)
	}
	return nil
}

// keyText returns the text of a file with keys without the mark of UTF-8. It names formats of other programs.
func keyText(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	has := func(prefix string) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte(prefix)) }
	switch {
	case has("\xff\xfe"), has("\xfe\xff"), bytes.IndexByte(text, 0) >= 0:
		return nil, errors.New("is a text in UTF-16: save it as UTF-8")
	case has("PuTTY-User-Key-File"):
		return nil, errors.New("is a private key of PuTTY: PuTTYgen exports it as an OpenSSH key, and shows the public key for authorized_keys")
	case has("---- BEGIN SSH2 PUBLIC KEY"):
		return nil, errors.New("is a public key in the format of PuTTY: use the line for authorized_keys that PuTTYgen shows, or ssh-keygen -i -f FILE")
	}
	return text, nil
}

// CheckStrength refuses a key that is too short.
func CheckStrength(key ssh.PublicKey) error {
	of, ok := key.(ssh.CryptoPublicKey)
	if !ok {
		return nil
	}
	if public, ok := of.CryptoPublicKey().(*rsa.PublicKey); ok && public.N.BitLen() < minRSABits {
		return fmt.Errorf("the RSA key %s has %d bits, and at least %d are needed", ssh.FingerprintSHA256(key), public.N.BitLen(), minRSABits)
	}
	return nil
}
