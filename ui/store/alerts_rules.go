package store

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// resumeAlerts takes what was in alert when the last run ended. Rows show later whether it lasts.
func resumeAlerts(s *Store) {
	a := &s.alerts
	a.kept = keptAlerts{
		reported: make(map[string][]view.Begun), elsewhere: make(map[string][]view.Begun), readAt: make(map[model.Subscription]time.Time),
	}
	if s.options.Programs == nil || s.options.Events != nil {
		return
	}
	for _, kept := range s.options.Programs.Earlier() {
		rule := alerts.Index(a.all, kept.Rule)
		if rule < 0 {
			a.kept.outdated = append(a.kept.outdated, kept.Rule)
			continue
		}
		earlier, isSame := kept.Resumed(&a.all[rule], rule)
		if a.kept.reported[kept.Rule] = earlier; isSame {
			a.resumeRule(&a.all[rule], earlier)
		} else {
			noteAlerts(s, view.EndByChange(s.data.view, earlier, s.Now()))
		}
	}
	a.updateWords()
}

// resumeRule takes the alerts of an earlier run of a rule, as far as this run watches their rows.
func (a *Alerts) resumeRule(rule *alerts.Rule, earlier []view.Begun) {
	isElsewhere := func(b view.Begun) bool { return !rule.OfDesk && !rule.Watches(&b, a.data.judged.start) }
	for _, b := range earlier {
		if isElsewhere(b) && len(a.kept.elsewhere[rule.Name]) < view.MaxAlerts {
			a.kept.elsewhere[rule.Name] = append(a.kept.elsewhere[rule.Name], b)
		}
	}
	a.watched().Resume(slices.DeleteFunc(slices.Clone(earlier), isElsewhere), a.clock.now())
}

// SetRules replaces the rules. Of those that stay as they are, the alerts stay. Those of the others end. The first rule
// that is on makes the Store follow the rows of the start, and the last one ends that.
func SetRules(s *Store, all []alerts.Rule) tea.Cmd {
	a, ended := &s.alerts, endChanged(s, all)
	a.all = all
	s.data.judged.alerts, a.reports = a.watched().With(alerts.ForPositions(all)), a.reports.With(all)
	a.due, a.nextMatch = true, time.Time{}
	for i := range ended {
		addReport(s, &ended[i])
	}
	for i := range a.desk { // a rule that is on again
		followDesk(s, &a.desk[i])
	}
	a.updateWords()
	return refollow(s)
}
