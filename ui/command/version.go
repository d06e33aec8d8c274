package command

import (
	"cmp"
	"runtime/debug"
)

// version returns the version of the module, or the revision of its checkout.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	settings := make(map[string]string, len(info.Settings))
	for _, setting := range info.Settings {
		settings[setting.Key] = setting.Value
	}
	version := info.Main.Version
	if revision := settings["vcs.revision"]; version == "" || version == "(devel)" {
		version = cmp.Or(revision, "built from source")
		if settings["vcs.modified"] == "true" {
			version += ", modified"
		}
	}
	return version + " (" + info.GoVersion + ")"
}
