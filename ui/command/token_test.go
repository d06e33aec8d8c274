package command

import (
	"os"
	"runtime"
	"strings"
	"testing"

	"blotter/ui/command/exit"
)

// tokenOf puts a configuration together and asks it for the token.
func tokenOf(t *testing.T, w *world) (string, error) {
	t.Helper()
	w.environment["BLOTTER_BASE_URL"] = "https://a"
	c, err := w.configure(t)
	if err != nil {
		return "", err
	}
	if c.feed.Token == nil {
		return "", nil
	}
	return c.feed.Token(t.Context())
}

func TestTokens(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of Unix")
	}
	const secret = "s3cret"
	for _, test := range []struct{ name, file, environment, token, want string }{
		{name: "none"},
		{name: "environment over file", file: "[service]\ntoken_file = 'missing'", environment: secret, token: secret},
		{name: "file", file: "[service]\ntoken_file = 'token'", token: secret},
		{name: "command", file: "[service]\ntoken_command = ['printf', 's3cret\\n\\nmore']", token: secret},
		{name: "environment of two lines", environment: secret + "\n" + secret,
			want: "$BLOTTER_TOKEN: the token must be one line of ASCII letters, digits and signs, without spaces"},
		{name: "missing file", file: "[service]\ntoken_file = 'missing'",
			want: "FOLDER/config.toml:2: service.token_file: FOLDER/missing cannot be read: no such file or directory"},
		{name: "open file", file: "[service]\n\ntoken_file = 'open'",
			want: "FOLDER/config.toml:3: service.token_file: FOLDER/open can be read by others; correct it with: chmod 600 FOLDER/open"},
		{name: "control characters", file: "[service]\ntoken_file = 'escape'",
			want: "FOLDER/config.toml:2: service.token_file: FOLDER/escape: the token must be one line of ASCII letters, digits and signs, without spaces"},
		{name: "empty file", file: "[service]\ntoken_file = 'empty'",
			want: "FOLDER/config.toml:2: service.token_file: FOLDER/empty: there is no token"},
		{name: "failing command", file: "[service]\ntoken_command = ['sh', '-c', 'echo s3cret; echo s3cret >&2; exit 3']",
			want: "FOLDER/config.toml:2: service.token_command: sh failed (exit status 3); run it by hand to see why"},
		{name: "unknown command", file: "[service]\ntoken_command = ['/no/such/program']",
			want: "FOLDER/config.toml:2: service.token_command: /no/such/program cannot be run: no such file or directory"},
		{name: "silent command", file: "[service]\ntoken_command = ['true']",
			want: "FOLDER/config.toml:2: service.token_command: true: there is no token"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.flags.config = w.write(t, "config.toml", test.file)
			w.write(t, "token", secret+"\r\n")
			w.write(t, "escape", secret+"\x1b[2J\n")
			w.write(t, "empty", "\n")
			if err := os.Chmod(w.write(t, "open", secret), 0o640); err != nil {
				t.Fatal(err)
			}
			w.environment["BLOTTER_TOKEN"] = test.environment
			token, err := tokenOf(t, w)
			if test.want == "" {
				if err != nil || token != test.token {
					t.Errorf("got %q, %v", token, err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			got, want := exit.Message(err), "blotter: "+strings.ReplaceAll(test.want, "FOLDER", w.folder)
			if got != want || exit.CodeOf(err) != exit.CodeUsage {
				t.Errorf("got  %s (%d)\nwant %s", got, exit.CodeOf(err), want)
			}
			if strings.Contains(got, secret) {
				t.Error("the error has the token in it")
			}
		})
	}
}

func TestTokenFileIsReadAgain(t *testing.T) {
	w := newWorld(t)
	w.flags.config = w.write(t, "config.toml", "[service]\ntoken_file = 'token'")
	w.environment["BLOTTER_BASE_URL"] = "https://a"
	w.write(t, "token", "first")
	c, err := w.configure(t)
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "token", "second")
	if token, err := c.feed.Token(t.Context()); token != "second" || err != nil {
		t.Errorf("got %q, %v", token, err)
	}
}
