package saved

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"blotter/model/book"
	"blotter/ui/command/system"
)

// storedDayNumbers is a file with the numbers of positions with which a day of a service began, and the last ones.
type storedDayNumbers struct {
	WrittenBy string       `json:"written_by"`
	Version   int          `json:"version"`
	Service   string       `json:"service"`
	Began     time.Time    `json:"began"`
	Day       []storedPart `json:"day"`
	Last      []storedPart `json:"last"`
}

// dayNumbers reads the numbers of positions of a day; nil if there are none.
func (f *StateFile) dayNumbers() (*book.DayNumbers, error) {
	path := f.ofService("day")
	text, err := readRegular(path, 2*maxBaseline, "it is too large")
	var stored storedDayNumbers
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
	case json.Unmarshal(text, &stored) != nil || stored.WrittenBy != "blotter":
		err = errDamaged
	case stored.Version > baselineVersion:
		err = errNewer
	case stored.Service != f.service:
		return nil, nil
	default:
		err = errors.Join(wrongTime(stored.Day), wrongTime(stored.Last))
	}
	if err != nil {
		return nil, fmt.Errorf("what positions had at the begin of the day is not used: %w: %s", err, path)
	}
	return &book.DayNumbers{Began: stored.Began, Day: baselineOfParts(stored.Day), Last: baselineOfParts(stored.Last)}, nil
}

// rememberDayNumbers keeps the numbers of positions of a day, in place of those before. If numbers is nil, none are
// kept.
func (f *StateFile) rememberDayNumbers(numbers *book.DayNumbers) error {
	path := f.ofService("day")
	if numbers == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return system.FileErrorf(path, "cannot be removed: %w", system.WithoutPath(err))
		}
		return nil
	}
	text, err := json.Marshal(storedDayNumbers{
		"blotter", baselineVersion, f.service, numbers.Began.UTC(), storedParts(numbers.Day), storedParts(numbers.Last),
	})
	if err == nil {
		err = system.ReplaceFile(path, append(text, '\n'))
	}
	if err == nil {
		removeOldest(filepath.Dir(path), "day-*.json", maxBaselines)
	}
	return err
}
