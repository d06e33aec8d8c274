package uitest

import (
	"context"

	"blotter/model/view"
	"blotter/ui/alerts"
)

// Programs calls a function in place of the programs of alerts. Its error is the outcome.
type Programs struct {
	run      func([]view.AlertEvent) error
	waiting  int
	outcomes chan alerts.Outcome
}

// NewPrograms returns programs that call a function. A number of events wait after each call.
func NewPrograms(run func([]view.AlertEvent) error, waiting int) *Programs {
	return &Programs{run, waiting, make(chan alerts.Outcome, 16)}
}

// Deliver calls the function, unless there are no events.
func (p *Programs) Deliver(events []view.AlertEvent, _ alerts.InAlert) {
	if len(events) == 0 {
		return
	}
	p.outcomes <- alerts.Outcome{Rule: events[0].Rule.Name, Err: p.run(events), Waiting: p.waiting}
}

// Earlier returns that nothing was in alert.
func (p *Programs) Earlier() []alerts.InAlert { return nil }

// RunBy returns that no other program runs them.
func (p *Programs) RunBy() string { return "" }

// Outcome returns what the function returned.
func (p *Programs) Outcome(ctx context.Context) (alerts.Outcome, bool) {
	select {
	case outcome := <-p.outcomes:
		return outcome, true
	case <-ctx.Done():
		return alerts.Outcome{}, false
	}
}
