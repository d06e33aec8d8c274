package command

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"blotter/feed/access"
	"blotter/feed/hub"
	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/command/delivery"
	"blotter/ui/command/saved"
)

// runAlerts evaluates the rules of the configuration until ctx ends: once, for all traders, whoever is connected. It
// runs their commands, and the hub hands on to all sessions what begins and ends.
func (d *servedDesk) runAlerts(ctx context.Context) error {
	options := d.uiOptions()
	if len(options.Alerts) == 0 {
		return nil
	}
	joined, err := d.hub.Join(ctx)
	if err != nil {
		return err
	}
	defer joined.Close()
	path := ""
	if d.folder != "" {
		path = filepath.Join(d.folder, "state.json")
	}
	commands, problem := d.programs.start(ctx, d.configuration, saved.NewStateFile(path, d.service), d.warn)
	if problem != nil {
		d.warn(problem)
	}
	programs := &deskPrograms{Programs: commands, hub: d.hub, scope: d.scope, rules: slices.Clone(options.Alerts)}
	programs.begin()
	options.Programs = programs
	for i := range options.Alerts {
		options.Alerts[i].Run = true // sessions get the events of all rules
	}
	return d.display.runPlain(ctx, joined, options, io.Discard)
}

// deskPrograms are the programs of the rules of a desk. What they get, the hub gets too, for all sessions.
type deskPrograms struct {
	alerts.Programs
	hub   *hub.Hub
	scope model.Scope   // whose rows the rules watch
	rules []alerts.Rule // of the configuration

	mu sync.Mutex // what comes first is handed on first
}

// begin hands on what was in alert at the end of the last run.
func (p *deskPrograms) begin() {
	earlier := p.Earlier()
	for i := range p.rules {
		rule, of := &p.rules[i], alerts.InAlert{Rule: p.rules[i].Name}
		for _, kept := range earlier {
			if _, isSame := kept.Resumed(rule, i); kept.Rule == rule.Name && isSame {
				of = kept
			}
		}
		p.hub.SetAlerts(view.DeskAlerts{Rule: of.Rule, Active: p.active(rule, &of)})
	}
}

// Deliver takes events of a rule for its command, if it has one, and for all sessions.
func (p *deskPrograms) Deliver(events []view.AlertEvent, of alerts.InAlert) {
	p.mu.Lock()
	defer p.mu.Unlock()
	place := alerts.Index(p.rules, of.Rule)
	if place < 0 || !p.rules[place].Run {
		p.Programs.Deliver(nil, of)
	} else {
		p.Programs.Deliver(events, of)
	}
	if place < 0 {
		return // the configuration no longer has it
	}
	var changes []view.AlertChange
	for i := range events {
		if e := &events[i]; e.Feed != "" {
			changes = append(changes, view.AlertChange{Begins: e.Begins, IsAgain: e.IsAgain, At: e.At, Why: e.Why, Feed: e.Feed})
		} else {
			changes = append(changes, e.Changes...)
		}
	}
	p.hub.SetAlerts(view.DeskAlerts{Rule: of.Rule, Active: p.active(&p.rules[place], &of), Changes: changes})
}

// active returns those of the kept alerts of a rule whose rows are watched. Earlier runs may have watched others.
func (p *deskPrograms) active(rule *alerts.Rule, kept *alerts.InAlert) (active []event.Alert) {
	all, _ := kept.Resumed(rule, 0)
	for i := range all {
		if rule.Watches(&all[i], p.scope) {
			active = append(active, all[i].Alert)
		}
	}
	return active
}

// deskRules returns the names of the rules that the desk evaluates.
func deskRules(all []alerts.Rule) (names []string) {
	for i := range all {
		if all[i].OfDesk {
			names = append(names, all[i].Name)
		}
	}
	return names
}

// traderAlerts keep what is in alert for a trader, for whom no program runs.
type traderAlerts struct {
	*delivery.Delivery
	rights access.Rights
}

// traderAlerts starts what keeps the alerts of a trader beside the trader's state, and returns what ends it.
func (d *servedDesk) traderAlerts(ctx context.Context, state *saved.StateFile, rights access.Rights) (_ alerts.Programs, end func()) {
	started, end, problem := startDelivery(ctx, state, delivery.Options{Warn: d.warn})
	if problem != nil {
		d.warn(problem)
	}
	return traderAlerts{started, rights}, end
}

// Earlier returns what was in alert at the end of the last session, without positions that are hidden now.
func (t traderAlerts) Earlier() (visible []alerts.InAlert) {
	for _, of := range t.Delivery.Earlier() {
		of.Alerts = slices.DeleteFunc(slices.Clone(of.Alerts), func(b alerts.Begun) bool {
			return b.Key != (model.Key{}) && !t.rights.Covers(b.Key)
		})
		visible = append(visible, of)
	}
	return visible
}
