package model

import "time"

// MaxEventPositions is how many positions an AlertEvent has at most.
const MaxEventPositions = 100

// AlertEvent is the begin or the end of an alert, for one position or for several at about the same time.
type AlertEvent struct {
	Rule        AlertRule
	Begins      bool
	At          time.Time
	Service     string        // its name on the screen
	Count       int           // for how many positions
	Changes     []AlertChange // the first of them, at most MaxEventPositions
	Instruments *Instruments  // their names
	Text        string        // the event in one line
}
