package saved

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// storedBaseline is a file with the baseline that was taken of a service.
type storedBaseline struct {
	stamp
	Parts []storedPart `json:"parts"`
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
)

// KeepsBaselines reports whether RememberBaseline keeps a baseline for the next run.
func (f *StateFile) KeepsBaselines() bool { return f.path != "" }

func (f *StateFile) baselineFile() *serviceFile {
	return f.ofService("baseline", baselineVersion, maxBaseline)
}

// Baseline reads the baseline of the service; nil if there is none. If it cannot be used, problem is the reason in one
// line.
func (f *StateFile) Baseline() (baseline *book.Baseline, problem error) {
	if !f.KeepsBaselines() {
		return nil, nil
	}
	file := f.baselineFile()
	var stored storedBaseline
	err := file.read(&stored)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err = cmp.Or(err, wrongTime(stored.Parts)); err != nil {
		return nil, fmt.Errorf("the baseline of an earlier run is not used: %w: %s", err, file.path)
	}
	return baselineOfParts(stored.Parts), nil
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
	if baseline == nil {
		return f.baselineFile().remove()
	}
	return f.baselineFile().write(&storedBaseline{Parts: storedParts(baseline)})
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
