package record_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"blotter/feed/record"
)

func TestFilesThatAreNoRecordings(t *testing.T) {
	newer, _ := json.Marshal(map[string]any{"recording": 3, "version": "v9"})
	for _, test := range []struct{ text, want string }{
		{"", "this is not a recording"}, {"{}\n", "this is not a recording"}, {"not JSON\n", "this is not a recording"},
		{string(newer) + "\n", "newer blotter (v9)"},
		{`{"recording":2,"part":3}` + "\n", "this is part 3 of a recording: name its first file, without .3 at the end"},
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

// TestRecordingsThatAnotherProgramHasCompressed have all in one frame, and are not shown as cut off.
func TestRecordingsThatAnotherProgramHasCompressed(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	recorder, err := record.Create(record.Options{Path: plain})
	if err != nil {
		t.Fatal(err)
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		string(whole): "another program has compressed it: unpack it first",
		`{"recording":1,"version":"v1"}` + "\n" + `{"at":1}` + "\n": "it was recorded by an older blotter: only that version can play it",
	} {
		var gz, zst bytes.Buffer
		for path, compressor := range map[string]io.WriteCloser{plain + ".gz": gzip.NewWriter(&gz), plain + ".zst": zstdWriter(t, &zst)} {
			_, err := io.WriteString(compressor, text)
			if err = errors.Join(err, compressor.Close(), os.WriteFile(path, slices.Concat(gz.Bytes(), zst.Bytes()), 0o600)); err != nil {
				t.Fatal(err)
			}
			gz.Reset()
			zst.Reset()
			if _, err := record.Open(path, 0); err == nil || err.Error() != path+": "+want {
				t.Errorf("%s: the error is %v, want %s", path, err, want)
			}
		}
	}
}

func zstdWriter(t *testing.T, to io.Writer) io.WriteCloser {
	w, err := zstd.NewWriter(to)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestRecordingsOfTheOldFormatAreRefused in one line.
func TestRecordingsOfTheOldFormatAreRefused(t *testing.T) {
	_, err := record.Open("testdata/old.zst", 0)
	if want := "testdata/old.zst: it was recorded by an older blotter: only that version can play it"; err == nil || err.Error() != want {
		t.Errorf("the error is %v", err)
	}
}
