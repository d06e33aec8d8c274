package model

import "time"

// Filter is which rows of its scope a view shows.
type Filter struct {
	Text       string // a text that ParseQuery refuses hides no row
	ShowClosed bool   // whether positions with volume 0 are shown
	// Now is the time by the service's clock that ages are counted from. Its location is the zone of times of day.
	Now time.Time
}
