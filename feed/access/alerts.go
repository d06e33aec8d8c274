package access

import (
	"context"
	"slices"

	"blotter/model/event"
	"blotter/model/view"
)

// AlertSource has what the rules of a desk are in alert for. A *hub.Session is one, and says what the method does.
type AlertSource interface {
	NextAlerts(ctx context.Context) ([]view.DeskAlerts, error)
}

// Alerts is an AlertSource that lets through only the rules that a trader has, and of these what the rights have. An
// alert of a group or of the feed has no position: who has its rule may see it.
type Alerts struct {
	source AlertSource
	rights Rights
	rules  []string
}

// NewAlerts returns the alerts of rules with these names, as far as the rights have them.
func NewAlerts(source AlertSource, rights Rights, rules []string) *Alerts {
	return &Alerts{source, rights, rules}
}

// NextAlerts waits for alerts of which some may be seen.
func (a *Alerts) NextAlerts(ctx context.Context) ([]view.DeskAlerts, error) {
	for {
		all, err := a.source.NextAlerts(ctx)
		if err != nil {
			return nil, err
		}
		var visible []view.DeskAlerts
		for _, of := range all {
			if slices.Contains(a.rules, of.Rule) {
				visible = append(visible, view.DeskAlerts{
					Rule:   of.Rule,
					IsFull: of.IsFull,
					Active: seen(of.Active, func(b event.Alert) bool { return a.rights.coversAlert(b.Key) }),
					Changes: seen(of.Changes, func(c view.AlertChange) bool {
						return a.rights.coversAlert(c.Position.Key)
					}),
				})
			}
		}
		if len(visible) > 0 {
			return visible, nil
		}
	}
}
