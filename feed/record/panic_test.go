package record

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// brokenDisk panics when the first block is written.
type brokenDisk struct {
	*os.File
	n int
}

func (d *brokenDisk) Write(p []byte) (int, error) {
	if d.n++; d.n > 1 {
		panic("broken disk")
	}
	return d.File.Write(p)
}

// TestPanicsWhileRecordingArePassedOn: else they would end the program before the terminal is reset.
func TestPanicsWhileRecordingArePassedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		panics := make(chan string, 2)
		onPanic := func(reason any, trace []byte) { panics <- reason.(string) + " " + string(trace) }
		r, err := Create(Options{Path: filepath.Join(t.TempDir(), "broken"), OnPanic: onPanic, create: func(path string) (io.WriteCloser, error) {
			file, err := os.Create(path)
			t.Cleanup(func() { file.Close() })
			return &brokenDisk{File: file}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewMemory(MemoryOptions{Bytes: 1 << 20, OnPanic: onPanic})
		if err != nil {
			t.Fatal(err)
		}
		m.base.emit = func(*entry) { panic("broken memory") }
		m.options.Duration = -time.Hour // the first block is applied at once
		for _, sink := range []Sink{r, m} {
			sink.Delta(&book.Delta{Links: []model.Link{{Phase: model.Live, Committed: true}}})
		}
		time.Sleep(2 * time.Minute)
		m.Delta(&book.Delta{Links: []model.Link{{Phase: model.Live, Committed: true, Tries: 2}}})
		time.Sleep(2 * time.Minute)
		m.Close()
		_ = r.Close()
		got := <-panics + "\n" + <-panics
		if !strings.Contains(got, "broken disk goroutine") || !strings.Contains(got, "broken memory goroutine") || !strings.Contains(got, "record.(*writer).flush(") {
			t.Errorf("passed on are %s", got)
		}
	})
}
