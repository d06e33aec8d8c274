package alerts

import (
	"context"

	"blotter/model/view"
)

// Programs are the programs of rules. They also keep for the next run what is in alert.
type Programs interface {
	// Deliver takes events of one rule for its program, which may be none, and for which positions the rule is in alert
	// after them. It may write a file, and does not wait for the program.
	Deliver([]view.AlertEvent, InAlert)
	// Earlier returns what was in alert at the end of the last run.
	Earlier() []InAlert
	// RunBy returns who runs the programs of rules for what another program of blotter watches; empty if no other does.
	RunBy() string
	// Outcome waits for the next outcome; false if there will be none.
	Outcome(context.Context) (Outcome, bool)
}

// Outcome is what became of the last call of the program of a rule.
type Outcome struct {
	Rule    string
	Err     error // why it failed; nil if it took all that waited
	Waiting int   // events that it did not take
}
