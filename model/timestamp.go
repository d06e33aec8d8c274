package model

import "time"

// Time returns the amount as a time, read as nanoseconds since the Unix epoch. It returns false where the service gave no
// time: where the amount is 0 or not an integer of 64 bits.
func (a Amount) Time() (time.Time, bool) {
	n, ok := a.Int64()
	if !ok || n == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, n), true
}
