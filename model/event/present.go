package event

import (
	"cmp"
	"iter"
	"slices"
	"time"

	"blotter/model"
)

// Present is what is: which rules are in alert for which positions, or are about to begin, and which stories are under
// way. A Log has what has happened. What is stays here until it ends, however many events the log has dropped. The
// zero Present is empty and ready for use.
type Present struct {
	rows     map[model.Key]*presentRow
	counts   []presentCount // by rule
	troubled int            // how many rows have a trouble
}

// presentRow is what is of a position, or, with the zero Key, of groups and of the feed.
type presentRow struct {
	alerts  []*Alert
	trouble *trouble
}

// presentCount is of how many positions a rule is in alert, and for how many it is about to begin.
type presentCount struct{ active, pending int }

// Alert is a position, or a group, for which a rule is in alert or about to begin.
type Alert struct {
	Rule   int // its place
	Key    model.Key
	Begun  bool
	Since  time.Time // when it began; before that, since when it matches, later by the time for which that was not known
	Told   time.Time // when it began, or was reported again last
	Number uint64    // in the log, of its beginning; 0 if it is not in it
	// IsUnconfirmed is true if it has begun in an earlier run, or before it was not watched for some time, and no row
	// has shown since then that it lasts.
	IsUnconfirmed bool
	// NotSentSince is since when the service has not sent its position, if it went together with many others: see
	// Alerts.NoteNotSent in package view. Zero if that is not so.
	NotSentSince time.Time
}

// Alert returns what is of a rule and a position; nil if the rule is neither in alert nor about to begin.
func (p *Present) Alert(rule int, key model.Key) *Alert {
	row := p.rows[key]
	if row == nil {
		return nil
	}
	for _, a := range row.alerts {
		if a.Rule == rule {
			return a
		}
	}
	return nil
}

// Active returns the alert of a rule for a position; nil if it is not in alert.
func (p *Present) Active(rule int, key model.Key) *Alert {
	if a := p.Alert(rule, key); a != nil && a.Begun {
		return a
	}
	return nil
}

// IsInAlert reports whether any rule is in alert for a position.
func (p *Present) IsInAlert(key model.Key) bool { return p.firstAlert(key) != nil }

// firstAlert returns the alert of a position that began first; nil if there is none.
func (p *Present) firstAlert(key model.Key) (first *Alert) {
	row := p.rows[key]
	if row == nil {
		return nil
	}
	for _, a := range row.alerts {
		if a.Begun && (first == nil || a.Since.Before(first.Since)) {
			first = a
		}
	}
	return first
}

// Counts returns of how many positions a rule is in alert, and for how many it is about to begin.
func (p *Present) Counts(rule int) (active, pending int) {
	if rule >= len(p.counts) {
		return 0, 0
	}
	return p.counts[rule].active, p.counts[rule].pending
}

// Put adds an alert, in place of one of the same rule and position.
func (p *Present) Put(a Alert) {
	p.Drop(a.Rule, a.Key)
	row := p.row(a.Key)
	row.alerts = append(row.alerts, &a)
	p.count(&a, +1)
}

// Drop removes the alert of a rule and a position, if there is one.
func (p *Present) Drop(rule int, key model.Key) {
	row := p.rows[key]
	if row == nil {
		return
	}
	for i, a := range row.alerts {
		if a.Rule == rule {
			p.count(a, -1)
			row.alerts = append(row.alerts[:i], row.alerts[i+1:]...)
			p.dropEmpty(key)
			return
		}
	}
}

// Alerts yields what is in alert and what is about to begin, in no order. What is yielded may be dropped.
func (p *Present) Alerts() iter.Seq[*Alert] {
	return func(yield func(*Alert) bool) {
		for _, row := range p.rows {
			for i := len(row.alerts) - 1; i >= 0; i-- {
				if !yield(row.alerts[i]) {
					return
				}
			}
		}
	}
}

// IsTroubled reports whether anything is known of the trouble of a position.
func (p *Present) IsTroubled(key model.Key) bool {
	row := p.rows[key]
	return row != nil && row.trouble != nil
}

// OlderStories returns the stories under way whose first event a log has dropped, the newest first.
func (p *Present) OlderStories(l *Log) (older []*Story) {
	if p.troubled == 0 {
		return nil
	}
	for _, row := range p.rows {
		if !row.trouble.isUnderWay() {
			continue
		}
		if !l.hasLasting(row.trouble.story.Number) {
			older = append(older, row.trouble.story)
		}
	}
	slices.SortFunc(older, func(a, b *Story) int { return cmp.Compare(b.Number, a.Number) })
	return older
}

// ForgetNumbers notes that another log begins, which has no beginning of what is in alert.
func (p *Present) ForgetNumbers() {
	for a := range p.Alerts() {
		a.Number = 0
	}
}

// Renumber gives rules new places. Of a rule that does not stay, the alerts are dropped.
func (p *Present) Renumber(placeOf func(rule int) (place int, stays bool)) {
	var all []*Alert
	for a := range p.Alerts() {
		all = append(all, a)
	}
	for _, a := range all {
		p.Drop(a.Rule, a.Key)
	}
	for _, a := range all {
		if place, stays := placeOf(a.Rule); stays {
			a.Rule = place
			p.Put(*a)
		}
	}
}

func (p *Present) count(a *Alert, n int) {
	for len(p.counts) <= a.Rule {
		p.counts = append(p.counts, presentCount{})
	}
	if a.Begun {
		p.counts[a.Rule].active += n
	} else {
		p.counts[a.Rule].pending += n
	}
}

func (p *Present) row(key model.Key) *presentRow {
	if p.rows == nil {
		p.rows = make(map[model.Key]*presentRow)
	}
	row := p.rows[key]
	if row == nil {
		row = new(presentRow)
		p.rows[key] = row
	}
	return row
}

func (p *Present) dropEmpty(key model.Key) {
	if row := p.rows[key]; row != nil && len(row.alerts) == 0 && row.trouble == nil {
		delete(p.rows, key)
	}
}

// UnderWay returns the story of a position that is under way, and false if there is none.
func (p *Present) UnderWay(key model.Key) (*Story, bool) {
	if row := p.rows[key]; row != nil && row.trouble.isUnderWay() {
		return row.trouble.story, true
	}
	return nil, false
}

// Kept returns the story of a flat position whose row is shown because of it, and false if there is none.
func (p *Present) Kept(key model.Key) (*Story, bool) {
	if row := p.rows[key]; row != nil && row.trouble != nil && !row.trouble.keptUntil.IsZero() {
		return row.trouble.story, true
	}
	return nil, false
}

// KeptKeys returns the positions whose rows are shown because of their stories.
func (p *Present) KeptKeys() (keys []model.Key) {
	if p.troubled == 0 {
		return nil
	}
	for key, row := range p.rows {
		if row.trouble != nil && !row.trouble.keptUntil.IsZero() {
			keys = append(keys, key)
		}
	}
	return keys
}
