package layout

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/status"
	"blotter/ui/store"
)

// The cells that parts of the first line have at least, and the filter at most.
const (
	minService = 8
	minFilter  = 12
	maxFilter  = 24
)

// statusParts are the texts of the first line. An empty one is not shown.
type statusParts struct {
	brand, service, fresh, alerts string
	quietAlerts                   string // how many positions are in alert, and how many rules are off
	flags                         []string
	view, filter                  string
	scope                         string // the scope that there must be room for: with all names, or the first and +2
	right                         string // how many positions are open, and the time
}

// width returns how many cells the parts take, with their gaps.
func (p *statusParts) width() int {
	width := 2 + draw.Width(p.scope) + draw.Width(p.filter) // with a cell at both ends
	switch {
	case p.scope != "" && p.filter != "":
		width += draw.Width(stepGap)
	case p.scope == "" && p.filter == "" && p.right == "":
		width -= 3 // nothing follows the last part
	}
	for _, part := range append([]string{p.brand, p.service, p.fresh, p.alerts, p.quietAlerts, p.view, p.right}, p.flags...) {
		if part != "" {
			width += draw.Width(part) + 2
		}
	}
	return width
}

// status draws the first line: service, freshness, alerts, other states, the view, the steps of scope and filter, how
// many positions are open, and the time. The scope may be on a line of its own.
func (f *Bars) status(width int, hasScope bool) string {
	p := f.statusParts(width, hasScope)
	l := draw.NewLine(width).Space(1)
	put := func(style draw.Style, text string) {
		if text != "" {
			l.Put(style, text).Space(2)
		}
	}
	put(f.Styles.Brand, p.brand)
	put(draw.Plain, p.service)
	if f.Past != nil && f.Past.Bar == nil {
		put(f.Styles.Alarm+f.Styles.Reverse, p.fresh)
	} else {
		put(f.Streams.Style(f.Streams.Worst()), p.fresh)
	}
	put(f.Styles.Alarm+f.Styles.Reverse, p.alerts)
	put(f.Styles.Quiet, p.quietAlerts)
	for _, flag := range p.flags {
		put(f.Styles.Warning, flag)
	}
	put(f.Styles.Strong, p.view)
	steps := f.shownSteps(p.filter)
	if !hasScope {
		steps = slices.DeleteFunc(steps, func(part shownStep) bool { return !part.filter })
	}
	room := l.Left() - 1
	if p.right != "" {
		room -= draw.Width(p.right) + 2
	}
	f.putSteps(l, room, steps)
	if audits := f.Streams.Audits(); audits != "" && width >= columns.EstimatesFrom && l.Left()-draw.Width(p.right) > draw.Width(audits)+4 {
		l.Space(3).Put(f.Styles.Dim, audits)
	}
	return l.To(width-draw.Width(p.right)-1).Put(draw.Plain, p.right).String()
}

