package command

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// The linker sets these in a release: -ldflags "-X blotter/ui/command.releaseVersion=1.2.3".
var releaseVersion, releaseCommit, releaseDate string

// build describes the program. A text that is not known is empty.
type build struct{ version, commit, date, goVersion string }

// release returns what the linker set, or else what Go noted in the program: the version of the module, and the commit
// and its date where the program was built in a checkout.
func release() build {
	b := build{version: releaseVersion, commit: releaseCommit, date: releaseDate}
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
	if b.version == "" && info.Main.Version != "(devel)" {
		b.version = info.Main.Version
	}
	if b.version == "" && settings["vcs.modified"] == "true" {
		b.version = "modified"
	}
	b.version = cmp.Or(b.version, "built from source")
	return b
}

// String returns the version with what else is known: 1.2.3 (commit 1a2b3c4d5e6f, 2026-11-22T01:02:03Z, go1.26.0).
func (b build) String() string {
	var known []string
	if b.commit != "" {
		known = append(known, "commit "+b.commit[:min(12, len(b.commit))])
	}
	for _, text := range []string{b.date, b.goVersion} {
		if text != "" {
			known = append(known, text)
		}
	}
	return b.version + " (" + strings.Join(known, ", ") + ")"
}
