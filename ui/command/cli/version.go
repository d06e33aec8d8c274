package cli

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// The linker sets these in a release: -ldflags "-X blotter/ui/command/cli.buildNumber=1.2.3".
var buildNumber, buildCommit, buildDate string

// Build describes the program. A text that is not known is empty.
type Build struct{ Number, commit, date, goVersion string }

// Version returns what the linker set, or else what Go recorded in the program: the version of the module, and the
// commit and its date if the program was built in a checkout.
func Version() Build {
	b := Build{Number: buildNumber, commit: buildCommit, date: buildDate}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	settings := make(map[string]string, len(info.Settings))
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	b.goVersion = info.GoVersion
	b.commit = cmp.Or(b.commit, settings["vcs.revision"])
	b.date = cmp.Or(b.date, settings["vcs.time"])
	if b.Number == "" && info.Main.Version != "(devel)" {
		b.Number = info.Main.Version
	}
	if b.Number == "" && settings["vcs.modified"] == "true" {
		b.Number = "modified"
	}
	b.Number = cmp.Or(b.Number, "built from source")
	return b
}

// String returns the version with what else is known: 1.2.3 (commit 1a2b3c4d5e6f, 2026-11-22T01:02:03Z, go1.26.0).
func (b Build) String() string {
	var known []string
	if b.commit != "" {
		known = append(known, "commit "+b.commit[:min(12, len(b.commit))])
	}
	for _, text := range []string{b.date, b.goVersion} {
		if text != "" {
			known = append(known, text)
		}
	}
	return b.Number + " (" + strings.Join(known, ", ") + ")"
}
