//go:build unix

package credentials

import (
	"strings"
	"testing"
)

// TestTokenCommandWithTooMuchOutput is killed as soon as it has written more than a token may have.
func TestTokenCommandWithTooMuchOutput(t *testing.T) {
	for _, command := range []string{`['yes']`, `['sh', '-c', 'head -c 20000 /dev/zero | tr "\0" a']`} {
		f := newFolder(t)
		_, err := f.token(t, "[service]\ntoken_command = "+command)
		if err == nil || !strings.HasSuffix(err.Error(), " wrote more than 8192 bytes; it must write only the token, on the first line") {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// TestTokenCommandWithAChildThatStillRuns: the token of a command that ended well is taken, although something that it
// started is still there.
func TestTokenCommandWithAChildThatStillRuns(t *testing.T) {
	f := newFolder(t)
	if token, err := f.token(t, "[service]\ntoken_command = ['sh', '-c', 'echo s3cret; sleep 20 &']"); token != "s3cret" || err != nil {
		t.Errorf("got %q, %v", token, err)
	}
}

func TestTokenFileHasALimit(t *testing.T) {
	f := newFolder(t)
	f.write(t, "token", strings.Repeat("a", 20000))
	if _, err := f.token(t, "[service]\ntoken_file = 'token'"); err == nil || !strings.HasSuffix(err.Error(), "/token has more than 8192 bytes") {
		t.Error(err)
	}
}
