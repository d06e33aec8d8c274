//go:build unix

package terminaltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCompletionRunsNoCode has bash on a terminal complete names that a hostile service has chosen: bash puts what the
// names have in common on the command line, and the script evaluates that line at the TAB after the next word.
func TestCompletionRunsNoCode(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for name, test := range map[string]struct{ configuration, flag string }{
		"identifiers": {"[[party]]\nid = '%[1]sa'\n[[party]]\nid = '%[1]sb'", "--party"},
		"names":       {"[[market]]\nid = 'm1'\nname = '%[1]sa'\n[[market]]\nid = 'm2'\nname = '%[1]sb'", "--market"},
		"views":       {"[[view]]\nnumber = 1\nname = '%[1]sa'\n[[view]]\nnumber = 2\nname = '%[1]sb'", "--view"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, err := os.MkdirTemp("", "blotter") // t.TempDir has the name of the test in its path
			if err != nil {
				t.Fatal(err)
			}
			y := newTTY(t)
			t.Cleanup(func() { _ = os.RemoveAll(folder) })
			evil := filepath.Join(folder, "evil")
			for name, text := range map[string]string{
				"c.toml":  fmt.Sprintf(test.configuration, "$(touch${IFS}"+evil+")"),
				"blotter": "#!/bin/sh\nBLOTTER_TEST_MODE=main exec " + os.Args[0] + ` "$@"` + "\n",
				// The first two functions are those of the package bash-completion.
				"begin": `_get_comp_words_by_ref() { words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]}; }
					__ltrim_colon_completions() { :; }
					PATH=` + folder + `:$PATH
					source <(blotter completion bash)
					echo be''gun`,
			} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text+"\n"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			y.start("", bash, "--norc", "--noprofile", "-i").shows("$")
			y.types("source " + folder + "/begin\n").shows("begun")
			y.types("blotter --config " + folder + "/c.toml " + test.flag + " \t\ta \t").types("\x15echo wo''rks\n").shows("works")
			if _, err := os.Stat(evil); err == nil {
				t.Errorf("a completion ran code:\n%s", y.screen())
			}
		})
	}
}
