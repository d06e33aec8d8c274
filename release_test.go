package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestLicencesOfAllModules: a release has the licence texts of all modules in the program. Those of the system that the
// test runs on are checked here, and those of all systems by .ci/run.
func TestLicencesOfAllModules(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	command := exec.Command(".ci/licences", runtime.GOOS)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	modules, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for part := range strings.SplitSeq(string(output), "\n=== ") {
		heading, text, _ := strings.Cut(part, "\n")
		texts[heading] = text
	}
	for module := range strings.Lines("Go " + runtime.Version() + "\n" + string(modules)) {
		module = strings.TrimSpace(module)
		if text := texts[module]; module != "" && (len(text) < 500 || !strings.Contains(text, "WARRANT")) {
			t.Errorf("the licence text of %s is %q", module, text)
		}
	}
	if len(texts) < 20 {
		t.Errorf("there are %d texts", len(texts))
	}
	if text := texts["github.com/klauspost/compress "+version(t, "github.com/klauspost/compress")]; !strings.Contains(text, "--- zstd/internal/xxhash/LICENSE.txt") {
		t.Error("the licence of a folder in a module is missing")
	}
}

// version returns the version of a module in this test program.
func version(t *testing.T, module string) string {
	t.Helper()
	info, _ := debug.ReadBuildInfo()
	for _, used := range info.Deps {
		if used.Path == module {
			return used.Version
		}
	}
	t.Fatalf("%s is not used", module)
	return ""
}

// TestReleaseHasLicences: each archive and each package has the texts.
func TestReleaseHasLicences(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"archives:", "nfpms:"} {
		_, section, _ := strings.Cut(string(text), "\n"+part)
		section, _, _ = strings.Cut(section, "\n\n")
		if !strings.Contains(section, "- src: .release/licences.txt") {
			t.Errorf("%s have no licence texts", part)
		}
	}
}

// TestSigning: without a key nothing is signed, and that is no error; with one, the signature is beside the file.
func TestSigning(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	folder := t.TempDir()
	file, signature := filepath.Join(folder, "checksums.txt"), filepath.Join(folder, "checksums.txt.asc")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	// In place of gpg, a program that writes its arguments into the signature.
	fake := "#!/usr/bin/env bash\nwhile [ $# -gt 1 ]; do [ \"$1\" = --output ] && to=$2; [ \"$1\" = --local-user ] && key=$2; shift; done; echo \"$key signed $1\" >\"$to\"\n"
	if err := os.WriteFile(filepath.Join(folder, "gpg"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"": "", "key-1": "key-1 signed " + file + "\n"} {
		command := exec.Command(".ci/sign", file, signature)
		command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "SIGNING_KEY="+key)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("key %q: %v: %s", key, err, output)
		}
		got, _ := os.ReadFile(signature)
		if string(got) != want || (key == "") != strings.Contains(string(output), "is not signed") {
			t.Errorf("key %q: the signature is %q, and it says %q", key, got, output)
		}
		os.Remove(signature)
	}
}
