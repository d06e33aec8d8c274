package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// keptAlerts are what the next run begins with, and what is known of the alerts of an earlier one.
type keptAlerts struct {
	reported map[string][]view.Begun // by rule, what was in alert at its last report
	outdated []string                // rules of which something else is kept than what was reported
	// readAt is since when the streams have rows: see verifiesEnd.
	readAt map[model.Subscription]time.Time
}

// resume takes what was in alert when the last run ended. Rows show later whether it lasts.
func (a *Alerts) resume() {
	s := a.of
	a.kept = keptAlerts{reported: make(map[string][]view.Begun), readAt: make(map[model.Subscription]time.Time)}
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
			a.watched.Resume(earlier, s.Now())
		} else {
			a.note(view.EndByChange(s.data.view, earlier, s.Now()))
		}
	}
	a.watched.Narrow(s.data.scope)
	a.updateWords()
}

// endChanged logs the ends of the alerts of the rules that are others now, and returns those of alerts that were
// reported. It must be called before the rules are replaced.
func (a *Alerts) endChanged(all []alerts.Rule) (changes []view.AlertChange) {
	s := a.of
	for i := range a.all {
		name := a.all[i].Name
		now := alerts.Index(all, name)
		if now >= 0 && !all[now].IsOff && all[now].AlertRule == a.all[i].AlertRule {
			continue
		}
		a.see(name)
		for _, end := range view.EndByChange(s.data.view, a.watched.Begun(i), s.Now()) {
			a.logChange(&a.all[i], &end)
		}
		if now < 0 {
			delete(a.kept.reported, name)
			a.kept.outdated = append(a.kept.outdated, name)
			continue
		}
		for _, end := range view.EndByChange(s.data.view, a.kept.reported[name], s.Now()) {
			end.Rule = now
			changes = append(changes, end)
		}
	}
	return changes
}

// logChange adds a change of a rule to the log of events.
func (a *Alerts) logChange(rule *alerts.Rule, change *view.AlertChange) {
	s := a.of
	ahead := s.ServiceNow().Sub(s.Now())
	happened(s, event.OfAlert(&change.Position, rule.Report(change, s.format), change.At.Add(ahead)))
}

// keep returns the tea.Cmd that hands the events of a report to the program of its rule, if it has one, and keeps what
// the rule is in alert for after them; nil if neither is done.
func (a *Alerts) keep(report *alerts.Report) tea.Cmd {
	to := a.of.options.Programs
	if to == nil {
		return nil
	}
	begun := a.watched.Begun(alerts.Index(a.all, report.Rule.Name))
	a.kept.reported[report.Rule.Name] = begun
	var events []view.AlertEvent
	if report.Rule.Run {
		events = report.Delivered(a.of.ScreenNow())
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
	to, outdated := a.of.options.Programs, a.kept.outdated
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
		a.watched.NoteNotSent(a.of.data.view, losses[i].of, losses[i].at)
		a.keepNotSent()
	}
}

// keepNotSent keeps since when positions of alerts are not sent.
func (a *Alerts) keepNotSent() {
	for rule := range a.all {
		name := a.all[rule].Name
		if waiting, _ := a.watched.NotSent(rule); waiting == 0 {
			continue
		}
		for i := range a.kept.reported[name] {
			b := &a.kept.reported[name][i]
			if alert := a.watched.Present().Active(rule, b.Key); alert != nil {
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
	isLong := isRead && model.Elapsed(a.of.Now(), readAt) >= unverifiedFor
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
			at = a.of.Now()
		}
		if links[i].Committed || links[i].Partial {
			a.kept.readAt[of] = at
		}
	}
}

// mayEnd reports whether an alert may end now if its row no longer matches: one of an earlier run waits until that is
// verified.
func (a *Alerts) mayEnd(rule int, key model.Key) bool {
	alert := a.watched.Present().Active(rule, key)
	if alert == nil || !alert.IsUnconfirmed {
		return true
	}
	if group := a.all[rule].Group; group != "" {
		for link := range linksOf(a.of, group) {
			if !a.verifiesEnd(link) {
				return false
			}
		}
		return true
	}
	link := model.LinkOf(a.of.flow.links, key)
	return link != nil && a.verifiesEnd(link)
}
