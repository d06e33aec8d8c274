package saved

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"blotter/ui/command/system"
)

// storedAlerts is a file with what is in alert on a service, and what waits for the programs of its alerts.
type storedAlerts struct {
	stamp
	Kept json.RawMessage `json:"kept"`
}

const (
	alertsVersion = 1
	maxAlerts     = 64 << 20 // bytes
)

// AlertsFile keeps what is in alert on a service, and what waits for the programs of its alerts. Several programs may
// have it open; one of them holds its lock.
type AlertsFile struct {
	*serviceFile
	mu     sync.Mutex
	unlock func() // nil if this program does not hold the lock
}

// Alerts returns the file of the alerts of the service; nil if nothing is kept, because there is no folder for it.
func (f *StateFile) Alerts() *AlertsFile {
	if f.path == "" {
		return nil
	}
	return &AlertsFile{serviceFile: f.ofService("alerts", alertsVersion, maxAlerts)}
}

// Hold reports whether this program holds the lock of the file, and takes it if no other one does. It holds the lock
// until Close. Without locks on a file system, each program holds it.
func (a *AlertsFile) Hold() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unlock != nil {
		return true
	}
	_ = os.MkdirAll(filepath.Dir(a.path), 0o700) // Change returns why there is none
	unlock, err := system.HoldFile(a.path + ".lock")
	if a.unlock = unlock; err != nil {
		a.unlock = func() {}
	}
	return a.unlock != nil
}

// Change reads what is kept into a value, and writes that if change reports that it has changed it. Meanwhile no other
// program does so.
func (a *AlertsFile) Change(value any, change func() (changed bool)) error {
	_ = os.MkdirAll(filepath.Dir(a.path), 0o700) // what is locked and written returns why there is none
	unlock, err := system.LockFile(a.path + ".write.lock")
	if err != nil {
		return err
	}
	defer unlock()
	problem := a.readKept(value)
	switch {
	case errors.Is(problem, fs.ErrNotExist):
		problem = nil
	case errors.Is(problem, errDamaged):
		problem = damagedError(a.path, "what is kept of alerts is", "It is")
	case problem != nil:
		return fmt.Errorf("what is kept of alerts is not used: %w: %s", problem, a.path)
	}
	if !change() {
		return problem
	}
	text, err := json.Marshal(value)
	if err == nil {
		err = a.write(&storedAlerts{Kept: text})
	}
	return cmp.Or(err, problem)
}

func (a *AlertsFile) readKept(into any) error {
	var stored storedAlerts
	if err := a.read(&stored); err != nil {
		return err
	}
	if json.Unmarshal(stored.Kept, into) != nil {
		return errDamaged
	}
	return nil
}

// Close lets another program hold the lock.
func (a *AlertsFile) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.unlock != nil {
		a.unlock()
		a.unlock = nil
	}
}
