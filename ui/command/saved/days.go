package saved

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"blotter/model"
	"blotter/ui/command/system"
	"blotter/ui/history"
)

// storedDays is a file with the totals of the days of a service.
type storedDays struct {
	stamp
	Lines []storedDayLine `json:"lines"`
}

type storedDayLine struct {
	Scope    string      `json:"scope"`
	Party    string      `json:"party,omitempty"` // empty: all parties of the scope together
	Asset    string      `json:"asset"`
	Decimals int         `json:"decimals"`
	Days     []storedDay `json:"days"`
}

type storedDay struct {
	Date  string         `json:"date"`
	First storedDayTotal `json:"first"`
	Last  storedDayTotal `json:"last"`
	PnL   string         `json:"pnl,omitempty"` // empty if it is not known
}

// storedDayTotal is a total as the service counts it, as a text, and when it was known.
type storedDayTotal struct {
	At    time.Time `json:"at"`
	Total string    `json:"total"`
}

const (
	daysVersion = 2         // 1 has no parties
	maxDays     = 128 << 20 // bytes
)

func (f *StateFile) daysFile() *serviceFile { return f.ofService("days", daysVersion, maxDays) }

// KeepsDays reports whether RememberDays keeps totals of days for the next run.
func (f *StateFile) KeepsDays() bool { return f.path != "" }

// Days reads the days of the service; none if there are none. If they cannot be used, problem is the reason in one
// line.
func (f *StateFile) Days() (kept history.Kept, problem error) {
	if !f.KeepsDays() {
		return history.Kept{}, nil
	}
	file := f.daysFile()
	stored, err := readDays(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, errDamaged):
		problem = damagedError(file.path, "the totals of days are", "They are")
	case err != nil:
		problem = fmt.Errorf("the totals of days are not used: %w: %s", err, file.path)
	default:
		kept.Lines = stored.lines()
	}
	numbers, err := f.dayNumbers()
	if err != nil && problem == nil {
		problem = err
	}
	kept.Numbers = numbers
	return kept, problem
}

func readDays(file *serviceFile) (stored storedDays, err error) {
	if err := file.read(&stored); err != nil {
		return stored, err
	}
	for i := range stored.Lines {
		if !stored.Lines[i].isUsable() {
			return stored, errDamaged
		}
	}
	return stored, nil
}

// isUsable reports whether the decimals are those of an asset, the days dates in their order, and the totals numbers.
func (l *storedDayLine) isUsable() bool {
	isNumber := func(text string) bool { return len(text) <= model.MaxDigits && model.ParseAmount(text).IsNumber() }
	isTotal := func(t storedDayTotal) bool {
		year := t.At.UTC().Year()
		return year >= 1970 && year <= 2100 && isNumber(t.Total)
	}
	for i, day := range l.Days {
		if _, err := time.Parse(time.DateOnly, day.Date); err != nil || !isTotal(day.First) || !isTotal(day.Last) || day.PnL != "" && !isNumber(day.PnL) {
			return false
		}
		if i > 0 && l.Days[i-1].Date >= day.Date {
			return false
		}
	}
	hasDecimals := l.Decimals == model.Unscaled || model.MinDecimals <= l.Decimals && l.Decimals <= model.MaxDecimals
	return hasDecimals && len(l.Days) <= history.MaxDays
}

// RememberDays keeps days for the next run: their totals together with those that other programs have kept meanwhile,
// and the numbers of positions in place of those that were kept before.
func (f *StateFile) RememberDays(kept history.Kept) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.KeepsDays() {
		return nil
	}
	return errors.Join(f.rememberDayNumbers(kept.Numbers), f.rememberLines(kept.Lines))
}

func (f *StateFile) rememberLines(lines []history.DayLine) error {
	if len(lines) == 0 {
		return nil
	}
	file := f.daysFile()
	_ = os.MkdirAll(filepath.Dir(file.path), 0o700) // write returns why there is none
	if unlock, err := system.LockFile(file.path + ".lock"); err == nil {
		defer unlock()
	}
	stored, err := readDays(file)
	switch {
	case errors.Is(err, errDamaged): // since this run began
		_, err = keepDamaged(file.path)
	case err == nil:
		lines = history.Merged(stored.lines(), lines)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return system.FileErrorf(file.path, "cannot be replaced: %w", err)
	}
	return file.write(storedDaysOf(lines))
}

func storedDaysOf(lines []history.DayLine) *storedDays {
	stored := new(storedDays)
	total := func(t history.DayTotal) storedDayTotal { return storedDayTotal{t.At.UTC(), t.Total.String()} }
	for _, line := range lines {
		to := storedDayLine{Scope: line.Scope, Party: line.Party.String(), Asset: line.Asset.String(), Decimals: line.Decimals}
		for _, day := range line.Days {
			kept := storedDay{Date: day.Date, First: total(day.First), Last: total(day.Last)}
			if day.HasPnL {
				kept.PnL = day.PnL.String()
			}
			to.Days = append(to.Days, kept)
		}
		stored.Lines = append(stored.Lines, to)
	}
	return stored
}

func (s *storedDays) lines() []history.DayLine {
	var lines []history.DayLine
	total := func(t storedDayTotal) history.DayTotal {
		return history.DayTotal{At: t.At, Total: model.ParseAmount(t.Total)}
	}
	for _, line := range s.Lines {
		to := history.DayLine{DayKey: history.DayKey{
			Scope: line.Scope, Party: model.MakeID(line.Party), Asset: model.MakeID(line.Asset), Decimals: line.Decimals,
		}}
		for _, day := range line.Days {
			kept := &history.Day{Date: day.Date, First: total(day.First), Last: total(day.Last)}
			if kept.HasPnL = day.PnL != ""; kept.HasPnL {
				kept.PnL = model.ParseAmount(day.PnL)
			}
			to.Days = append(to.Days, kept)
		}
		lines = append(lines, to)
	}
	return slices.Clip(lines)
}
