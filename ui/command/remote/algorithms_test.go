package remote

import (
	"crypto/rand"
	"crypto/rsa"
	"slices"
	"testing"
	"testing/synctest"

	gossh "golang.org/x/crypto/ssh"
)

// rsaKey returns an RSA key of 2048 bits, which signs with SHA-2 and SHA-1, and the same key with one algorithm alone.
func rsaKey(t *testing.T, algorithm string) (all, one gossh.Signer) {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if all, err = gossh.NewSignerFromKey(private); err == nil {
		one, err = gossh.NewSignerWithAlgorithms(all.(gossh.AlgorithmSigner), []string{algorithm})
	}
	if err != nil {
		t.Fatal(err)
	}
	return all, one
}

// TestAClientWithSHA1AloneIsRefused, in the key exchange, for messages, and in signatures of both sides.
func TestAClientWithSHA1AloneIsRefused(t *testing.T) {
	strong, weak := rsaKey(t, gossh.KeyAlgoRSA)
	host, _ := rsaKey(t, gossh.KeyAlgoRSA)
	for name, test := range map[string]struct {
		key     gossh.Signer
		change  func(*gossh.ClientConfig)
		accepts bool
	}{
		"usual":                  {newKey(t, 1), func(*gossh.ClientConfig) {}, true},
		"RSA with SHA-2":         {strong, func(*gossh.ClientConfig) {}, true},
		"group 14 with SHA-256":  {newKey(t, 1), func(c *gossh.ClientConfig) { c.KeyExchanges = []string{gossh.KeyExchangeDH14SHA256} }, true},
		"group 14 with SHA-1":    {newKey(t, 1), func(c *gossh.ClientConfig) { c.KeyExchanges = []string{gossh.InsecureKeyExchangeDH14SHA1} }, false},
		"hmac-sha2":              {newKey(t, 1), macs(gossh.HMACSHA256), true},
		"hmac-sha1":              {newKey(t, 1), macs(gossh.HMACSHA1), false},
		"hmac-sha1-96":           {newKey(t, 1), macs(gossh.InsecureHMACSHA196), false},
		"signatures of the host": {newKey(t, 1), func(c *gossh.ClientConfig) { c.HostKeyAlgorithms = []string{gossh.KeyAlgoRSA} }, false},
		"signatures of clients":  {weak, func(*gossh.ClientConfig) {}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, func(o *Options) {
				o.HostKey = host
				o.Traders[0].Keys = []gossh.PublicKey{newKey(t, 1).PublicKey(), strong.PublicKey()}
			})
			config := &gossh.ClientConfig{
				User: "anyone", Auth: []gossh.AuthMethod{gossh.PublicKeys(test.key)}, HostKeyCallback: gossh.FixedHostKey(host.PublicKey()),
			}
			test.change(config)
			c, _, _, err := gossh.NewClientConn(d.socket(t), "desk:2222", config)
			if (err == nil) != test.accepts {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil {
				c.Close()
			}
		})
	}
}

// macs makes a client use a MAC, with a cipher that needs one.
func macs(name string) func(*gossh.ClientConfig) {
	return func(c *gossh.ClientConfig) { c.MACs, c.Ciphers = []string{name}, []string{gossh.CipherAES128CTR} }
}

// TestEverythingElseIsOffered, keys of hardware tokens too.
func TestEverythingElseIsOffered(t *testing.T) {
	var usual gossh.Config
	usual.SetDefaults()
	got := secureConfig()
	if len(got.KeyExchanges) != len(usual.KeyExchanges)-1 || len(got.MACs) != len(usual.MACs)-2 || !slices.Equal(got.Ciphers, usual.Ciphers) {
		t.Errorf("%v, %v, %v", got.KeyExchanges, got.MACs, got.Ciphers)
	}
	keys := new(connection).authentication().PublicKeyAuthAlgorithms
	for _, name := range []string{gossh.KeyAlgoSKED25519, gossh.KeyAlgoSKECDSA256, gossh.KeyAlgoED25519, gossh.KeyAlgoECDSA521, gossh.KeyAlgoRSASHA512} {
		if !slices.Contains(keys, name) {
			t.Errorf("%s is not offered", name)
		}
	}
	if slices.Contains(keys, gossh.KeyAlgoRSA) {
		t.Error("ssh-rsa is offered")
	}
}
