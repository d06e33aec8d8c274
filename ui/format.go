package ui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"blotter/model"
)

// The limits of what a formatter caches: so many labels, and only those of identifiers that are not longer than real
// ones. All others are made each time.
const (
	maxLabels   = 1 << 13
	maxCachedID = 64
)

// formatter formats values for the screen. It caches the labels of identifiers, because most screens show the same few.
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
	return cachedLabel(f.parties, id, func() (string, bool) { p := f.instruments.Party(id); return p.Label(), p.Name != "" })
}

func (f *formatter) market(id model.ID) string {
	return cachedLabel(f.markets, id, func() (string, bool) { m := f.instruments.Market(id); return m.Label(), m.Name != "" })
}

func (f *formatter) asset(id model.ID) string {
	return cachedLabel(f.assets, id, func() (string, bool) { a := f.instruments.Asset(id); return a.Label(), a.Symbol != "" })
}

// cachedLabel returns the label of an identifier: its name or, where it has none, the identifier shortened.
func cachedLabel(labels map[model.ID]string, id model.ID, find func() (label string, named bool)) string {
	if label, ok := labels[id]; ok {
		return label
	}
	label, named := find()
	label = shown(label)
	if !named {
		label = shortID(label)
	}
	if len(id.String()) > maxCachedID {
		return label
	}
	if len(labels) >= maxLabels {
		clear(labels)
	}
	labels[id] = label
	return label
}

// maxShown is how many bytes a text of the service may have and still be shown whole. To format a megabyte for each
// frame would stop the screen.
const maxShown = 1 << 10

// shown returns a text of the service, neutralised and safe for the screen. A longer text than any real one is cut, and
// its length is added.
func shown(text string) string {
	if len(text) <= maxShown {
		return model.Neutralise(text)
	}
	const kept = 100
	return model.Neutralise(strings.ToValidUTF8(text[:kept], "")) + "… (" + grouped(len(text)) + " bytes)"
}

// maxID is how many characters an identifier may have and still be shown whole.
const maxID = 16

// shortID shortens a long identifier to its two ends: a3f9…81c2.
func shortID(id string) string {
	runes := []rune(id)
	if len(runes) <= maxID {
		return id
	}
	return string(runes[:4]) + "…" + string(runes[len(runes)-4:])
}

// rawMark stands after a number whose decimals are not known: it is the integer that the service sent.
const rawMark = "r"

// amount formats a number: scaled where its decimals are known, else raw and marked as raw. With plus, positive numbers
// have a sign too.
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

// number formats a number of a position.
func (f *formatter) number(p *model.Position, field model.Field) string {
	plus := field == model.OpenVolume || field == model.UnrealisedPnl || field == model.RealisedPnl
	return amount(p.Number(field), f.instruments.Decimals(field, p.Market), plus)
}

// level formats a margin level.
func (f *formatter) level(a model.Amount, asset model.ID) string {
	return amount(a, f.instruments.Asset(asset).Decimals, false)
}

// status formats the status of a position.
func status(p *model.Position) string { return shown(p.StatusWords()) }

// oddTime stands where a time is that cannot be right.
const oddTime = "odd"

// ageOf returns the age of a time in nanoseconds, by the clock of the service; empty where the service gave no time,
// and oddTime where the time is ahead of its clock.
func ageOf(nanoseconds model.Amount, now time.Time) string {
	at, ok := nanoseconds.Time()
	switch {
	case !ok:
		return ""
	case at.Sub(now) > model.AheadFor:
		return oddTime
	}
	return age(max(now.Sub(at), 0))
}

// age formats a duration in one unit. It is negative where the clock of the service is ahead of this one.
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

// ago formats how long ago something was: 5m ago.
func ago(d time.Duration) string {
	if d < -model.AheadFor {
		return age(-d) + " ahead of the service's clock"
	}
	return age(max(d, 0)) + " ago"
}

// until formats the time until something happens, rounded up, so that it is not 0s too early.
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

// clock formats a time of day with the name of its zone.
func (f *formatter) clock(t time.Time) string { return t.In(f.location).Format("15:04:05 MST") }

// timestamp formats a time to the last digit that the service gave, with day and zone.
func (f *formatter) timestamp(t time.Time) string {
	return t.In(f.location).Format("2006-01-02 15:04:05.999999999 MST")
}

// grouped formats a count with its thousands grouped.
func grouped(n int) string { return model.AmountOf(int64(n)).Scaled(0, false) }

// oneLine returns the words of an error or of the service on one line, neutralised.
func oneLine(text string) string {
	return model.Neutralise(strings.Join(strings.Fields(text), " "))
}
