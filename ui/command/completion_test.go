package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const someNames = `
[[party]]
id = 'a1'
name = 'desk-1'
[[party]]
id = 'a2'
name = 'desk 2'
[[party]]
id = 'b7'
[[party]]
id = 'c1'
name = "two\nlines"
[[party]]
id = 'd1'
name = "tab\tbed"
[[party]]
id = '$(d2)'
name = 'desk-3'
[[party]]
id = 'd4;'
[[market]]
id = 'm1'
name = 'BTC/USDT'
`

// TestCompletionOfNames calls what the scripts of all shells call. The last line of the output is :4, for no file
// names.
func TestCompletionOfNames(t *testing.T) {
	withService(t, func(s *service) {
		file := filepath.Join(s.environment["XDG_CONFIG_HOME"], "names.toml")
		if err := os.WriteFile(file, []byte(someNames), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct{ line, want string }{
			{"--party|", "desk-1\ta1\nb7\ndesk-3\n:4\n"}, // the others have characters that a shell may run
			{"--party|desk", "desk-1\ta1\ndesk-3\n:4\n"},
			{"--party|x", ":4\n"},
			{"--base-url|", ":4\n"},
			{"--market|", "BTC/USDT\tm1\n:4\n"},
		} {
			line := append([]string{"__complete", "positions", "--config", file}, strings.Split(test.line, "|")...)
			s.run(line...).exits(0).prints(test.want)
		}
		got := s.run("__complete", "positions", "--demo", "--market", "BTC").exits(0)
		if !strings.HasPrefix(got.output, "BTC/USDT\t") {
			t.Errorf("in the demo: %q", got.output)
		}
	})
}

// TestCompletionOfColumns completes the last of several, and leaves out those before it. The shell adds no space (:6).
func TestCompletionOfColumns(t *testing.T) {
	withService(t, func(s *service) {
		for begun, want := range map[string]string{"": "party\nmarket\nasset\n", "party,ma": "party,market\nparty,asset\n"} {
			got := s.run("__complete", "margins", "--columns", begun).exits(0).output
			if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, ":6\n") {
				t.Errorf("after %q: %q", begun, got)
			}
		}
	})
}

// TestCompletionOfHelp: topics, commands and the commands below them.
func TestCompletionOfHelp(t *testing.T) {
	withService(t, func(s *service) {
		if got := s.run("__complete", "help", "").exits(0).output; !strings.HasPrefix(got, "keys\nfilters\n") || !strings.Contains(got, "\npositions\n") {
			t.Errorf("it is %q", got)
		}
		s.run("__complete", "help", "config", "").exits(0).prints("check\ninit\npath\nshow\n:4\n")
		s.run("__complete", "help", "keys", "").exits(0).prints(":4\n")
	})
}

// TestCompletionShowsErrorsOfTheConfiguration as an active help: the shell shows it, and never puts it into the command
// line.
func TestCompletionShowsErrorsOfTheConfiguration(t *testing.T) {
	withService(t, func(s *service) {
		s.run("__complete", "--config", "/no/such/file", "--party", "").exits(0).
			prints("_activeHelp_ blotter: the configuration: /no/such/file cannot be read: no such file or directory\n:4\n")
	})
}

func TestCompletionScripts(t *testing.T) {
	withService(t, func(s *service) {
		for _, shell := range shells() {
			if got := s.run("completion", shell).exits(0).printsErrors(""); !strings.Contains(got.output, "blotter") {
				t.Errorf("%s: %q", shell, got.output)
			}
		}
		for _, line := range []string{"completion", "completion tcsh", "completion bash zsh"} {
			s.run(strings.Fields(line)...).exits(2).prints("").
				printsErrors("blotter: completion: needs one of bash, zsh, fish, powershell\n")
		}
	})
}

// TestCompletionInBash has bash complete a line with the script. The program that the script calls prints what
// TestCompletionOfNames expects.
func TestCompletionInBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	var script string
	folder := t.TempDir()
	withService(t, func(s *service) { script = s.run("completion", "bash").exits(0).output })
	names := filepath.Join(folder, "names.toml")
	blotter := "#!/bin/sh\n[ \"$*\" = '__complete positions --config " + names + " --party desk-' ] && printf 'desk-1\\ta1\\ndesk-2\\ta2\\n:4\\n'\n"
	for name, text := range map[string]string{"blotter": blotter, "blotter.bash": script} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// The first two functions are those of the package bash-completion.
	line := `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]}; }
		__ltrim_colon_completions() { :; }
		source ` + folder + `/blotter.bash
		COMP_WORDS=(blotter positions --config ` + names + ` --party desk-) COMP_CWORD=5 COMP_TYPE=9
		COMP_LINE="${COMP_WORDS[*]}"
		COMP_POINT=${#COMP_LINE}
		__start_blotter
		printf '%s\n' "${COMPREPLY[@]}"`
	command := exec.Command(bash, "--norc", "-c", line)
	command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
	output, err := command.Output()
	if err != nil || string(output) != "desk-1\ndesk-2\n" {
		t.Errorf("bash completes to %q: %v", output, err)
	}
}
