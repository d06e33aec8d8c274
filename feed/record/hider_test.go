package record

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"

	"blotter/feed/secrets"
)

// TestNothingSecretIsRecorded: the service repeats the token whole, cut by chunks, and in headers.
func TestNothingSecretIsRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain")
	synctest.Test(t, func(t *testing.T) {
		secrets := new(secrets.Hider)
		secrets.AddToken(secret)
		r, err := Create(Options{Path: path, Secrets: secrets})
		if err != nil {
			t.Fatal(err)
		}
		pieces := []string{`{"error":"no ` + secret + `"}`, `{"error":"no ` + secret[:7], secret[7:13], secret[13:] + `"}`, secret[:20]}
		request(t, r, pieceByPiece{http.Header{"Location": {"http://x/?t=" + secret}, "Set-Cookie": {"a=b"}}, pieces})
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(secret) - 6 {
		if piece := secret[i : i+7]; bytes.Contains(text, []byte(piece)) {
			t.Fatalf("the recording has %q of the token:\n%s", piece, text)
		}
	}
	for _, private := range []string{"private", "X-Desk", "Set-Cookie", "Authorization"} {
		if bytes.Contains(text, []byte(private)) {
			t.Errorf("the recording has %q:\n%s", private, text)
		}
	}
	if n := bytes.Count(text, []byte("[token]")); n != 4 {
		t.Errorf("%d tokens are hidden, want 4:\n%s", n, text)
	}
}

// TestNoTextOfAnEventHasASecret, whatever it is for.
func TestNoTextOfAnEventHasASecret(t *testing.T) {
	known := new(secrets.Hider)
	known.AddToken(secret)
	for _, kind := range []string{opened, answered, body, ended, closed} {
		e := event{Kind: kind, Request: 1, Header: http.Header{"X-Block-" + secret: {secret}}}
		fields := reflect.ValueOf(&e).Elem()
		for i := range fields.NumField() {
			if field := fields.Field(i); field.Kind() == reflect.String && fields.Type().Field(i).Name != "Kind" {
				field.SetString("a " + secret + " b")
			}
		}
		h := newHider(known)
		for _, e := range append(h.hide(e), h.hide(event{Kind: closed})...) {
			var line bytes.Buffer
			if err := appendLine(&line, e); err != nil || bytes.Contains(line.Bytes(), []byte(secret)) {
				t.Errorf("%s: %s, %v", kind, &line, err)
			}
		}
	}
}

// TestPasswordOfARedirectIsNotRecorded: the service redirects to an address with a password, and repeats it.
func TestPasswordOfARedirectIsNotRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain")
	synctest.Test(t, func(t *testing.T) {
		r, err := Create(Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		header := http.Header{"Location": {"http://me:pass-word-1@other.test/"}}
		request(t, r, pieceByPiece{header, []string{"see http://me:pass-word-1@other.test/\n"}})
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	text, err := os.ReadFile(path)
	if err != nil || bytes.Contains(text, []byte("pass-word")) || !bytes.Contains(text, []byte("other.test")) {
		t.Errorf("%v:\n%s", err, text)
	}
}
