package record

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"blotter/feed"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// hostileRecording writes a compressed recording of these events.
func hostileRecording(t *testing.T, header Header, events func(yield func(event) bool)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "hostile.zst")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out, err := zstd.NewWriter(file)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	write := func(value any) {
		var line bytes.Buffer
		if err := appendLine(&line, value); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write(line.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	header.Start, header.Addresses = time.Unix(1_795_377_116, 0), []string{"http://service.test"}
	write(header.line(0))
	events(func(e event) bool { write(&e); return true })
	write(&event{Kind: closed})
	return path
}

// TestRecordingThatTakesTooMuchIsPlayedUpToThere: bodies of pages, headers, requests that do not end, and streams.
func TestRecordingThatTakesTooMuchIsPlayedUpToThere(t *testing.T) {
	open := func(number int64, target string) event {
		return event{Kind: opened, Request: number, Address: "http://service.test", Target: target}
	}
	megabyte := strings.Repeat("x", 1<<20)
	for name, events := range map[string]func(yield func(event) bool){
		"one page": func(yield func(event) bool) {
			yield(open(1, wire.MarginPath))
			for range 40 {
				yield(event{Kind: body, Request: 1, Text: megabyte})
			}
		},
		"headers": func(yield func(event) bool) {
			for i := range int64(40) {
				yield(open(i, wire.MarginPath))
				yield(event{Kind: answered, Request: i, Status: 200, Header: http.Header{"Date": {megabyte}}})
			}
		},
		"open requests": func(yield func(event) bool) {
			for i := range int64(maxOpen + 1) {
				yield(open(i, wire.MarginPath))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			player, err := NewPlayer(hostileRecording(t, Header{}, events), feed.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer player.Close()
			player.current.maxKept = 32 << 20
			player.Watch(model.Scope{}.Subscriptions(nil, 1))
			err = player.Finish(t.Context(), func(book.Delta) {})
			if _, damaged := errors.AsType[*DamagedError](err); !damaged || !strings.Contains(err.Error(), "than a recording has") {
				t.Error(err)
			}
		})
	}
}

func TestHeaderOfARecordingIsBounded(t *testing.T) {
	var header Header
	for i := range maxIdentifiers {
		header.Parties = append(header.Parties, fmt.Sprint(i))
	}
	_, err := NewPlayer(hostileRecording(t, header, func(func(event) bool) {}), feed.Config{})
	if err == nil || !strings.Contains(err.Error(), "its header names more than 10000 parties, markets and addresses") {
		t.Error(err)
	}
}