// statusParts returns the parts of the first line. If there is not enough room for all of them, the less important
// ones are shortened or left out, one after the other. Freshness, alerts and FROZEN stay.
func (f *Bars) statusParts(width int, hasScope bool) *statusParts {
	clock, worst := f.Store.Format().Clock(f.Streams.Now), f.Streams.Worst()
	isStale := worst != nil && !worst.StaleSince.IsZero()
	alertWords, alertCount := f.alertWords()
	p := &statusParts{
		service: draw.CutMiddle(format.OneLine(f.Service), max(minService, width/5)), fresh: f.Streams.Freshness(),
		alerts: alertWords, flags: f.flags(f.frozenWords(), f.Store.Alerts().NotJudged()), view: f.View, filter: f.filterWords(maxFilter),
		right: clock,
	}
	if p.alerts == "" && f.Past == nil {
		p.quietAlerts = f.Store.Alerts().Quiet()
	}
	if hasScope {
		p.scope = f.Store.Format().Scope(f.scope())
	}
	if width >= columns.TwoLinesBelow {
		p.brand = "blotter"
	}
	withoutClock, withoutOpen := "", "" // right, with less in it
	switch {
	case isStale:
		p.right = "as of " + f.Store.Format().Clock(worst.StaleSince)
		withoutClock, withoutOpen = p.right, p.right
	case f.Store.View().Rows() > 0:
		withoutClock = format.Grouped(f.Store.View().Open()) + " open"
		p.right = withoutClock + "  " + clock
	}
	for _, shorten := range []func(){
		func() { p.brand = "" },
		func() { p.right = withoutClock },
		func() { p.right = withoutOpen },
		func() {
			if !strings.HasPrefix(p.fresh, model.FreshQuiet.String()) { // there it matters more than the scope
				p.fresh = strings.TrimSuffix(p.fresh, status.NotVerified)
			}
		},
		func() {
			if hasScope {
				p.scope = f.Store.Format().ShortScope(f.scope())
			}
		},
		func() { p.quietAlerts = "" },
		func() { p.service = draw.CutMiddle(p.service, minService) },
		func() { p.view = "" },
		func() { p.alerts = alertCount },
		func() { p.right = p.right[:max(strings.LastIndexByte(p.right, ' '), 0)] }, // without the zone
		func() { p.right = "" },
		func() { p.flags = f.flags(f.frozenFor(), f.Store.Alerts().NotJudged()) },
		func() { p.filter = f.filterWords(minFilter) },
		func() { p.service = "" },
		func() { p.scope = "" },
		func() { p.fresh = f.Streams.ShortFreshness() },
		func() { p.flags = f.flags("FROZEN", "") },
		func() { p.fresh = f.Streams.ShortestFreshness() },
		func() { p.flags = f.fewestFlags() },
		func() { p.fresh, _, _ = strings.Cut(f.Streams.ShortFreshness(), ",") },
		func() { p.fresh, _, _ = strings.Cut(f.Streams.ShortestFreshness(), ",") },
	} {
		if p.width() <= width {
			break
		}
		shorten()
	}
	return p
}

// alertWords returns the words about alerts that were not seen, and the same in fewer cells. They are those of the
// service, and say so while its past is shown.
func (f *Bars) alertWords() (words, count string) {
	if f.Past == nil {
		return f.Store.Alerts().Words()
	}
	if words, count = f.Past.Live.Alerts().Words(); words != "" {
		words, count = words+", live", count+" live"
	}
	return words, count
}

// flags are other states of the whole screen, with words about the rows if they are frozen, and about rows that the
// rules do not watch; empty if they watch all.
func (f *Bars) flags(frozen, notJudged string) []string {
	flags := f.Flags
	if followed := store.Followed(f.Store); followed != nil {
		flags = append([]string{"only " + f.Store.Format().ShortScope(followed) + " was followed"}, flags...)
	}
	if notJudged != "" {
		flags = append([]string{notJudged}, flags...)
	}
	if store.FrozenOf(f.Store) != nil {
		flags = append([]string{frozen}, flags...)
	}
	return flags
}

// fewestFlags returns the flags in the fewest cells: those of f.Flags are left out while a recording is shown, because
// the freshness says already that this is no service.
func (f *Bars) fewestFlags() []string {
	flags := f.flags("FROZEN", "")
	if f.Streams.Replay != "" {
		return flags[:len(flags)-len(f.Flags)]
	}
	return flags
}

// frozenWords returns since when the rows are frozen, and how many changes wait; empty if they are not.
func (f *Bars) frozenWords() string {
	frozen := store.FrozenOf(f.Store)
	if frozen == nil {
		return ""
	}
	switch n := frozen.Waiting(); n {
	case 0:
		return f.frozenFor()
	case 1:
		return f.frozenFor() + ", 1 change waits"
	default:
		return f.frozenFor() + ", " + format.Counted(n, "change") + " wait"
	}
}

// frozenFor returns since when the rows are frozen; empty if they are not.
func (f *Bars) frozenFor() string {
	frozen := store.FrozenOf(f.Store)
	if frozen == nil {
		return ""
	}
	since := model.Elapsed(f.Store.Now(), frozen.Since())
	if since < 0 { // a recording has gone back
		return "FROZEN"
	}
	return "FROZEN " + format.Age(since)
}
