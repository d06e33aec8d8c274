//go:build unix

package record

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"blotter/feed"
)

// TestPipeIsNoRecording: the other end of a pipe may never write.
func TestPipeIsNoRecording(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes with names here: ", err)
	}
	if _, err := NewPlayer(path, feed.Config{}); err == nil || !strings.HasSuffix(err.Error(), "pipe: it must be a file, because it is read more than once") {
		t.Error(err)
	}
}
