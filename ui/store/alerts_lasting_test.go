package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/uitest"
)

// withLasting sets an alert of losses that must last 5 seconds and is reported again each 15 minutes, and notes what
// its command gets.
func withLasting(t *testing.T, ran *[]string) func(*Options) {
	return func(o *Options) {
		withAlert(t, "upnl<0")(o)
		o.Alerts[0].For, o.Alerts[0].Again, o.Alerts[0].Run, o.Alerts[0].Bell = 5*time.Second, 15*time.Minute, true, true
		began := time.Now()
		o.Programs = uitest.NewPrograms(func(events []view.AlertEvent) error {
			for _, e := range events {
				*ran = append(*ran, fmt.Sprint(e.At.Sub(began), " ", e.Text))
			}
			return nil
		}, 0)
	}
}

// alertLog returns the log of alerts, with times since the start: "5s begin btc".
func (s *shown) alertLog() string {
	var lines []string
	for _, e := range s.Alerts().Log() {
		word := "end"
		switch {
		case e.Alert.IsAgain:
			word = "again"
		case e.Alert.Begins:
			word = "begin"
		}
		lines = append(lines, fmt.Sprint(e.SeenAt().Sub(s.Alerts().Since()), " ", word, " ", e.Market))
	}
	return strings.Join(lines, ", ")
}

// TestFiveTradesBeginNoAlert: after each of them, the service sends a wrong PnL for a second.
func TestFiveTradesBeginNoAlert(t *testing.T) {
	var ran []string
	onStore(t, withLasting(t, &ran), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		for range 5 {
			s.pass(3 * time.Second)
			s.publish(s.update(profit("btc", -500)))
			s.pass(time.Second)
			s.publish(s.update(profit("btc", 5)))
		}
		s.pass(10 * time.Second)
		if words, _ := s.Alerts().Words(); words != "" || s.alertLog() != "" || ran != nil || s.reported() != "" {
			t.Errorf("it says %q, the log is %q, and its command ran for %q", words, s.alertLog(), ran)
		}
	})
}

// TestAnAlertBeginsWithNothingMoreComing: the tick of the second decides. It is reported again each 15 minutes while it
// lasts, and not sooner, to the command too.
func TestAnAlertBeginsWithNothingMoreComing(t *testing.T) {
	var ran []string
	onStore(t, withLasting(t, &ran), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		s.pass(2 * time.Second)
		s.publish(s.update(profit("btc", -5)))
		s.pass(4 * time.Second)
		pending := s.Alerts().Pending(5, s.Now())
		if len(pending) != 1 || pending[0].Position.Market != model.MakeID("btc") || pending[0].For != 4*time.Second || pending[0].Of != 5*time.Second {
			t.Errorf("pending is %+v", pending)
		}
		if got := s.alertLog(); got != "" {
			t.Errorf("before its time the log is %q", got)
		}
		s.pass(time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" || len(s.Alerts().Pending(5, s.Now())) != 0 {
			t.Errorf("the first line has %q", words)
		}
		s.Alerts().SeeNewest()
		for range 16 * 60 { // the service sends what does not matter
			s.publish(book.Delta{Links: []model.Link{s.link()}})
			s.pass(time.Second)
		}
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("after it was reported again the first line has %q", words)
		}
		for range 15 * 60 {
			s.publish(book.Delta{Links: []model.Link{s.link()}})
			s.pass(time.Second)
		}
		s.publish(s.update(profit("btc", 5)))
		s.pass(20 * time.Minute)
		want := "7s begin btc, 15m7s again btc, 30m7s again btc, 31m7s end btc"
		if got := s.alertLog(); got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
		const line = "btc (none), size +1r, uPnL "
		wantRan := []string{"7s loss: " + line + "-5r", "15m7s loss again: " + line + "-5r", "30m7s loss again: " + line + "-5r", "31m7s loss ended: " + line + "+5r"}
		if !slices.Equal(ran, wantRan) {
			t.Errorf("the command got %q, want %q", ran, wantRan)
		}
		if got, want := s.reported(), "loss: "+line+"-5r; loss again: "+line+"-5r; loss again: "+line+"-5r"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
		if state := s.Alerts().State(0); state.Begun != 1 || len(s.Alerts().Began()) != 1 {
			t.Errorf("it has begun %d times", state.Begun)
		}
		events := 0
		for number := s.Events().Oldest(); number <= s.Events().Count(); number++ {
			if e, _ := s.Events().Numbered(number); e.Kinds == event.AlertChanged {
				events++
			}
		}
		if events != 4 {
			t.Errorf("%d events of alerts, want its begin, two reports and its end", events)
		}
	})
}

// TestAnAlertThatWasDueBetweenTwoTicks begins before the change that comes then, and ends with it.
func TestAnAlertThatWasDueBetweenTwoTicks(t *testing.T) {
	var ran []string
	onStore(t, withLasting(t, &ran), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		s.pass(2 * time.Second)
		s.publish(s.update(profit("btc", -5)))
		time.Sleep(5*time.Second + 500*time.Millisecond)
		s.publish(s.update(profit("btc", 5)))
		if got, want := s.alertLog(), "7s begin btc, 7.5s end btc"; got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
	})
}

