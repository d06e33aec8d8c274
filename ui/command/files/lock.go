package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"
)

// How long Lock waits for the lock of another program, and how often it tries. A lock is held while one small file is
// read and written.
const (
	maxLockWait   = 3 * time.Second
	lockWaitSteps = 10 * time.Millisecond
)

// Lock makes a file that only one program can have at a time, and returns what removes it. A file that a program left
// behind is an error: the lock of a program that still runs looks the same.
func Lock(path string) (unlock func(), err error) {
	for until := time.Now().Add(maxLockWait); ; time.Sleep(lockWaitSteps) {
		err := create(path, nil)
		isThere := errors.Is(err, fs.ErrExist) ||
			runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) // as long as it is being removed
		switch {
		case err == nil:
			return func() { os.Remove(path) }, nil
		case !isThere:
			return nil, fmt.Errorf("%s cannot be written: %w", path, WithoutPath(err))
		case time.Now().After(until):
			return nil, fmt.Errorf("%s exists: remove it if no other blotter is saving names", path)
		}
	}
}
