package system

import (
	"context"
	"errors"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// How long LockFile waits for the lock of another program, and how often it tries. A lock is held while one small file
// is read and written.
const (
	maxLockWait  = 3 * time.Second
	lockWaitStep = 10 * time.Millisecond
)

// LockFile locks a file that only one program can lock at a time, and returns what unlocks it. The file is created for
// this purpose alone, and stays: a lock on a file that is renamed or removed would be one on another file for the next
// program. The system ends the lock with the program, also if that is killed.
func LockFile(path string) (unlock func(), err error) {
	lock := flock.New(path)
	ctx, cancel := context.WithTimeout(context.Background(), maxLockWait)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockWaitStep); err != nil {
		return nil, lockError(path, err)
	}
	return func() { _ = lock.Unlock() }, nil
}

// HoldFile locks a file like LockFile, and does not wait: unlock is nil if another program holds it.
func HoldFile(path string) (unlock func(), err error) {
	lock := flock.New(path)
	switch locked, err := lock.TryLock(); {
	case err != nil:
		return nil, lockError(path, err)
	case !locked:
		return nil, nil
	}
	return func() { _ = lock.Unlock() }, nil
}

// lockError returns in one line why a file cannot be locked.
func lockError(path string, err error) error {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return FileErrorf(path, "is locked: another blotter is writing; try again")
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return FileErrorf(path, "cannot be locked, because its file system has no locks (%w): keep the configuration on another disk", WithoutPath(err))
	}
	return FileErrorf(path, "cannot be locked: %w", WithoutPath(err))
}
