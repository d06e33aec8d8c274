package saved

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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

// AlertsFile keeps what is in alert on a service, and what waits for the programs of its alerts. While it is open, no
// other program has it.
type AlertsFile struct {
	path, service string
	unlock        func()
}

// KeepsAlerts reports whether there is a folder for what OpenAlerts reads.
func (f *StateFile) KeepsAlerts() bool { return f.path != "" }

// OpenAlerts reads what was kept into a value, and holds the file until it is closed. It returns nil if nothing is
// kept, because there is no folder for it or another program holds it. If what was kept cannot be used, problem is the
// reason in one line.
func (f *StateFile) OpenAlerts(into any) (file *AlertsFile, problem error) {
	if f.path == "" {
		return nil, nil
	}
	path := f.ofService("alerts")
	_ = os.MkdirAll(filepath.Dir(path), 0o700) // Keep returns why there is none
	unlock, err := system.HoldFile(path + ".lock")
	switch {
	case err != nil:
		return nil, fmt.Errorf("what is kept of alerts is not kept: %w", err)
	case unlock == nil:
		return nil, nil
	}
	file = &AlertsFile{path, f.service, unlock}
	switch err := file.read(into); {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, errDamaged):
		if kept, err := keepDamaged(path); err == nil {
			return file, fmt.Errorf("what is kept of alerts is damaged and not used. It is kept: %s", kept)
		}
		return file, fmt.Errorf("what is kept of alerts is damaged and not used: %s", path)
	case err != nil:
		unlock()
		return nil, fmt.Errorf("what is kept of alerts is not used: %w: %s", err, path)
	}
	return file, nil
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

// Keep replaces what is kept.
func (a *AlertsFile) Keep(kept any) error {
	text, err := json.Marshal(kept)
	if err == nil {
		text, err = json.Marshal(storedAlerts{"blotter", alertsVersion, a.service, text})
	}
	if err == nil {
		err = system.ReplaceFile(a.path, append(text, '\n'))
	}
	if err == nil {
		removeOldest(filepath.Dir(a.path), "alerts-*.json", maxAlertsFiles)
	}
	return err
}

// Close lets other programs have the file.
func (a *AlertsFile) Close() { a.unlock() }
