package alerts

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

var (
	start     = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	formatter = format.New(model.NewInstruments(nil, nil, nil), time.UTC, func(model.ID) int { return 2 }, false)
)

// change is the beginning or the end of the only alert, for a position.
func change(begins bool, market string) *view.AlertChange {
	return &view.AlertChange{Begins: begins, Position: model.Position{Key: model.Key{Market: model.MakeID(market)}}}
}

func loading() bool { return true }

func complete() bool { return false }

// TestTheStartIsOneReport: while positions are loading, nothing is reported, but not for longer than a time.
func TestTheStartIsOneReport(t *testing.T) {
	r := NewReports([]Alert{{AlertRule: view.AlertRule{Name: "loss"}}})
	for i := range 3 {
		r.Add(change(true, fmt.Sprint("m", i)), view.AlertEvent{At: start}, start)
	}
	if due := r.Due(loading, start.Add(startFor-1), formatter); due != nil {
		t.Errorf("%d reports while positions are loading", len(due))
	}
	due := r.Due(loading, start.Add(startFor), formatter)
	if len(due) != 1 || due[0].Words != "loss: 3 positions" || len(due[0].Events) != 1 {
		t.Errorf("the reports of the start are %+v", due)
	}
}

// TestAnAlertIsReportedOnceASecond, with the events between in turn. There are not more than a number of them.
func TestAnAlertIsReportedOnceASecond(t *testing.T) {
	r := NewReports([]Alert{{AlertRule: view.AlertRule{Name: "loss"}}})
	r.Due(complete, start, formatter)
	for i := range 10 * maxPendingEvents {
		r.Add(change(i%2 == 0, "btc"), view.AlertEvent{}, start)
		if due := r.Due(complete, start.Add(time.Duration(i)), formatter); (len(due) > 0) != (i == 0) {
			t.Errorf("after change %d there are %d reports", i, len(due))
		}
	}
	due := r.Due(complete, start.Add(reportEvery), formatter)
	if len(due) != 1 || len(due[0].Events) != maxPendingEvents {
		t.Fatalf("the reports are %+v", due)
	}
	for i, event := range due[0].Events[1:] {
		if event.Begins == due[0].Events[i].Begins {
			t.Errorf("events %d and %d are both begin or end", i, i+1)
		}
	}
	if due := r.Due(complete, start.Add(time.Hour), formatter); due != nil {
		t.Errorf("reported again: %+v", due)
	}
}

func TestUnseen(t *testing.T) {
	alerts := []Alert{{AlertRule: view.AlertRule{Name: "loss"}}, {AlertRule: view.AlertRule{Name: "distress"}}}
	words, count := Unseen([]view.Alert{{Rule: 1}, {Rule: 0}, {Rule: 1}}, []string{"old"}, alerts)
	if words != "ALERT old, distress 2, loss 1" || count != "ALERT 4" {
		t.Errorf("the texts are %q and %q", words, count)
	}
	if words, count := Unseen(nil, nil, alerts); words+count != "" {
		t.Errorf("if all were seen the texts are %q and %q", words, count)
	}
}

func TestSequence(t *testing.T) {
	for _, c := range []struct {
		alert Alert
		want  string
	}{
		{Alert{}, ""},
		{Alert{Bell: true}, "\a"},
		{Alert{Notify: OSC9, Bell: true}, "\x1b]9;blotter: loss; 2 positions\a\a"},
		{Alert{Notify: OSC777}, "\x1b]777;notify;blotter;loss, 2 positions\a"},
	} {
		if got := c.alert.Sequence("loss; 2 positions"); got != c.want {
			t.Errorf("the sequence is %q, want %q", got, c.want)
		}
	}
}
