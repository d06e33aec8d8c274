package saved

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/command/system"
)

// storedBaseline is a file with the baseline that was taken of a service.
type storedBaseline struct {
	WrittenBy string       `json:"written_by"`
	Version   int          `json:"version"`
	Service   string       `json:"service"`
	Parts     []storedPart `json:"parts"`
}

// storedPart is what a baseline has of one subscription. Positions have the names of the interface, and numbers are
// texts.
type storedPart struct {
	model.Key
	At        time.Time           `json:"at"`
	IsPartial bool                `json:"isPartial,omitempty"`
	Positions []map[string]string `json:"positions"`
}

const (
	baselineVersion = 1
	maxBaseline     = 64 << 20 // bytes
	maxBaselines    = 50       // files: those that were written last
)

// KeepsBaselines reports whether RememberBaseline keeps a baseline for the next run.
func (f *StateFile) KeepsBaselines() bool { return f.path != "" }

// ofService returns where a file of this kind is that belongs to the service: beside the state.
func (f *StateFile) ofService(kind string) string {
	sum := sha256.Sum256([]byte(f.service))
	return filepath.Join(filepath.Dir(f.path), fmt.Sprintf("%s-%x.json", kind, sum[:8]))
}

// Baseline reads the baseline of the service; nil if there is none. If it cannot be used, problem is the reason in one
// line.
func (f *StateFile) Baseline() (baseline *book.Baseline, problem error) {
	if !f.KeepsBaselines() {
		return nil, nil
	}
	path := f.ofService("baseline")
	stored, err := readBaseline(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the baseline of an earlier run is not used: %w: %s", err, path)
	case stored.Service != f.service:
		return nil, nil
	}
	return baselineOfParts(stored.Parts), nil
}

func readBaseline(path string) (stored storedBaseline, err error) {
	text, err := readRegular(path, maxBaseline, "it is too large")
	switch {
	case err != nil:
		return stored, err
	case json.Unmarshal(text, &stored) != nil || stored.WrittenBy != "blotter":
		return stored, errDamaged
	case stored.Version > baselineVersion:
		return stored, errNewer
	}
	return stored, wrongTime(stored.Parts)
}

// wrongTime returns an error that names a year in which no baseline was taken; nil if there is none.
func wrongTime(parts []storedPart) error {
	for i := range parts {
		if year := parts[i].At.UTC().Year(); year < 1970 || year > 2100 {
			return fmt.Errorf("damaged: at cannot be of the year %d", year)
		}
	}
	return nil
}

// RememberBaseline keeps the baseline that was taken of the service for the next run, in place of the one before. If
// baseline is nil, none is kept.
func (f *StateFile) RememberBaseline(baseline *book.Baseline) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.KeepsBaselines() {
		return nil
	}
	path := f.ofService("baseline")
	if baseline == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return system.FileErrorf(path, "cannot be removed: %w", system.WithoutPath(err))
		}
		return nil
	}
	text, err := json.Marshal(f.storedBaseline(baseline))
	if err == nil {
		err = system.ReplaceFile(path, append(text, '\n'))
	}
	if err != nil {
		return err
	}
	removeOldest(filepath.Dir(path), "baseline-*.json", maxBaselines)
	return nil
}

// removeOldest removes the oldest files of a folder whose names match a pattern, if there are more than most. What
// cannot be removed stays.
func removeOldest(folder, pattern string, most int) {
	files, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(files) <= most {
		return
	}
	written := make(map[string]int64)
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil {
			written[file] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(written[a], written[b]) })
	for _, file := range files[:len(files)-most] {
		_ = os.Remove(file)
	}
}

func (f *StateFile) storedBaseline(of *book.Baseline) *storedBaseline {
	return &storedBaseline{WrittenBy: "blotter", Version: baselineVersion, Service: f.service, Parts: storedParts(of)}
}

func storedParts(of *book.Baseline) (stored []storedPart) {
	for _, part := range of.Parts() {
		to := storedPart{Key: part.Of, At: part.At, IsPartial: part.IsPartial}
		for i := range part.Positions {
			p := &part.Positions[i]
			row := map[string]string{"partyId": p.Party.String(), "marketId": p.Market.String()}
			for field := range model.FieldCount {
				if number := p.Number(field); number != (model.Amount{}) {
					row[field.Name()] = number.String()
				}
			}
			to.Positions = append(to.Positions, row)
		}
		stored = append(stored, to)
	}
	return stored
}

// baselineOfParts returns the baseline of parts that were stored.
func baselineOfParts(stored []storedPart) *book.Baseline {
	var parts []book.BaselinePart
	for _, from := range stored {
		part := book.BaselinePart{Of: from.Key, At: from.At, IsPartial: from.IsPartial}
		for _, row := range from.Positions {
			p := model.Position{Key: model.Key{Party: model.MakeID(row["partyId"]), Market: model.MakeID(row["marketId"])}}
			for field := range model.FieldCount {
				if text, has := row[field.Name()]; has {
					p.SetNumber(field, model.ParseAmount(text))
				}
			}
			part.Positions = append(part.Positions, p)
		}
		parts = append(parts, part)
	}
	return book.NewBaseline(parts)
}
