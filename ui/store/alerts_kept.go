package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// begun returns what is in alert of the rule at a place, with what this run does not watch.
func (a *Alerts) begun(rule int) []view.Begun {
	return append(a.watched().Begun(rule, a.data.judged.start), a.kept.elsewhere[a.all[rule].Name]...)
}

// endChanged logs the ends of the alerts of the rules that are others now, and returns those of alerts that were
// reported. It must be called before the rules are replaced.
func endChanged(s *Store, all []alerts.Rule) (changes []view.AlertChange) {
	a := &s.alerts
	for i := range a.all {
		name := a.all[i].Name
		now := alerts.Index(all, name)
		if now >= 0 && !all[now].IsOff && all[now].AlertRule == a.all[i].AlertRule {
			continue
		}
		a.see(name)
		for _, end := range view.EndByChange(s.data.rulesView(), a.begun(i), s.Now()) {
			logAlert(s, &a.all[i], &end)
		}
		delete(a.kept.elsewhere, name)
		if now < 0 {
			delete(a.kept.reported, name)
			a.kept.outdated = append(a.kept.outdated, name)
			continue
		}
		for _, end := range view.EndByChange(s.data.rulesView(), a.kept.reported[name], s.Now()) {
			end.Rule = now
			changes = append(changes, end)
		}
	}
	return changes
}

func logAlert(s *Store, rule *alerts.Rule, change *view.AlertChange) {
	ahead := s.ServiceNow().Sub(s.Now())
	s.data.happening.take(event.OfAlert(&change.Position, rule.Report(change, s.format), change.At.Add(ahead)))
}

// keep returns the tea.Cmd that hands the events of a report to the program of its rule, if it has one, and keeps what
// the rule is in alert for after them; nil if neither is done.
func (a *Alerts) keep(report *alerts.Report) tea.Cmd {
	to := a.programs
	if to == nil {
		return nil
	}
	begun := a.begun(alerts.Index(a.all, report.Rule.Name))
	a.kept.reported[report.Rule.Name] = begun
	var events []view.AlertEvent
	if report.Rule.Run {
		events = report.Delivered(a.clock.screenNow())
	}
	inAlert := report.Rule.InAlert(begun)
	return func() tea.Msg {
		to.Deliver(events, inAlert)
		return nil
	}
}

// keepOutdated returns the tea.Cmd that keeps what was reported of rules of which something else is kept, which is
// nothing if a rule was removed; nil if there are no such rules.
func (a *Alerts) keepOutdated() tea.Cmd {
	to, outdated := a.programs, a.kept.outdated
	if a.kept.outdated = nil; to == nil || len(outdated) == 0 {
		return nil
	}
	var all []alerts.InAlert
	for _, name := range outdated {
		of := alerts.InAlert{Rule: name}
		if rule := alerts.Index(a.all, name); rule >= 0 {
			of = a.all[rule].InAlert(a.kept.reported[name])
		}
		all = append(all, of)
	}
	return func() tea.Msg {
		for _, of := range all {
			to.Deliver(nil, of)
		}
		return nil
	}
}

// noteLosses notes of which alerts the positions went together with many others, and were not just closed.
func (a *Alerts) noteLosses(losses []Report) {
	for i := range losses {
		if !losses[i].isLoss {
			continue
		}
		a.watched().NoteNotSent(a.data.rulesView().Book(), losses[i].of, losses[i].at)
		a.keepNotSent()
	}
}

// keepNotSent keeps since when positions of alerts are not sent.
func (a *Alerts) keepNotSent() {
	for rule := range a.all {
		name := a.all[rule].Name
		if waiting, _ := a.watched().NotSent(rule); waiting == 0 {
			continue
		}
		for i := range a.kept.reported[name] {
			b := &a.kept.reported[name][i]
			if alert := a.watched().Present().Active(rule, b.Key); alert != nil {
				b.NotSentSince = alert.NotSentSince
			}
		}
		a.kept.outdated = append(a.kept.outdated, name)
	}
}

// unverifiedFor is how long a stream must have had rows until they show that an alert of an earlier run has ended, if
// no audit has compared them.
const unverifiedFor = time.Minute

// verifiesEnd reports whether the rows of a stream show that an alert of an earlier run has ended: the first snapshot
// may be one of a node that has lost its rows.
func (a *Alerts) verifiesEnd(link *model.Link) bool {
	readAt, isRead := a.kept.readAt[link.Subscription]
	isLong := isRead && model.Elapsed(a.clock.now(), readAt) >= unverifiedFor
	return !link.IsEmptyUnaudited() && (link.Audits > 0 || isLong)
}

// noteRead notes since when the streams have rows.
func (a *Alerts) noteRead(links []model.Link) {
	was := a.kept.readAt
	a.kept.readAt = make(map[model.Subscription]time.Time) // without streams that are no longer watched
	for i := range links {
		of := links[i].Subscription
		at, isKnown := was[of]
		if !isKnown {
			at = a.clock.now()
		}
		if links[i].Committed || links[i].Partial {
			a.kept.readAt[of] = at
		}
	}
}
