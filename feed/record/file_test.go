package record_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blotter/feed/record"
)

func TestFilesThatAreNoRecordings(t *testing.T) {
	newer, _ := json.Marshal(map[string]any{"recording": 3, "version": "v9"})
	for _, test := range []struct{ text, want string }{
		{"", "this is not a recording"}, {"{}\n", "this is not a recording"}, {"not JSON\n", "this is not a recording"},
		{string(newer) + "\n", "newer blotter (v9)"},
	} {
		for _, name := range []string{"plain", "x.gz", "x.zst"} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			want := test.want
			if name != "plain" {
				want = "this is not a recording"
			}
			if _, err := record.Open(path, 0); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s with %q: %v, want %q", name, test.text, err, want)
			}
		}
	}
}

// TestRecordingsOfTheOldFormatAreRefused in one line.
func TestRecordingsOfTheOldFormatAreRefused(t *testing.T) {
	_, err := record.Open("testdata/old.zst", 0)
	if want := "testdata/old.zst: it was recorded by an older blotter: only that version can play it"; err == nil || err.Error() != want {
		t.Errorf("the error is %v", err)
	}
}
