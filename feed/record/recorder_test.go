package record

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/wire"
)

// pieceByPiece is a service that sends pieces of a body, each after a second.
type pieceByPiece struct {
	header http.Header
	pieces []string
}

func (s pieceByPiece) RoundTrip(request *http.Request) (*http.Response, error) {
	reader, writer := io.Pipe()
	go func() {
		for _, piece := range s.pieces {
			time.Sleep(time.Second)
			_, _ = io.WriteString(writer, piece)
		}
		_ = writer.Close()
	}()
	header := s.header.Clone()
	if header == nil {
		header = make(http.Header)
	}
	return newResponse(request, http.StatusOK, header, reader), nil
}

// request requests a stream through a recorder, and reads the response to its end.
func request(t *testing.T, r *Recorder, service http.RoundTripper) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://sim.test"+wire.StreamPath+"?partyId=a1", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("X-Desk", "private")
	response, err := r.Transport(service).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
}

const secret = "tok-4f9a8e7d6c5b4a39281706f5e4d3c2b1"

// events reads a recording to its end.
func events(t *testing.T, path string) (all []event, end error) {
	t.Helper()
	r, err := openReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	for {
		e, err := r.next()
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// bodyOf joins the bodies of events.
func bodyOf(all []event) string {
	var text []byte
	for i := range all {
		text = append(text, all[i].data()...)
	}
	return string(text)
}

func TestBodiesAreRecordedExactly(t *testing.T) {
	for _, name := range []string{"plain", "small.gz", "small.zst"} {
		path := filepath.Join(t.TempDir(), name)
		pieces := []string{"{\"a\":\"<é", "\"}\n", "\xff\xfe\x00", `{"b":12`, `3}`}
		synctest.Test(t, func(t *testing.T) {
			r, err := Create(Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			request(t, r, pieceByPiece{pieces: pieces})
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
		all, err := events(t, path)
		if got, want := bodyOf(all), strings.Join(pieces, ""); got != want || !errors.Is(err, io.EOF) {
			t.Errorf("%s: the body is %q, want %q; %v", name, got, want, err)
		}
		if all[0].At != 0 || all[2].At != time.Second {
			t.Errorf("%s: the request is of %v, its first bytes of %v", name, all[0].At, all[2].At)
		}
	}
}

// fullDisk is a file on a disk that has room for this many bytes.
type fullDisk struct {
	room int
	mu   sync.Mutex
}

func (d *fullDisk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(p) > d.room {
		n := d.room
		d.room = 0
		return n, syscall.ENOSPC
	}
	d.room -= len(p)
	return len(p), nil
}

func (d *fullDisk) Close() error { return nil }

// TestAFullDiskStopsOnlyTheRecording, with one warning.
func TestAFullDiskStopsOnlyTheRecording(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var warnings []error
		r, err := Create(Options{
			Path: "full", Stopped: func(err error) { warnings = append(warnings, err) },
			create: func(string) (io.WriteCloser, error) { return &fullDisk{room: 600}, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			request(t, r, pieceByPiece{pieces: []string{"{}\n", "{}\n"}})
		}
		if err := r.Err(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("the recording: %v", err)
		}
		if err := r.Close(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("closing: %v", err)
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0].Error(), "the recording has stopped: no space left") {
			t.Errorf("warnings: %v", warnings)
		}
	})
}

// slowDisk is a file whose writes do not end until it is released.
type slowDisk struct{ released chan struct{} }

func (d slowDisk) Write(p []byte) (int, error) { <-d.released; return len(p), nil }
func (d slowDisk) Close() error                { return nil }

// TestASlowRecordingDoesNotDelayTheService: what waits to be written is bounded, and the message says what takes the
// time.
func TestASlowRecordingDoesNotDelayTheService(t *testing.T) {
	for want, slow := range map[string]func(*Options, chan struct{}){
		"because the disk is too slow": func(o *Options, released chan struct{}) {
			o.create = func(string) (io.WriteCloser, error) {
				return &switching{fullDisk: fullDisk{room: 1 << 20}, slow: slowDisk{released}}, nil
			}
		},
		"because hiding secrets in what the service sends is too slow": func(o *Options, released chan struct{}) {
			o.create = func(string) (io.WriteCloser, error) { return &fullDisk{room: 1 << 30}, nil }
			o.hide = func(e event) []event { <-released; return []event{e} }
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			released := make(chan struct{})
			options := Options{Path: "slow"}
			slow(&options, released)
			r, err := Create(options)
			if err != nil {
				t.Fatal(err)
			}
			piece := strings.Repeat("x", 1<<20)
			began := time.Now()
			for range 60 {
				r.put(event{Kind: body, Request: 1, Bytes: []byte(piece)})
			}
			time.Sleep(time.Second)
			for range 20 {
				r.put(event{Kind: body, Request: 1, Bytes: []byte(piece)})
			}
			_, tooSlow := errors.AsType[*TooSlowError](r.Err())
			if waited := time.Since(began); waited != time.Second || !tooSlow || !strings.HasSuffix(r.Err().Error(), want) {
				t.Errorf("after %v: %v", waited, r.Err())
			}
			close(released)
			_ = r.Close()
		})
	}
}

// switching is a disk that becomes slow after its first write.
type switching struct {
	fullDisk
	slow slowDisk
	n    int
}

func (s *switching) Write(p []byte) (int, error) {
	if s.n++; s.n > 1 {
		return s.slow.Write(p)
	}
	return s.fullDisk.Write(p)
}

// TestAnExistingFileStays: neither the first file nor a later one replaces another.
func TestAnExistingFileStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain")
	for _, existing := range []string{path, path + ".1"} {
		if err := os.WriteFile(existing, []byte("other data"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Create(Options{Path: path}); !errors.Is(err, os.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := Create(Options{Path: path, Size: 500})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			request(t, r, pieceByPiece{pieces: []string{"{}\n"}})
		}
		if err := r.Close(); !errors.Is(err, os.ErrExist) {
			t.Errorf("the next file exists: %v", err)
		}
	})
	if text, _ := os.ReadFile(path + ".1"); string(text) != "other data" {
		t.Errorf("%s.1 is %q now", path, text)
	}
}

// TestACrash: what came a second before a crash is in the file, also in a compressed one. A file that is cut anywhere
// is read up to there.
func TestACrash(t *testing.T) {
	for _, name := range []string{"plain", "crash.gz", "crash.zst"} {
		path := filepath.Join(t.TempDir(), name)
		var crashed []byte
		synctest.Test(t, func(t *testing.T) {
			r, err := Create(Options{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			request(t, r, pieceByPiece{pieces: []string{"{\"n\":1}\n", "{\"n\":2}\n", "{\"n\":3}\n"}})
			time.Sleep(time.Second)
			synctest.Wait()
			crashed, _ = os.ReadFile(path)
			_ = r.Close()
		})
		for cut := len(crashed); cut > len(crashed)-60; cut-- {
			left := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(left, crashed[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			all, err := events(t, left)
			if _, damaged := errors.AsType[*DamagedError](err); !damaged {
				t.Fatalf("%s, cut by %d: %v", name, len(crashed)-cut, err)
			}
			if got := bodyOf(all); cut == len(crashed) && got != "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n" {
				t.Errorf("%s has %q a second before the crash", name, got)
			}
		}
	}
}

// TestParts: a recording that is larger than a file continues in others, and is read as one.
func TestParts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain")
	synctest.Test(t, func(t *testing.T) {
		r, err := Create(Options{Path: path, Size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			request(t, r, pieceByPiece{pieces: []string{"{}\n", "{}\n"}})
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	all, err := events(t, path)
	if got := bodyOf(all); got != strings.Repeat("{}\n", 20) || !errors.Is(err, io.EOF) {
		t.Errorf("the parts have %q, %v", got, err)
	}
	if _, err := openReader(path + ".1"); err == nil || !strings.Contains(err.Error(), "part 1 of a recording") {
		t.Errorf("a later part: %v", err)
	}
	if err := os.Remove(path + ".2"); err != nil {
		t.Fatal(err)
	}
	if _, err := events(t, path); !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a part is missing: %v", err)
	}
}

func TestFilesThatAreNotRecordings(t *testing.T) {
	newer, _ := json.Marshal(headerLine{Recording: formatVersion + 1, Version: "v9"})
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
			if _, err := openReader(path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s with %q: %v, want %q", name, test.text, err, want)
			}
		}
	}
}
