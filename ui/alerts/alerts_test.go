package alerts

import (
	"fmt"
	"slices"
	"strings"
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

// TestTheStartIsOneReport: while positions are loading, nothing is reported, but not for longer than a time from the
// first change on.
func TestTheStartIsOneReport(t *testing.T) {
	r := NewReports([]Rule{{AlertRule: view.AlertRule{Name: "loss"}}})
	for i := range 3 {
		now := start.Add(time.Duration(i) * time.Second)
		r.Add(change(true, fmt.Sprint("m", i)), view.AlertEvent{At: now}, now)
	}
	if due := r.Due(loading, start.Add(startFor-1), formatter); due != nil {
		t.Errorf("%d reports while positions are loading", len(due))
	}
	due := r.Due(loading, start.Add(startFor), formatter)
	if len(due) != 1 || due[0].Words != "loss: 3 positions" || len(due[0].Events) != 1 {
		t.Errorf("the reports of the start are %+v", due)
	}
}

// TestNothingWaitsAfterTheStart: margin levels are loaded again soon after the start.
func TestNothingWaitsAfterTheStart(t *testing.T) {
	r := NewReports([]Rule{{AlertRule: view.AlertRule{Name: "loss"}}})
	for i, isLoading := range []func() bool{complete, loading} {
		now := start.Add(time.Duration(i) * reportEvery)
		r.Add(change(true, fmt.Sprint("m", i)), view.AlertEvent{At: now}, now)
		if due := r.Due(isLoading, now, formatter); len(due) != 1 {
			t.Errorf("%d reports at %s", len(due), now)
		}
	}
}

// TestAnAlertIsReportedOnceASecond, with the events between in turn. There are not more than a number of them.
func TestAnAlertIsReportedOnceASecond(t *testing.T) {
	r := NewReports([]Rule{{AlertRule: view.AlertRule{Name: "loss"}}})
	r.Due(complete, start, formatter)
	for i := range 10 * maxPendingEvents {
		r.Add(change(i%2 == 0, "btc"), view.AlertEvent{}, start)
		if due := r.Due(complete, start.Add(time.Duration(i)), formatter); (len(due) > 0) != (i == 0) {
			t.Errorf("after change %d there are %d reports", i, len(due))
		}
	}
	due := r.Due(complete, start.Add(reportEvery), formatter)
	if len(due) != 1 || len(due[0].Events) > maxPendingEvents || len(due[0].Events) < maxPendingEvents/2 {
		t.Fatalf("the reports are %+v", due)
	}
	if last := due[0].Events[len(due[0].Events)-1]; last.Begins {
		t.Error("the last event is a beginning; the last change was an end")
	}
	for i, event := range due[0].Events {
		if i > 0 && event.Begins == due[0].Events[i-1].Begins {
			t.Errorf("events %d and %d are both begin or end", i-1, i)
		}
		for _, change := range event.Changes {
			if change.Begins != event.Begins {
				t.Errorf("event %d has a change of the other kind", i)
			}
		}
	}
	if due := r.Due(complete, start.Add(time.Hour), formatter); due != nil {
		t.Errorf("reported again: %+v", due)
	}
}

// TestAPositionThatMatchesAgainCountsOnce: the line of a report has how many positions match, not how often one did.
func TestAPositionThatMatchesAgainCountsOnce(t *testing.T) {
	for _, c := range []struct{ changes, want string }{
		{"+btc -btc +btc", "loss: btc (none), size 0, uPnL 0"},
		{"+btc -btc +eth", "loss: 2 positions"},
		{"+btc +eth -btc +btc +sol", "loss: 3 positions"},
		{"+btc -btc", "loss: btc (none), size 0, uPnL 0"},
		{"-btc", ""},
		{"*btc", "loss again: btc (none), size 0, uPnL 0"},
		{"*btc *eth", "loss again: 2 positions"},
		{"+btc *eth *sol", "loss: btc (none), size 0, uPnL 0; loss again: 2 positions"},
		{strings.Repeat("+btc -btc ", maxPendingEvents) + "*eth *sol", "loss: btc (none), size 0, uPnL 0; loss again: 2 positions"},
	} {
		r := NewReports([]Rule{{AlertRule: view.AlertRule{Name: "loss"}}})
		for _, word := range strings.Fields(c.changes) {
			c := change(word[0] != '-', word[1:])
			c.IsAgain = word[0] == '*'
			r.Add(c, view.AlertEvent{}, start)
		}
		if due := r.Due(complete, start, formatter); len(due) != 1 {
			t.Errorf("%s: %d reports", c.changes, len(due))
		} else if due[0].Words != c.want {
			t.Errorf("%s: the words are %q, want %q", c.changes, due[0].Words, c.want)
		}
	}
}

// TestOtherRulesKeepWhatIsPending: a rule is added while positions are loading and a beginning is not reported yet.
func TestOtherRulesKeepWhatIsPending(t *testing.T) {
	loss, distress := Rule{AlertRule: view.AlertRule{Name: "loss"}}, Rule{AlertRule: view.AlertRule{Name: "distress"}}
	off := loss
	off.IsOff = true
	for _, c := range []struct {
		name  string
		rules []Rule
		want  []string
	}{
		{"at another place", []Rule{distress, loss}, []string{"loss: 2 positions"}},
		{"off", []Rule{off, distress}, nil},
		{"gone", []Rule{distress}, nil},
	} {
		r := NewReports([]Rule{loss})
		r.Add(change(true, "btc"), view.AlertEvent{}, start)
		r.Add(change(true, "eth"), view.AlertEvent{}, start)
		r = r.With(c.rules)
		if due := r.Due(loading, start.Add(startFor-1), formatter); due != nil {
			t.Errorf("%s: %d reports while positions are loading", c.name, len(due))
		}
		var words []string
		for _, report := range r.Due(loading, start.Add(startFor), formatter) {
			words = append(words, report.Rule.Name+": "+strings.TrimPrefix(report.Words, report.Rule.Name+": "))
		}
		if !slices.Equal(words, c.want) {
			t.Errorf("%s: the reports are %q, want %q", c.name, words, c.want)
		}
	}
}

// TestWordsOfAnEvent: the line of an event says that it has ended, and what is known of its rows.
func TestWordsOfAnEvent(t *testing.T) {
	of := func(begins bool, changes ...view.AlertChange) *view.AlertEvent {
		return &view.AlertEvent{Rule: view.AlertRule{Name: "loss"}, Begins: begins, Count: len(changes), Changes: changes}
	}
	btc := *change(true, "btc")
	old, partial := btc, btc
	old.Behind, partial.Partial = 20*time.Second, true
	for _, c := range []struct {
		event *view.AlertEvent
		want  string
	}{
		{of(false, btc, btc), "loss ended: 2 positions"},
		{of(true, old, btc), "loss: 2 positions, behind 20s"},
		{of(true, btc, old, partial, btc), "loss: 4 positions, behind 20s, partial"},
		{&view.AlertEvent{Rule: view.AlertRule{Name: "old rows"}, Feed: "stale for 30s"}, "old rows ended: stale for 30s"},
	} {
		if got := eventWords(c.event, formatter); got != c.want {
			t.Errorf("the words are %q, want %q", got, c.want)
		}
	}
}

func TestAnEventHasAtMostSoManyPositions(t *testing.T) {
	r := NewReports([]Rule{{AlertRule: view.AlertRule{Name: "loss"}}})
	for i := range view.MaxEventPositions + 1 {
		r.Add(change(true, fmt.Sprint("m", i)), view.AlertEvent{}, start)
	}
	event := r.Due(complete, start, formatter)[0].Events[0]
	if len(event.Changes) != view.MaxEventPositions || event.Text != "loss: 101 positions" {
		t.Errorf("the event %q has %d positions", event.Text, len(event.Changes))
	}
}

func TestUnseen(t *testing.T) {
	loss, distress := &Rule{AlertRule: view.AlertRule{Name: "loss"}}, &Rule{AlertRule: view.AlertRule{Name: "distress"}}
	old := &Rule{AlertRule: view.AlertRule{Name: "old"}, StaleFor: time.Minute}
	words, count := UnseenWords([]Unseen{{distress, 3, 17}, {old, 1, 1}, {loss, 0, 1}})
	if words != "ALERT old, distress 3, loss 0, 19 new" || count != "ALERT 4" {
		t.Errorf("the texts are %q and %q", words, count)
	}
	if words, count := UnseenWords(nil); words+count != "" {
		t.Errorf("if all were seen the texts are %q and %q", words, count)
	}
}

func TestSequence(t *testing.T) {
	for _, c := range []struct {
		alert Rule
		want  string
	}{
		{Rule{}, ""},
		{Rule{Bell: true}, "\a"},
		{Rule{Notify: OSC9, Bell: true}, "\x1b]9;blotter: loss; 2 positions\a\a"},
		{Rule{Notify: OSC777}, "\x1b]777;notify;blotter;loss, 2 positions\a"},
	} {
		if got := c.alert.Sequence("loss; 2 positions"); got != c.want {
			t.Errorf("the sequence is %q, want %q", got, c.want)
		}
	}
}
