package format

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/modeltest"
)

// TestEveryKindOfEventHasWords that say more than its name in filters.
func TestEveryKindOfEventHasWords(t *testing.T) {
	number := func(model.Field, model.Amount) string { return "" }
	for i, name := range event.KindNames() {
		e := event.Event{Kinds: 1 << i, Alert: &event.AlertReport{Rule: "large"}}
		if got := Event(&e, number); len(got) != 1 || got[0] == name {
			t.Errorf("%s is %q in words", name, got)
		}
	}
}

func TestEventsInWords(t *testing.T) {
	number := func(f model.Field, a model.Amount) string {
		if f == model.LossSocialisationAmount {
			return a.Scaled(2, false) + " USDT"
		}
		return a.Scaled(3, true)
	}
	for _, c := range []struct{ before, after, want string }{
		{"", "5000", "opened +5.000"},
		{"-10000", "0", "closed, was -10.000"},
		{"5000", "-3000", "flipped +5.000 → -3.000"},
		{"5000", "7000", "grown +5.000 → +7.000"},
		{"5000", "4000", "reduced +5.000 → +4.000"},
		{"5000", "", "removed, was +5.000"},
		{"5000", "5000 ORDERS_CLOSED", "status ORDERS CLOSED"},
		{"5000 DISTRESSED", "5000", "status none, was DISTRESSED"},
		{"5000", "5000 loss 1250", "loss socialised 12.50 USDT"},
		{"5000 loss 1000", "5000 loss 1250", "loss socialised 10.00 USDT → 12.50 USDT"},
		{"5000 DISTRESSED", "0 CLOSED_OUT loss 1250", "closed, was +5.000; status CLOSED OUT; loss socialised 12.50 USDT"},
	} {
		e, _ := event.New(modeltest.Holding(c.before), modeltest.Holding(c.after), book.ChangedByUpdate, time.Time{})
		if got := strings.Join(Event(&e, number), "; "); got != c.want {
			t.Errorf("%s, then %s: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}
