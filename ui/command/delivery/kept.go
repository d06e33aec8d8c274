package delivery

import (
	"fmt"
	"time"

	"blotter/ui/alerts"
)

// Kept is what is kept for the next run.
type Kept struct {
	At      time.Time          `json:"at"`
	Waiting map[string]*Outbox `json:"waiting,omitempty"` // by rule
	InAlert []alerts.InAlert   `json:"inAlert,omitempty"`
	Holder  *Holder            `json:"holder,omitempty"` // the last one
}

// The limits of what is kept of what was in alert.
const (
	oldest    = 24 * time.Hour
	keepEvery = time.Hour // so that it does not count as old while a program runs
)

// isEmpty reports whether the next run needs nothing of it.
func (k *Kept) isEmpty() bool {
	for _, box := range k.Waiting {
		if box.size()+len(box.Delivered) > 0 {
			return false
		}
	}
	return len(k.InAlert) == 0
}

// DropOld drops what was in alert too long ago to be of use, and returns a line that says so; nil if that was not done.
func (k *Kept) DropOld(now time.Time) error {
	if len(k.InAlert) == 0 || now.Sub(k.At) <= oldest {
		return nil
	}
	k.InAlert = nil
	return fmt.Errorf("what was in alert on %s is not used: it is older than a day", k.At.Local().Format("2006-01-02 15:04"))
}
