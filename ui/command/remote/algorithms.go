package remote

import (
	"slices"

	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// secureConfig returns the algorithms that the library offers by default, without those with SHA-1.
func secureConfig() (config gossh.Config) {
	config.SetDefaults()
	insecure := gossh.InsecureAlgorithms()
	isInsecure := func(of []string) func(string) bool {
		return func(name string) bool { return slices.Contains(of, name) }
	}
	config.KeyExchanges = slices.DeleteFunc(slices.Clone(config.KeyExchanges), isInsecure(insecure.KeyExchanges))
	config.MACs = slices.DeleteFunc(slices.Clone(config.MACs), isInsecure(append(insecure.MACs, gossh.HMACSHA1)))
	return config
}

// secureHostKey returns the host key without signatures with SHA-1, which the library offers for RSA.
func secureHostKey(key ssh.Signer) (ssh.Signer, error) {
	algorithmic, ok := key.(gossh.AlgorithmSigner)
	if !ok || key.PublicKey().Type() != gossh.KeyAlgoRSA {
		return key, nil
	}
	return gossh.NewSignerWithAlgorithms(algorithmic, []string{gossh.KeyAlgoRSASHA512, gossh.KeyAlgoRSASHA256})
}
