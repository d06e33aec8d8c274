package hub

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
)

// alertAt returns an alert of a party that began at a second.
func alertAt(party string, second int64) event.Alert {
	return event.Alert{Key: model.Key{Party: model.MakeID(party)}, Begun: true, Since: time.Unix(second, 0)}
}

// changeAt returns a change of an alert of a party at a second.
func changeAt(party string, second int64, begins bool) view.AlertChange {
	change := view.AlertChange{Begins: begins, At: time.Unix(second, 0)}
	change.Position.Party = model.MakeID(party)
	return change
}

// alertsOf returns what comes next of a session, as words.
func (s *trial) alertsOf(of *Session) string {
	s.Helper()
	news, err := of.NextAlerts(s.Context())
	if err != nil {
		s.Error(err)
	}
	var words []string
	for _, n := range news {
		text := n.Rule + ":"
		for _, a := range n.Active {
			text += fmt.Sprint(" ", a.Key.Party)
		}
		for _, c := range n.Changes {
			text += fmt.Sprint(" ", map[bool]string{true: "+", false: "-"}[c.Begins], c.Position.Party)
		}
		words = append(words, text)
	}
	return strings.Join(words, "; ")
}

// TestAlertsOfTheDesk come to each session once, and at once to one that joins later: without what has ended.
func TestAlertsOfTheDesk(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		early, _ := s.hub.Join(s.Context())
		var got string
		go func() { got = s.alertsOf(early) }()
		synctest.Wait()
		if got != "" {
			s.Errorf("before anything is known it gets %q", got)
		}
		s.hub.SetAlerts(view.DeskAlerts{Rule: "loss", Active: []event.Alert{alertAt("a", 1)}})
		synctest.Wait()
		expect := func(of *Session, want string) {
			s.Helper()
			if got := s.alertsOf(of); got != want {
				s.Errorf("it gets %q, want %q", got, want)
			}
		}
		if got != "loss: a" {
			s.Errorf("the first that it gets is %q", got)
		}
		s.hub.SetAlerts(view.DeskAlerts{
			Rule: "loss", Active: []event.Alert{alertAt("a", 1), alertAt("b", 2)}, Changes: []view.AlertChange{changeAt("b", 2, true)},
		})
		expect(early, "loss: a b +b")
		s.hub.SetAlerts(view.DeskAlerts{Rule: "gain"})
		s.hub.SetAlerts(view.DeskAlerts{
			Rule: "loss", Active: []event.Alert{alertAt("b", 2)},
			Changes: []view.AlertChange{changeAt("c", 3, true), changeAt("a", 3, false), changeAt("c", 4, false)},
		})
		late, _ := s.hub.Join(s.Context())
		expect(late, "loss: b +b; gain:")
		expect(early, "loss: b +c -a -c; gain:")
	})
}

// TestASessionThatIsBehind gets what is in alert now, also if changes were dropped.
func TestASessionThatIsBehind(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		slow, _ := s.hub.Join(s.Context())
		s.hub.SetAlerts(view.DeskAlerts{Rule: "loss"})
		s.alertsOf(slow)
		for i := range int64(3 * maxChanges) {
			s.hub.SetAlerts(view.DeskAlerts{
				Rule: "loss", Active: []event.Alert{alertAt("a", i)}, Changes: []view.AlertChange{changeAt("a", i, true)},
			})
		}
		news, err := slow.NextAlerts(s.Context())
		if err != nil || len(news) != 1 || len(news[0].Changes) != maxChanges || !news[0].Active[0].Since.Equal(time.Unix(3*maxChanges-1, 0)) {
			s.Errorf("it gets %+v, %v", news, err)
		}
	})
}

// TestNoAlertsComeAfterTheEnd of a session, or of its context.
func TestNoAlertsComeAfterTheEnd(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		of, _ := s.hub.Join(s.Context())
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		if _, err := of.NextAlerts(ctx); !errors.Is(err, context.Canceled) {
			s.Errorf("it returns %v", err)
		}
		time.AfterFunc(time.Second, of.Close)
		if _, err := of.NextAlerts(s.Context()); !errors.Is(err, ErrClosed) {
			s.Errorf("it returns %v", err)
		}
	})
}

// TestARuleOfTheDeskIsFull with as many alerts as a rule can have.
func TestARuleOfTheDeskIsFull(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		of, _ := s.hub.Join(s.Context())
		for _, n := range []int{view.MaxAlerts, view.MaxAlerts - 1} {
			s.hub.SetAlerts(view.DeskAlerts{Rule: "loss", Active: make([]event.Alert, n)})
			if news, err := of.NextAlerts(s.Context()); err != nil || news[0].IsFull != (n == view.MaxAlerts) {
				s.Errorf("with %d alerts it is full: %v, %v", n, news[0].IsFull, err)
			}
		}
	})
}
