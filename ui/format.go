package ui

import (
	"fmt"
	"strings"
	"time"

	"blotter/model"
)

// What a formatter remembers is bounded: so many labels, and only of identifiers that are not longer than real ones.
// What it does not remember is made again.
const (
	labelsKept = 1 << 13
	idKept     = 64
)

// formatter puts values into words. It remembers the labels of identifiers, because the same few stand on
// every screen.
type formatter struct {
	instruments *model.Instruments
	location    *time.Location
	parties     map[model.ID]string
	markets     map[model.ID]string
	assets      map[model.ID]string
}

func newFormatter(instruments *model.Instruments, location *time.Location) *formatter {
	return &formatter{
		instruments: instruments, location: location,
		parties: make(map[model.ID]string), markets: make(map[model.ID]string), assets: make(map[model.ID]string),
	}
}

func (f *formatter) party(id model.ID) string {
	return remembered(f.parties, id, func() (string, bool) { p := f.instruments.Party(id); return p.Label(), p.Name != "" })
}

func (f *formatter) market(id model.ID) string {
	return remembered(f.markets, id, func() (string, bool) { m := f.instruments.Market(id); return m.Label(), m.Name != "" })
}

func (f *formatter) asset(id model.ID) string {
	return remembered(f.assets, id, func() (string, bool) { a := f.instruments.Asset(id); return a.Label(), a.Symbol != "" })
}

func remembered(labels map[model.ID]string, id model.ID, find func() (label string, named bool)) string {
	if label, ok := labels[id]; ok {
		return label
	}
	label, named := find()
	label = model.Neutralise(label)
	if !named {
		label = shortID(label)
	}
	if len(id.String()) > idKept {
		return label
	}
	if len(labels) >= labelsKept {
		clear(labels)
	}
	labels[id] = label
	return label
}

// idCells is how long an identifier may be and still be shown whole.
const idCells = 16

// shortID shortens an identifier that is too long to be read anyway to its two ends: a3f9…81c2.
func shortID(id string) string {
	runes := []rune(id)
	if len(runes) <= idCells {
		return id
	}
	return string(runes[:4]) + "…" + string(runes[len(runes)-4:])
}

// rawMark stands after a number whose decimals are not known: it is the integer that the service sent.
const rawMark = "r"

// amount puts a number into words: scaled where its decimals are known, else raw and marked as raw. With plus
// positive numbers have a sign too.
func amount(a model.Amount, decimals int, plus bool) string {
	if decimals != model.Unscaled && a.IsInteger() {
		return a.Scaled(decimals, plus)
	}
	text := model.Neutralise(a.String())
	switch {
	case a.IsZero():
		return text
	case text == "":
		text = `""`
	}
	if plus && a.IsInteger() && a.Sign() > 0 {
		text = "+" + text
	}
	return text + rawMark
}

// number is a field of a position in words.
func (f *formatter) number(p *model.Position, field model.Field) string {
	plus := field == model.OpenVolume || field == model.UnrealisedPnl || field == model.RealisedPnl
	return amount(p.Number(field), f.instruments.Decimals(field, p.Market), plus)
}

// level is a margin level in words.
func (f *formatter) level(a model.Amount, asset model.ID) string {
	return amount(a, f.instruments.Asset(asset).Decimals, false)
}

// status is the state of a position, without what all of them have in common.
func status(p *model.Position) string {
	if p.Status() == model.StatusUnspecified {
		return ""
	}
	name := strings.TrimPrefix(p.StatusName(), "POSITION_STATUS_")
	return model.Neutralise(strings.ReplaceAll(name, "_", " "))
}

// moment reads a time in nanoseconds since the Unix epoch; false where there is none.
func moment(nanoseconds model.Amount) (time.Time, bool) {
	n, ok := nanoseconds.Int64()
	if !ok || n == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, n), true
}

// ageOf is how long ago a time in nanoseconds was; empty where it is none.
func ageOf(nanoseconds model.Amount, now time.Time) string {
	at, ok := moment(nanoseconds)
	if !ok {
		return ""
	}
	return age(now.Sub(at))
}

// age is a span of time in one unit. A time to come, by a clock that differs, has a minus sign.
func age(d time.Duration) string {
	switch {
	case d <= -2*time.Second:
		return "-" + age(-d)
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, d/time.Second))
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// until is how long it is to a time, rounded up, so that it never says 0s too early.
func until(d time.Duration) string {
	unit := time.Second
	switch {
	case d >= time.Hour:
		unit = time.Hour
	case d >= time.Minute:
		unit = time.Minute
	}
	return age((max(d, 0) + unit - 1).Truncate(unit))
}

// clock is a time of day with the name of its zone.
func (f *formatter) clock(t time.Time) string { return t.In(f.location).Format("15:04:05 MST") }

// timestamp is a time to the last digit that the service gave, with its day and zone.
func (f *formatter) timestamp(t time.Time) string {
	return t.In(f.location).Format("2006-01-02 15:04:05.999999999 MST")
}

// counted is a number of things: 1 row, 2 rows.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%s %ss", grouped(n), thing)
}

// grouped is a count with its thousands grouped.
func grouped(n int) string { return model.AmountOf(int64(n)).Scaled(0, false) }

// oneLine neutralises the words of an error or of the service and puts them on one line.
func oneLine(text string) string {
	return model.Neutralise(strings.Join(strings.Fields(text), " "))
}
