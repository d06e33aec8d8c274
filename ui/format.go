package ui

import (
	"cmp"
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
	label = shown(label)
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

// maxShown is how many bytes of a text of the service are shown. To format a text of a megabyte for each frame would
// stop the screen.
const maxShown = 1 << 10

// shown is a text of the service as it is shown: neutralised and, where it is longer than any real one, cut. What is cut
// says how long it was.
func shown(text string) string {
	if len(text) <= maxShown {
		return model.Neutralise(text)
	}
	const kept = 100
	return model.Neutralise(strings.ToValidUTF8(text[:kept], "")) + "… (" + grouped(len(text)) + " bytes)"
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
	if !a.IsInteger() {
		return cmp.Or(shown(a.String()), `""`) + rawMark
	}
	if decimals != model.Unscaled {
		return a.Scaled(decimals, plus)
	}
	text := a.String()
	switch {
	case a.IsZero():
		return text
	case plus && a.Sign() > 0:
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

// status is the status of a position in words.
func status(p *model.Position) string { return shown(p.StatusWords()) }

// ageOf is how long ago a time in nanoseconds was; empty where it is none.
func ageOf(nanoseconds model.Amount, now time.Time) string {
	at, ok := nanoseconds.Time()
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

// ago is how long ago something was, in words. By a clock that differs, it may be to come.
func ago(d time.Duration) string {
	if d <= -2*time.Second {
		return "in " + age(-d)
	}
	return age(d) + " ago"
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

// grouped is a count with its thousands grouped.
func grouped(n int) string { return model.AmountOf(int64(n)).Scaled(0, false) }

// oneLine neutralises the words of an error or of the service and puts them on one line.
func oneLine(text string) string {
	return model.Neutralise(strings.Join(strings.Fields(text), " "))
}

func counted(n int, thing string) string { return model.Counted(n, thing) }
