package credentials

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"blotter/ui/command/cli"
	"blotter/ui/command/config"
)

// folder is a folder with a configuration, and the files that it names.
type folder struct {
	path        string
	environment map[string]string
}

func newFolder(t *testing.T) *folder {
	return &folder{path: t.TempDir(), environment: make(map[string]string)}
}

func (f *folder) write(t *testing.T, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(f.path, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// configuration returns a configuration file of the folder.
func (f *folder) configuration(t *testing.T, text string) *config.File {
	t.Helper()
	file, err := config.Parse(filepath.Join(f.path, "config.toml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// source returns the source of the token of a configuration.
func (f *folder) source(t *testing.T, text string) (TokenSource, error) {
	t.Helper()
	source, _, err := Token(t.Context(), func(name string) string { return f.environment[name] }, f.configuration(t, text))
	return source, err
}

// token returns the token of a configuration; empty if there is none.
func (f *folder) token(t *testing.T, text string) (string, error) {
	t.Helper()
	source, err := f.source(t, text)
	if source == nil || err != nil {
		return "", err
	}
	return source(t.Context())
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
			f := newFolder(t)
			f.write(t, "token", secret+"\r\n")
			f.write(t, "escape", secret+"\x1b[2J\n")
			f.write(t, "empty", "\n")
			if err := os.Chmod(f.write(t, "open", secret), 0o640); err != nil {
				t.Fatal(err)
			}
			f.environment["BLOTTER_TOKEN"] = test.environment
			token, err := f.token(t, test.file)
			if test.want == "" {
				if err != nil || token != test.token {
					t.Errorf("got %q, %v", token, err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			got, want := cli.Message(err), "blotter: "+strings.ReplaceAll(test.want, "FOLDER", f.path)
			if got != want || cli.ExitCode(err) != cli.ExitUsage {
				t.Errorf("got  %s (%d)\nwant %s", got, cli.ExitCode(err), want)
			}
			if strings.Contains(got, secret) {
				t.Error("the error has the token in it")
			}
		})
	}
}

func TestTokenFileIsReadAgain(t *testing.T) {
	f := newFolder(t)
	f.write(t, "token", "first")
	source, err := f.source(t, "[service]\ntoken_file = 'token'")
	if err != nil {
		t.Fatal(err)
	}
	f.write(t, "token", "second")
	if token, err := source(t.Context()); token != "second" || err != nil {
		t.Errorf("got %q, %v", token, err)
	}
}
