package saved

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"blotter/model/book"
)

// storedDayNumbers is a file with the numbers of positions with which a day of a service began, and the last ones.
type storedDayNumbers struct {
	stamp
	Began time.Time    `json:"began"`
	Day   []storedPart `json:"day"`
	Last  []storedPart `json:"last"`
}

func (f *StateFile) dayFile() *serviceFile { return f.ofService("day", baselineVersion, 2*maxBaseline) }

// dayNumbers reads the numbers of positions of a day; nil if there are none.
func (f *StateFile) dayNumbers() (*book.DayNumbers, error) {
	file := f.dayFile()
	var stored storedDayNumbers
	err := file.read(&stored)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err = cmp.Or(err, wrongTime(stored.Day), wrongTime(stored.Last)); err != nil {
		return nil, fmt.Errorf("what positions had at the begin of the day is not used: %w: %s", err, file.path)
	}
	return &book.DayNumbers{Began: stored.Began, Day: baselineOfParts(stored.Day), Last: baselineOfParts(stored.Last)}, nil
}

// rememberDayNumbers keeps the numbers of positions of a day, in place of those before. If numbers is nil, none are
// kept.
func (f *StateFile) rememberDayNumbers(numbers *book.DayNumbers) error {
	if numbers == nil {
		return f.dayFile().remove()
	}
	return f.dayFile().write(&storedDayNumbers{
		Began: numbers.Began.UTC(), Day: storedParts(numbers.Day), Last: storedParts(numbers.Last),
	})
}
