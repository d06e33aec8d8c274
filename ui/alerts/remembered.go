package alerts

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"blotter/model/filter"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Own is an alert that was made on the screen, as it is remembered. It runs no command.
type Own struct {
	Name   string       `json:"name"`
	Filter string       `json:"filter"`
	Clear  string       `json:"clear,omitempty"`
	Group  string       `json:"group,omitempty"` // its sums are compared, in the asset; empty for positions
	Asset  string       `json:"asset,omitempty"`
	For    string       `json:"for,omitempty"`   // such as 5s
	Again  string       `json:"again,omitempty"` // such as 15m
	Bell   bool         `json:"bell,omitempty"`
	Notify Notification `json:"notify,omitempty"`
	Scope  bool         `json:"scope,omitempty"` // see HasScope of Rule
}

// maxName is how many cells the name of an alert that is made on the screen has at most.
const maxName = 40

// Rule returns the rule. The error says what cannot be used.
func (o Own) Rule() (Rule, error) {
	a := Rule{FilterText: o.Filter, ClearText: o.Clear, Bell: o.Bell, Notify: o.Notify, IsOwn: true, HasScope: o.Scope}
	a.Name, a.Group, a.Asset = o.Name, o.Group, o.Asset
	err := a.setTimes(o.For, o.Again)
	if err != nil {
		return a, err
	}
	parse := filter.ParseRule
	if o.Group != "" {
		parse = filter.ParseSums
	}
	switch a.Filter, err = parse(o.Filter); {
	case o.Name == "" || o.Name != format.OneLine(strings.TrimSpace(o.Name)) || draw.Width(o.Name) > maxName:
		return a, fmt.Errorf("the name must have 1 to %d cells", maxName)
	case err != nil:
		return a, fmt.Errorf("filter: %w", err)
	case a.Filter.MatchesAll():
		return a, errors.New("the filter must not match all positions")
	case o.Group == "" && o.Asset != "":
		return a, errors.New("an asset needs a group: without it, the rule is about positions")
	case o.Group != "" && o.Asset == "":
		return a, errors.New("a group needs an asset, such as USDT: sums of several assets are not added")
	case o.Notify != "" && o.Notify != OSC9 && o.Notify != OSC777:
		return a, fmt.Errorf("notify must be empty, %s or %s", OSC9, OSC777)
	}
	if o.Clear == "" {
		return a, nil
	}
	if a.Clear, err = parse(o.Clear); err != nil {
		return a, fmt.Errorf("clear: %w", err)
	}
	return a, nil
}

// Remembered are the alerts that were made on the screen, and the names of those that are off or quiet.
type Remembered struct {
	Own   []Own       `json:"own,omitempty"`
	Off   []string    `json:"off,omitempty"`
	Quiet []QuietRule `json:"quiet,omitempty"`
}

// QuietRule is an alert that is quiet until a time, in seconds since the Unix epoch.
type QuietRule struct {
	Name  string `json:"name"`
	Until int64  `json:"until"`
}

// Remember returns what is remembered of alerts, and after them of those that were left out.
func Remember(all []Rule, leftOut *Remembered) (r Remembered) {
	for i := range all {
		a := &all[i]
		if a.IsOwn {
			r.Own = append(r.Own, a.own())
		}
		if a.IsOff {
			r.Off = append(r.Off, a.Name)
		}
		if !a.QuietUntil.IsZero() {
			r.Quiet = append(r.Quiet, QuietRule{a.Name, a.QuietUntil.Unix()})
		}
	}
	r.Own, r.Off, r.Quiet = append(r.Own, leftOut.Own...), append(r.Off, leftOut.Off...), append(r.Quiet, leftOut.Quiet...)
	return r
}

// own returns a rule that was made on the screen as it is remembered.
func (a *Rule) own() Own {
	return Own{
		Name: a.Name, Filter: a.FilterText, Clear: a.ClearText, Group: a.Group, Asset: a.Asset, For: timeText(a.For),
		Again: timeText(a.Again), Bell: a.Bell, Notify: a.Notify, Scope: a.HasScope,
	}
}

// WithFilter returns a rule that was made on the screen with another filter.
func (a *Rule) WithFilter(text string) (Rule, error) {
	own := a.own()
	own.Filter = text
	changed, err := own.Rule()
	changed.IsOff, changed.QuietUntil = a.IsOff, a.QuietUntil
	return changed, err
}

// With returns the alerts of the configuration with those that are remembered, at most MaxRules, and what is remembered
// of those that are left out because there are so many. One that cannot be used, or that the configuration has too, is
// dropped. One whose name another alert has gets a number after its name.
func (r *Remembered) With(configured []Rule) (all []Rule, leftOut Remembered) {
	all = slices.Clone(configured)
	for _, own := range r.Own {
		a, err := own.Rule()
		if same := Index(all, a.Name); err != nil || same >= 0 && all[same].isSame(&a) {
			continue
		}
		if len(all) >= MaxRules {
			leftOut.Own = append(leftOut.Own, own)
			continue
		}
		for n := 2; Index(all, a.Name) >= 0; n++ {
			number := fmt.Sprint(" ", n)
			a.Name = draw.Cut(own.Name, maxName-len(number)) + number
		}
		all = append(all, a)
	}
	for i := range all {
		all[i].IsOff = slices.Contains(r.Off, all[i].Name)
	}
	for _, quiet := range r.Quiet {
		if i := Index(all, quiet.Name); i >= 0 {
			all[i].QuietUntil = time.Unix(quiet.Until, 0)
		}
	}
	leftOut.Off = slices.DeleteFunc(slices.Clone(r.Off), leftOut.lacks)
	leftOut.Quiet = slices.DeleteFunc(slices.Clone(r.Quiet), func(q QuietRule) bool { return leftOut.lacks(q.Name) })
	return all, leftOut
}

// lacks reports whether no alert of the screen has a name.
func (r *Remembered) lacks(name string) bool {
	return !slices.ContainsFunc(r.Own, func(own Own) bool { return own.Name == name })
}

// LeftOutWords returns in words which alerts were left out beside all others, and why; empty if none was.
func (r *Remembered) LeftOutWords(all []Rule) string {
	if len(r.Own) == 0 {
		return ""
	}
	remove := "remove one of the configuration"
	if slices.ContainsFunc(all, func(a Rule) bool { return a.IsOwn }) {
		remove = "remove one and start again"
	}
	var names []string
	for _, own := range r.Own {
		names = append(names, format.OneLine(own.Name))
	}
	return fmt.Sprintf("There can be at most %d rules: %s. Left out: %s.", MaxRules, remove, strings.Join(names, ", "))
}

// isSame reports whether two alerts are about the same.
func (a *Rule) isSame(b *Rule) bool {
	return a.FilterText == b.FilterText && a.ClearText == b.ClearText && a.Group == b.Group && a.Asset == b.Asset && a.For == b.For
}

// Index returns the place of the alert with a name; -1 if there is none.
func Index(all []Rule, name string) int {
	return slices.IndexFunc(all, func(a Rule) bool { return a.Name == name })
}
