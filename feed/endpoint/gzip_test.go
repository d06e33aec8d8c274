package endpoint

import (
	"blotter/feed/sim"
	"blotter/feed/wire"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

// member returns the text as one gzip member.
func member(text string) string {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	_, _ = zip.Write([]byte(text))
	_ = zip.Close()
	return b.String()
}

// flushed returns texts in one gzip member. It is flushed after each text.
func flushed(texts ...string) []string {
	var b bytes.Buffer
	var pieces []string
	zip := gzip.NewWriter(&b)
	for _, text := range texts {
		_, _ = zip.Write([]byte(text))
		_ = zip.Flush()
		pieces = append(pieces, b.String())
		b.Reset()
	}
	return pieces
}

// TestGzipMessagesAreReadAtOnce: each message is returned before any byte of the next one has come.
func TestGzipMessagesAreReadAtOnce(t *testing.T) {
	for name, pieces := range map[string][]string{
		"each a member":         {member(emptySnapshot), member("{}\n"), member("{}")},
		"flushed":               flushed(emptySnapshot, "{}\n", "{}\n"),
		"with an empty member":  {member(emptySnapshot), member("") + member("{}"), member("{}")},
		"flushed, then members": {flushed(emptySnapshot)[0], flushed(emptySnapshot, "{}")[1] + "\x01\x00\x00\xff\xff" + trailerOf(emptySnapshot+"{}"), member("{}")},
	} {
		sent := make(chan string)
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "gzip" {
				t.Error("gzip is not requested")
			}
			w.Header().Set("Content-Encoding", "gzip")
			for text := range sent {
				_, _ = io.WriteString(w, text)
				_ = http.NewResponseController(w).Flush()
			}
		})
		playBefore(t, []http.Handler{handler}, Config{Service: Service{Compression: true}}, func(s *scene) {
			sent = make(chan string)
			go func() { sent <- pieces[0] }()
			stream := openStream(s)
			defer stream.Close()
			messages := 0
			ended := make(chan error, 1)
			go func() {
				var m wire.Message
				for {
					if err := stream.Next(&m); err != nil {
						ended <- err
						return
					}
					messages++
				}
			}()
			for i := range pieces {
				if i > 0 {
					sent <- pieces[i]
				}
				synctest.Wait()
				if messages != i+1 {
					t.Errorf("%s: %d messages are read after %d were sent", name, messages, i+1)
				}
			}
			close(sent)
			if err := <-ended; name != "flushed" && !errors.Is(err, io.EOF) || name == "flushed" && err == nil {
				t.Errorf("%s: it ends with %v", name, err)
			}
		})
	}
}

// trailerOf is the end of the gzip member of a text.
func trailerOf(text string) string {
	whole := member(text)
	return whole[len(whole)-8:]
}

// TestGzip: it is requested if it is configured, and pages and errors are read too.
func TestGzip(t *testing.T) {
	for _, compression := range []bool{false, true} {
		play(t, Config{Service: Service{Compression: compression}}, func(s *scene) {
			s.node.Put(sim.Position{Party: "aa", Market: "bb", OpenVolume: 5})
			_, stream := s.stream()
			defer stream.Close()
			s.page()
			if got := s.node.Requests()[0].Header.Get("Accept-Encoding") == "gzip"; got != compression {
				t.Errorf("gzip is requested: %t, want %t", got, compression)
			}
		})
	}
	refusing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, member(`{"message":"no such party"}`))
	})
	playBefore(t, []http.Handler{refusing}, Config{Service: Service{Compression: true}}, func(s *scene) {
		if err := s.pageError(); err.Error() != "the service responded with 400: no such party" {
			t.Error(err)
		}
	})
}

// TestNamesOfEncodings: identity is no encoding, and x-gzip is gzip, in any case of letters.
func TestNamesOfEncodings(t *testing.T) {
	for encoding, isCompressed := range map[string]bool{"identity": false, "Identity": false, "x-gzip": true, "X-GZIP": true} {
		handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", encoding)
			w.WriteHeader(http.StatusBadRequest)
			body := `{"message":"no such party"}`
			if isCompressed {
				body = member(body)
			}
			_, _ = io.WriteString(w, body)
		})
		playBefore(t, []http.Handler{handler}, Config{Service: Service{Compression: true}}, func(s *scene) {
			if err := s.pageError(); err.Error() != "the service responded with 400: no such party" {
				t.Errorf("%s: %v", encoding, err)
			}
		})
	}
}

// TestEncodingThatWasNotRequested is an error.
func TestEncodingThatWasNotRequested(t *testing.T) {
	for encoding, compression := range map[string]bool{"gzip": false, "x-gzip": false, "br": true} {
		handler := respondingWith(func() http.Header { return http.Header{"Content-Encoding": {encoding}} })
		playBefore(t, []http.Handler{handler}, Config{Service: Service{Compression: compression}}, func(s *scene) {
			if err := s.pageError(); !strings.Contains(err.Error(), `encoded as "`+encoding+`", which was not requested`) {
				t.Error(err)
			}
		})
	}
}
