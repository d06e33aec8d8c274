package config

import (
	"os"
	"strings"
	"testing"
)

// FuzzConfig: whatever a configuration file holds, it is taken or refused with an error that names the file.
func FuzzConfig(f *testing.F) {
	example, err := os.ReadFile("../../../config.example.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	for _, text := range []string{
		"", "[service]\nbase_urls = [\"http://x\"]", "[[market]]\nid=\"a\"\nprice_decimals=-1", "[feed]\nframe=\"x\"",
		"[screen]\norder=\"size\"", "[service]\nbase_url=\"x\"", "[[party]]\nid=\"a\"\nname=\"b\"\n[[party]]\nid=\"a\"", "a.b.c=1", "[profile.a]\nservice.name=\"x\"\n[profile.a.screen]\norder=\"size\"", "[[", "x=\"\\ud800\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Parse("a.toml", []byte(text))
		if err == nil {
			return
		}
		if _, ok := err.(*Error); !ok || !strings.HasPrefix(err.Error(), "a.toml:") {
			t.Errorf("%q is refused with %q", text, err)
		}
	})
}
