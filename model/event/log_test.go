package event

import (
	"strconv"
	"testing"
)

// TestAnEventThatLastsKeepsItsNumber after it has left the newest ones, also if many that last were dropped.
func TestAnEventThatLastsKeepsItsNumber(t *testing.T) {
	var log Log
	addAlerts := func(n int) {
		for range n {
			log.Add(Event{Alert: &AlertReport{Rule: strconv.FormatUint(log.Count()+1, 10)}})
		}
	}
	addAlerts(3 * MaxLasting)
	for range MaxEvents + MaxLasting {
		log.Add(Event{})
	}
	addAlerts(MaxLasting / 2)
	n := 0
	for number, e := range log.Lasting() {
		if n++; e.Alert.Rule != strconv.FormatUint(number, 10) {
			t.Fatalf("event %d is event %s", number, e.Alert.Rule)
		}
	}
	if n < MaxLasting*9/10 || n > MaxLasting {
		t.Errorf("%d events last", n)
	}
}
