package command

import (
	"os"
	"strings"
	"testing"
)

// FuzzConfig: whatever a configuration file holds, it is taken or refused in one line that names the file.
func FuzzConfig(f *testing.F) {
	example, err := os.ReadFile("../../config.example.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	for _, text := range []string{
		"", "[service]\nbase_urls = [\"http://x\"]", "[[market]]\nid=\"a\"\nprice_decimals=-1", "[feed]\nframe=\"x\"",
		"[screen]\norder=\"size\"", "[service]\nbase_url=\"x\"", "[[party]]\nid=\"a\"\nname=\"b\"\n[[party]]\nid=\"a\"", "a.b.c=1", "[[", "x=\"\\ud800\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		document, err := parseConfig("blotter.toml", []byte(text))
		steps := []func() error{
			func() error { return err },
			func() error { _, err := document.times(); return err },
			func() error { _, err := document.limits(); return err },
			func() error { _, err := document.screenOptions(); return err },
			func() error { _, err := document.instruments(); return err },
			func() error { return document.checkService() },
		}
		for _, step := range steps {
			err := step()
			if err == nil {
				continue
			}
			line := complaint(err)
			if !strings.HasPrefix(line, "blotter: blotter.toml") || strings.ContainsAny(line, "\n\r\x1b") || codeOf(err) != exitUsage {
				t.Errorf("%q is refused with %q and code %d", text, line, codeOf(err))
			}
			return
		}
	})
}
