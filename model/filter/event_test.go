package filter

import (
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/modeltest"
)

func TestFilterOfEvents(t *testing.T) {
	in := model.NewInstruments([]model.Party{{ID: model.MakeID("a"), Name: "desk-1"}}, []model.Market{{ID: model.MakeID("b"), Name: "BTC/USDT", Asset: model.MakeID("usdt"), PriceDecimals: 3, SizeDecimals: 2}}, nil)
	now := time.Unix(1_800_000_000, 0).UTC()
	before, after := modeltest.Holding("5000 DISTRESSED"), modeltest.Holding("-3000 CLOSED_OUT")
	after.SetNumber(model.UpdatedAt, model.AmountOf(now.Add(-time.Minute).UnixNano()))
	e, _ := event.New(before, after, book.ChangedByUpdate, now)
	for filter, want := range map[string]bool{
		"": true, "desk": true, "market:btc": true, "eth": false,
		"event:flipped": true, "event:fl|event:closed": true, "event:closed|status": true, "!event:flipped": false, "event:opened": false,
		"side:short": true, "side:long": false, "size<-2": true, "size>0": false,
		"status:closed": true, "status:distressed": false, "age>30s": true, "age>5m": false, "updated>00:15": true,
	} {
		query, err := ParseEvents(filter)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
		} else if got := query.MatchesEvent(&e, Context{Instruments: in, Now: now}); got != want {
			t.Errorf("%s matches: %t", filter, got)
		}
	}
	untimed, _ := event.New(before, modeltest.Holding("-3000"), book.ChangedByUpdate, now.Add(-time.Minute))
	for filter, want := range map[string]bool{"age>30s": true, "age>5m": false, "updated>00:15": true} {
		query, _ := ParseEvents(filter)
		if got := query.MatchesEvent(&untimed, Context{Instruments: in, Now: now}); got != want {
			t.Errorf("%s matches an event of a position without a time, which was seen a minute ago: %t", filter, got)
		}
	}
	if _, candidates := CompleteEvents("ev", nil); !slices.Equal(candidates, []string{"event:"}) {
		t.Errorf("ev can become %q", candidates)
	}
	for _, c := range []struct{ filter, want string }{
		{"desk upnl>5", "events have no such number; fields: party market asset status group side size age updated event"},
		{"m%<0", "events have no such number; fields: party market asset status group side size age updated event"},
		{"event:gone", `unknown event "gone"; events: opened closed flipped grown reduced status loss removed alert trouble recovered`},
		{"event>5", "event takes a colon, as in event:closed"},
	} {
		if _, err := ParseEvents(c.filter); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.filter, err, c.want)
		}
	}
	if _, err := Parse("eth event:closed"); err == nil || err.Error() != "event: is a field of events; fields of positions: "+strings.Join(Fields(), " ") {
		t.Errorf("a filter of positions takes events: %v", err)
	}
}
