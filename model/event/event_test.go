package event

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

func TestKindsOfEvents(t *testing.T) {
	const tooLong = "1000000000000000000000000000000000000000" // for 128 bits
	for _, c := range []struct{ before, after, want string }{
		{"5", "5", ""},
		{"", "5", "opened"},
		{"", "0", ""},
		{"0", "-5", "opened"},
		{"-10", "0", "closed"},
		{"5", "-3", "flipped"},
		{"-3", "5", "flipped"},
		{"5", "7", "grown"},
		{"-5", "-7", "grown"},
		{"7", "5", "reduced"},
		{"-7", "-5", "reduced"},
		{"5", "", "removed"},
		{"0", "", ""},
		{"5", "5 DISTRESSED", "status"},
		{"5 DISTRESSED", "5 UNSPECIFIED", "status"},
		{"", "0 DISTRESSED", "status"},
		{"5", "5 NEW_NAME", "status"},
		{"5 NEW_NAME", "5 NEW_NAME", ""},
		{"5 NEW_NAME", "5 OTHER_NAME", "status"},
		{"5 DISTRESSED", "0 loss 12 CLOSED_OUT", "closed status loss"},
		{"5 loss 12", "5 loss 13", "loss"},
		{"5 loss 12", "5 loss 0", ""},
		{"5 loss 12", "7 loss 12", "grown"},
		{tooLong, tooLong + "0", "grown"},
		{"-" + tooLong + "0", "-" + tooLong, "reduced"},
		{"007", "7", ""},
		{"1.5", "-1.5", "flipped"},
		{"1.5", "2.5", "grown"},
	} {
		event, _ := New(modeltest.Holding(c.before), modeltest.Holding(c.after), book.ChangedByUpdate, time.Time{})
		if got := strings.Join(event.Kinds.Names(), " "); got != c.want {
			t.Errorf("%s, then %s: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}

// TestStatesThatHaveTheSameEvents: a state may be dropped for another only if each has the same event with a third one.
func TestStatesThatHaveTheSameEvents(t *testing.T) {
	const tooLong = "1000000000000000000000000000000000000000"
	states := []string{"5", "7", "-5", "0", "5 DISTRESSED", "5 NEW_NAME", "5 OTHER_NAME", "5 loss 12", "5 loss 13", tooLong, tooLong + "0", "5 loss " + tooLong}
	for _, before := range states {
		for _, after := range states {
			p, q := modeltest.Holding(before), modeltest.Holding(after)
			q.SetNumber(model.UnrealisedPnl, model.AmountOf(1))
			if got := NoneBetween(p, q); got != (before == after) {
				t.Errorf("%s and %s: %t", before, after, got)
			}
		}
		if p := modeltest.Holding(before); NoneBetween(nil, p) || NoneBetween(p, nil) {
			t.Errorf("%s is as none", before)
		}
	}
}

func TestEventHasBothStatesAndTimes(t *testing.T) {
	before, after := modeltest.Holding("5 loss 1 ODD"), modeltest.Holding("-30 loss 2 DISTRESSED")
	const sent = 1_795_240_360_702_446_000
	before.SetNumber(model.AverageEntryPrice, model.ParseAmount("100.50"))
	after.SetNumber(model.AverageEntryPrice, model.ParseAmount("x"))
	after.SetNumber(model.RealisedPnl, model.AmountOf(77))
	after.SetNumber(model.UpdatedAt, model.AmountOf(sent))
	seen := time.Unix(0, sent+9)
	event, ok := New(before, after, book.ChangedByUpdate, seen)
	was, is := event.Before(), event.After()
	got := fmt.Sprint(ok, event.Market, " ", was.Number(model.OpenVolume), was.Number(model.LossSocialisationAmount), was.StatusName(),
		" > ", is.Number(model.OpenVolume), is.Number(model.LossSocialisationAmount), is.StatusName())
	if prices := fmt.Sprint(was.Number(model.AverageEntryPrice), was.Number(model.RealisedPnl), is.Number(model.AverageEntryPrice), is.Number(model.RealisedPnl)); prices != "100.50 0 x 77" {
		t.Errorf("the entry prices and realised PnL are %s", prices)
	}
	if want := "true b 5 1POSITION_STATUS_ODD > -30 2POSITION_STATUS_DISTRESSED"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if at, exact := event.At(); at.UnixNano() != sent || !exact {
		t.Errorf("the update happened at %d, exact %t", at.UnixNano(), exact)
	}
	after.SetNumber(model.UpdatedAt, model.AmountOf(seen.Add(model.AheadFor+1).UnixNano()))
	event, _ = New(before, after, book.ChangedByUpdate, seen)
	if at, exact := event.At(); at != seen || exact {
		t.Errorf("an update with a time of the future, seen before it, happened at %d, exact %t", at.UnixNano(), exact)
	}
	for time, source := range map[int64]book.ChangeSource{sent: book.ChangedBySnapshot, 0: book.ChangedByUpdate} {
		after.SetNumber(model.UpdatedAt, model.AmountOf(time))
		event, _ = New(before, after, source, seen)
		if at, exact := event.At(); at != seen || exact {
			t.Errorf("what a snapshot or an update without a time shows happened at %d, exact %t", at.UnixNano(), exact)
		}
	}
	for text, want := range map[string]string{
		"1795240360": "1795240360", "1795240360702": "1795240360702", "20261121": "20261121", "2026-11-21T05:52:40.5Z": "1795240360500000000", "soon": "0",
	} { // an integer is kept as it was sent
		after.SetNumber(model.UpdatedAt, model.ParseAmount(text))
		event, _ = New(before, after, book.ChangedByUpdate, seen)
		if got := event.After().Number(model.UpdatedAt).String(); got != want {
			t.Errorf("an update of %s has the time %s", text, got)
		}
	}
	if size := unsafe.Sizeof(event); size != 240 {
		t.Errorf("an event has %d bytes; its comment has 240", size)
	}
}

// TestEventOfAnAlert: it has the position of that time; an event of an alert about the feed has no position.
func TestEventOfAnAlert(t *testing.T) {
	ofPosition, ofFeed := OfAlert(modeltest.Holding("5 loss 1"), new(AlertReport), time.Unix(0, 20)), OfAlert(new(model.Position), &AlertReport{About: "stale"}, time.Unix(0, 20))
	for _, p := range []*model.Position{ofPosition.Before(), ofPosition.After()} {
		if !NoneBetween(p, modeltest.Holding("5 loss 1")) {
			t.Errorf("the event has %s", p.Number(model.OpenVolume))
		}
	}
	if !ofPosition.HasPosition() || ofFeed.HasPosition() {
		t.Error("it is wrong whether the events have a position")
	}
}

// TestEventsKeepLittleOfLongTexts: the service can send a text of any length, and a hundred thousand events are kept.
func TestEventsKeepLittleOfLongTexts(t *testing.T) {
	long := modeltest.Holding("1" + strings.Repeat("0", 1_000_000))
	long.Party = model.MakeID(strings.Repeat("p", 1_000_000))
	event, ok := New(nil, long, book.ChangedByUpdate, time.Time{})
	if size := len(event.Party.String()); size > maxEventID+len("…") || event.Market != long.Market || !event.HasCutID() {
		t.Errorf("the party in the event has %d bytes, and the market is %s", size, event.Market)
	}
	if size := event.After().Number(model.OpenVolume).String(); !ok || len(size) > maxEventText+len("…") || !strings.HasSuffix(size, "…") {
		t.Errorf("the size in the event has %d bytes, and its end is not marked as cut", len(size))
	}
}

// TestEventsKeepIdentifiers of several hundred bytes whole: they find the position. The longest integer is whole, too.
func TestEventsKeepIdentifiers(t *testing.T) {
	longest := "-" + strings.Repeat("9", model.MaxDigits)
	p := modeltest.Holding("5 loss " + longest)
	p.Party, p.Market = model.MakeID("…"), model.MakeID(strings.Repeat("é", maxEventID/2))
	event, _ := New(nil, p, book.ChangedByUpdate, time.Time{})
	if event.Key != p.Key || event.HasCutID() {
		t.Errorf("the market in the event has %d bytes", len(event.Market.String()))
	}
	if loss := event.After().Number(model.LossSocialisationAmount).String(); loss != longest {
		t.Errorf("the loss in the event is %s", loss)
	}
	p.Market = model.MakeID(p.Market.String() + "é")
	if event, _ = New(nil, p, book.ChangedByUpdate, time.Time{}); !event.HasCutID() {
		t.Error("the market in the event is not cut")
	}
}

func TestEventLogKeepsTheNewest(t *testing.T) {
	const all = MaxEvents + 1234
	var log Log
	for i := range all {
		event, _ := New(nil, modeltest.Holding(fmt.Sprint(i+1)), book.ChangedByUpdate, time.Time{})
		log.Add(event)
	}
	if log.Len() != MaxEvents || log.Dropped() != 1234 || log.Oldest() != 1235 || log.Count() != all {
		t.Errorf("%d events are kept and %d dropped; the oldest is %d and the newest %d", log.Len(), log.Dropped(), log.Oldest(), log.Count())
	}
	for number := log.Oldest(); number <= log.Count(); number++ {
		event, ok := log.Numbered(number)
		if !ok || event.numbers[1][0].Low != number {
			t.Fatalf("event %d is that of size %d", number, event.numbers[1][0].Low)
		}
	}
	var other Log
	log.AddMissed(2)
	add := func(e Event) { other.Add(e) }
	other.Append(&log, add)
	if other.Append(&log, add); other.Missed() != 4 {
		t.Errorf("%d events of both logs are missed", other.Missed())
	}
	for _, number := range []uint64{0, 1234, all + 1} {
		if _, ok := log.Numbered(number); ok {
			t.Errorf("the log has event %d", number)
		}
	}
}
