package command

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"blotter/ui/command/credentials"
	"blotter/ui/command/system"
)

// readTime is how long the reading of the configuration and of files of keys may take.
const readTime = 5 * time.Second

// keysFiles reads the files with keys of traders. A file system that hangs stops neither the server nor the reading of
// the other files, and each file has at most one goroutine that waits for it.
type keysFiles struct {
	open func(path string) (text string, err error) // may never return

	mu      sync.Mutex
	reading map[string]bool
	last    map[string][]ssh.PublicKey // what was read last
}

// keysOfFile are the keys of a file: those of the last time, if there is an error.
type keysOfFile struct {
	keys []ssh.PublicKey
	err  error
}

func newKeysFiles() *keysFiles {
	return &keysFiles{open: credentials.ReadPublicKeys, reading: make(map[string]bool), last: make(map[string][]ssh.PublicKey)}
}

// readAll reads files, all at the same time.
func (k *keysFiles) readAll(ctx context.Context, paths []string) map[string]keysOfFile {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	results := make(map[string]keysOfFile)
	begun := make(map[string]<-chan keysOfFile)
	for _, path := range paths {
		if begun[path] == nil {
			begun[path] = k.begin(path)
		}
	}
	for path, done := range begun {
		select {
		case <-ctx.Done():
		case results[path] = <-done:
			k.keep(path, results[path])
			continue
		}
		select {
		case results[path] = <-done: // while another one was waited for
			k.keep(path, results[path])
		default:
			results[path] = k.failed(path, system.FileErrorf(path, "was not read: %w", system.WhyDone(ctx)))
		}
	}
	return results
}

// begin begins to read a file, unless the reading that was begun before has not returned.
func (k *keysFiles) begin(path string) <-chan keysOfFile {
	done := make(chan keysOfFile, 1)
	k.mu.Lock()
	isReading := k.reading[path]
	k.reading[path] = true
	k.mu.Unlock()
	if isReading {
		done <- k.failed(path, system.FileErrorf(path, "is still being read since the last time"))
		return done
	}
	go func() { // if the system hangs, until the process ends
		text, err := k.open(path)
		var keys []ssh.PublicKey
		if err == nil {
			if keys, err = traderKeys(text); err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			}
		}
		k.mu.Lock()
		delete(k.reading, path)
		k.mu.Unlock()
		if err != nil {
			done <- k.failed(path, err)
			return
		}
		done <- keysOfFile{keys: keys}
	}()
	return done
}

// keep keeps what was read, for the case that a file cannot be read the next time.
func (k *keysFiles) keep(path string, read keysOfFile) {
	if read.err != nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last[path] = read.keys
}

// failed returns the keys of the last time, and the error.
func (k *keysFiles) failed(path string, err error) keysOfFile {
	k.mu.Lock()
	defer k.mu.Unlock()
	return keysOfFile{keys: k.last[path], err: err}
}
