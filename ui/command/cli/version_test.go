package cli

import (
	"runtime"
	"strings"
	"testing"
)

func TestVersionOfARelease(t *testing.T) {
	buildNumber, buildCommit, buildDate = "1.2.3", "1a2b3c4d5e6f7a8b", "2026-11-22T01:02:03Z"
	t.Cleanup(func() { buildNumber, buildCommit, buildDate = "", "", "" })
	want := "1.2.3 (commit 1a2b3c4d5e6f, 2026-11-22T01:02:03Z, " + runtime.Version() + ")"
	if got := Version().String(); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestVersionWithoutARelease(t *testing.T) {
	if got := Version(); got.Number == "" || !strings.HasSuffix(got.String(), runtime.Version()+")") {
		t.Errorf("%+v: %s", got, got)
	}
}
