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
	WrittenBy string          `json:"written_by"`
	Version   int             `json:"version"`
	Service   string          `json:"service"`
	Kept      json.RawMessage `json:"kept"`
}

const (
	alertsVersion  = 1
	maxAlerts      = 64 << 20 // bytes
	maxAlertsFiles = 50       // those that were written last
)

// AlertsFile keeps what is in alert on a service, and what waits for the programs of its alerts. Several programs may
// have it open; one of them holds its lock.
type AlertsFile struct {
	path, service string
	mu            sync.Mutex
	unlock        func() // nil if this program does not hold the lock
}

// Alerts returns the file of the alerts of the service; nil if nothing is kept, because there is no folder for it.
func (f *StateFile) Alerts() *AlertsFile {
	if f.path == "" {
		return nil
	}
	return &AlertsFile{path: f.ofService("alerts"), service: f.service}
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
	problem := a.read(value)
	switch {
	case errors.Is(problem, fs.ErrNotExist):
		problem = nil
	case errors.Is(problem, errDamaged):
		problem = fmt.Errorf("what is kept of alerts is damaged and not used: %s", a.path)
		if kept, err := keepDamaged(a.path); err == nil {
			problem = fmt.Errorf("what is kept of alerts is damaged and not used. It is kept: %s", kept)
		}
	case problem != nil:
		return fmt.Errorf("what is kept of alerts is not used: %w: %s", problem, a.path)
	}
	if !change() {
		return problem
	}
	text, err := json.Marshal(value)
	if err == nil {
		text, err = json.Marshal(storedAlerts{"blotter", alertsVersion, a.service, text})
	}
	if err == nil {
		err = system.ReplaceFile(a.path, append(text, '\n'))
	}
	if err == nil {
		removeOldest(filepath.Dir(a.path), "alerts-*.json", maxAlertsFiles)
	}
	return cmp.Or(err, problem)
}

func (a *AlertsFile) read(into any) error {
	text, err := readRegular(a.path, maxAlerts, "it is too large")
	var stored storedAlerts
	switch {
	case err != nil:
		return err
	case json.Unmarshal(text, &stored) != nil || stored.WrittenBy != "blotter":
		return errDamaged
	case stored.Version > alertsVersion:
		return errNewer
	case stored.Service != a.service:
		return nil
	case json.Unmarshal(stored.Kept, into) != nil:
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