// TestFrozenTimeCounts: the rules see what the service sends.
func TestFrozenTimeCounts(t *testing.T) {
	var ran []string
	onStore(t, withLasting(t, &ran), func(s *shown) {
		s.publish(s.snapshot(profit("btc", -5), profit("eth", -6)))
		s.pass(2 * time.Second)
		s.Freeze(true)
		s.do(nil)
		s.pass(time.Minute)
		s.publish(s.update(profit("eth", 6)))
		s.pass(10 * time.Second)
		s.Freeze(false)
		s.do(nil)
		s.pass(10 * time.Second)
		if got, want := s.alertLog(), "5s begin btc, 5s begin eth, 1m2s end eth"; got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
	})
}

// TestStaleTimeDoesNotCount: an alert neither begins nor is reported again while its row may be out of date.
func TestStaleTimeDoesNotCount(t *testing.T) {
	var ran []string
	onStore(t, withLasting(t, &ran), func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		s.publish(s.update(profit("btc", -5)))
		s.pass(2 * time.Second)
		link := s.link()
		link.StaleSince = time.Now()
		s.publish(book.Delta{Links: []model.Link{link}})
		s.pass(time.Minute)
		if got := s.alertLog(); got != "" {
			t.Errorf("of a row that is out of date the log is %q", got)
		}
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		s.pass(5 * time.Second)
		if got, want := s.alertLog(), "1m5s begin btc"; got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
	})
}

// TestAMatchThatASnapshotShows: it is no break, and the time begins with it for a new position.
func TestAMatchThatASnapshotShows(t *testing.T) {
	var ran []string
	onStore(t, withLasting(t, &ran), func(s *shown) {
		s.publish(s.snapshot(profit("btc", -5), profit("eth", -5)))
		s.pass(3 * time.Second)
		s.publish(s.snapshot(profit("btc", -6), profit("sol", -7)))
		s.pass(10 * time.Second)
		if got, want := s.alertLog(), "5s begin btc, 8s begin sol"; got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
	})
}

// TestAnAlertOfTheFeedIsReportedAgain while rows are out of date.
func TestAnAlertOfTheFeedIsReportedAgain(t *testing.T) {
	blind := func(o *Options) {
		o.Alerts = []alerts.Rule{{AlertRule: view.AlertRule{Name: "blind", Again: time.Minute}, StaleFor: 30 * time.Second}}
	}
	onStore(t, blind, func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		link := s.link()
		link.StaleSince = time.Now()
		s.publish(book.Delta{Links: []model.Link{link}})
		s.pass(2*time.Minute + 35*time.Second)
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		s.pass(time.Second)
		if got, want := s.alertLog(), "31s begin , 1m31s again , 2m31s again , 2m36s end "; got != want {
			t.Errorf("the log is %q, want %q", got, want)
		}
		const words = ": rows out of date for 30s"
		if got, want := s.reported(), "blind"+words+"; blind again"+words+"; blind again"+words; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
	})
}

// TestAJumpBeginsNoAlert: the time between two times of a recording does not pass, neither while the rows of the other
// time are awaited nor after that. At the new time it begins to count again.
func TestAJumpBeginsNoAlert(t *testing.T) {
	var ran []string
	for _, by := range []time.Duration{time.Hour, 9 * time.Second, -time.Hour} {
		var ahead time.Duration
		onStore(t, func(o *Options) {
			asReplay(o)
			withLasting(t, &ran)(o)
			o.Now = func() time.Time { return time.Now().Add(ahead) }
		}, func(s *shown) {
			s.publish(s.snapshot(profit("btc", -5), profit("eth", -5)))
			s.pass(5 * time.Second)
			s.publish(s.update(profit("sol", -5)))
			s.pass(2 * time.Second)
			s.Jump()
			ahead = by
			s.pass(3 * time.Second) // the rows of that time are read
			jumped := s.snapshot(profit("btc", 5), profit("eth", -6), profit("sol", -6))
			jumped.Restart = true
			jumped.Links[0].MessageAt = s.Now()
			s.publish(jumped)
			s.pass(9 * time.Second)
			want := fmt.Sprintf("5s begin btc, 5s begin eth, %s end btc, %s begin sol", by+10*time.Second, by+15*time.Second)
			if got := s.alertLog(); got != want || ran != nil {
				t.Errorf("after a jump by %s the log is %q, want %q; the command got %q", by, got, want, ran)
			}
		})
	}
}

// TestALastingAlertWaitsForItsPair: while the margin record is older than the size, nothing begins by their ratio,
// however long it lasts.
func TestALastingAlertWaitsForItsPair(t *testing.T) {
	onStore(t, func(o *Options) {
		withAlert(t, "m%<-30")(o)
		o.Alerts[0].For = 5 * time.Second
	}, func(s *shown) {
		change := func(size, profit int64, seconds int) {
			for range seconds {
				update := s.update(sized(size, profit))
				update.Updates[0].NotAfter = time.Now().Add(model.AheadFor).UnixNano()
				update.Links[0].MessageAt = time.Now()
				s.publish(update)
				s.pass(time.Second)
			}
		}
		s.publish(s.snapshot(sized(10, -100)))
		s.source.margins <- book.MarginsRead{Page: levels(1000), Ended: true, Whole: true}
		change(10, -100, 2)
		change(90, -5000, 17)
		if got := s.alertLog(); got != "" || s.Alerts().watched().Pending(0) != 1 {
			t.Errorf("without a pair the log is %q, and %d are pending", got, s.Alerts().watched().Pending(0))
		}
		s.source.margins <- book.MarginsRead{Page: levels(9000), Ended: true}
		change(90, -5000, 2)
		if got := s.alertLog(); got != "19s begin m" {
			t.Errorf("with a pair the log is %q", got)
		}
	})
}
