package events

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/ui/format"
	"blotter/ui/theme"
)

var (
	start   = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	context = filter.Context{Instruments: model.NewInstruments(nil, nil, nil), Now: start}
)

// opened is the event of a new position in a market.
func opened(t *testing.T, market string, volume int64) event.Event {
	t.Helper()
	after := model.Position{Key: model.Key{Party: model.MakeID("desk"), Market: model.MakeID(market)}}
	after.SetNumber(model.OpenVolume, model.AmountOf(volume))
	after.SetNumber(model.UpdatedAt, model.AmountOf(start.UnixNano()))
	e, ok := event.New(nil, &after, book.ChangedByUpdate, start)
	if !ok {
		t.Fatal("a new position is no event")
	}
	return e
}

// marketOf returns the market of the event under the cursor.
func marketOf(p *Page) string {
	if e, _ := p.Selected(); e != nil {
		return e.Market.String()
	}
	return ""
}

// TestTheCursorStays on its event when newer ones come, and on the newest if it was not moved.
func TestTheCursorStays(t *testing.T) {
	const room = 2
	log := new(event.Log)
	p := New(start)
	add := func(market string) { log.Add(opened(t, market, 1)); p.follow(log, context, false, room) }
	log.Add(opened(t, "btc", 1))
	if e, _ := p.Selected(); e != nil {
		t.Error("an event is selected while the page is closed")
	}
	p.Open(log, context)
	add("eth")
	if got := marketOf(p); got != "eth" {
		t.Errorf("the cursor is on %q, want the newest event", got)
	}
	p.MoveBy(+1)
	add("sol")
	if got := marketOf(p); got != "btc" {
		t.Errorf("after a newer event the cursor is on %q, want where it was", got)
	}
	p.First()
	p.follow(log, context, false, room)
	if got := marketOf(p); got != "sol" {
		t.Errorf("the cursor is on %q, want the newest event", got)
	}
	p.Last()
	log = new(event.Log)
	add("doge")
	if p.Len() != 1 || marketOf(p) != "doge" {
		t.Errorf("after a restart %d events are listed, and the cursor is on %q", p.Len(), marketOf(p))
	}
}

func TestTheFilterNarrowsTheList(t *testing.T) {
	log := new(event.Log)
	p := New(start)
	p.Open(log, context)
	for _, market := range []string{"btc", "eth", "btc"} {
		log.Add(opened(t, market, 1))
	}
	p.SetFilter("market:btc", context)
	p.follow(log, context, false, 10)
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	d := &drawer{Format: format.New(context.Instruments, time.UTC, func(model.ID) int { return 2 }, false), Styles: &styles, Now: start}
	page := ansi.Strip(strings.Join(d.page(p, 80, 10, false), "\n"))
	if p.Len() != 2 || p.Listed() != "2 events of 3" || !strings.Contains(page, "events · market:btc") || strings.Contains(page, "eth") {
		t.Errorf("%s:\n%s", p.Listed(), page)
	}
	p.Close()
	if p.Filter() != "" {
		t.Errorf("the closed page has the filter %q", p.Filter())
	}
}

// TestMatchingIsNotBegunAgainByTicks: a filter of ages is applied again each second, but not while that is under way:
// if messages come slowly, it would never end.
func TestMatchingIsNotBegunAgainByTicks(t *testing.T) {
	log := new(event.Log)
	p := New(start)
	for range 12_000 {
		log.Add(opened(t, "btc", 1))
	}
	p.Open(log, context)
	p.SetFilter("age<1h", context)
	for _, c := range []struct {
		age  time.Duration
		want string
	}{{0, "12,000 events of 12,000"}, {2 * time.Hour, "0 events of 12,000"}} {
		later := context
		later.Now = start.Add(c.age)
		for range 5 {
			p.follow(log, later, true, 10)
		}
		if got := p.Listed(); got != c.want {
			t.Errorf("after %v %q are listed, want %q", c.age, got, c.want)
		}
	}
}

// TestAnEventWithoutRoom has the names of its kinds, and no part of a number.
func TestAnEventWithoutRoom(t *testing.T) {
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	d := &drawer{Format: format.New(context.Instruments, time.UTC, func(model.ID) int { return 2 }, false), Styles: &styles, Now: start}
	e := opened(t, "btc", 1_234_567)
	for room, want := range map[int]string{40: "opened +1,234,567 raw", 12: "opened …"} {
		if got := d.fitWords(&e, room); got != want {
			t.Errorf("in %d cells: %q, want %q", room, got, want)
		}
	}
}

// TestManyCorrectionsOfOneAuditShareALine: ten or more, or three or more of positions that are gone. Fewer, and fewer
// that match a filter, have a line each.
func TestManyCorrectionsOfOneAuditShareALine(t *testing.T) {
	log := new(event.Log)
	correct := func(at time.Duration, n int, isGone bool) {
		for i := range n {
			e := opened(t, fmt.Sprint("m", i), 1)
			before, after := e.After(), e.After()
			if after.SetNumber(model.OpenVolume, model.AmountOf(2)); isGone {
				after = nil
			}
			e, _ = event.New(before, after, book.ChangedByAudit, start.Add(at))
			log.Add(e)
		}
	}
	correct(0, 12, false)
	correct(0, 168, true)
	correct(time.Minute, 9, false)
	correct(2*time.Minute, 3, true)
	correct(3*time.Minute, 2, true)
	log.Add(opened(t, "btc", 1))
	p := New(start)
	p.Open(log, context)
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	d := &drawer{Format: format.New(context.Instruments, time.UTC, func(model.ID) int { return 2 }, false), Styles: &styles, Now: start}
	page := func() string {
		p.follow(log, context, false, roomFor(30))
		return ansi.Strip(strings.Join(d.page(p, 80, 30, false), "\n"))
	}
	p.follow(log, context, false, roomFor(30))
	p.Last()
	p.MoveBy(-1)
	text := page()
	for _, want := range []string{"195 events", "168 positions are no longer sent", "3 positions are no longer sent", "12 positions were corrected by an audit", "168 positions are no longer sent: m0 desk, m1 desk, m2 desk, …"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if got := strings.Count(text, "removed, was"); got != 2 || p.list.Len() != 15 {
		t.Errorf("%d positions that are gone have a line of their own, and there are %d lines:\n%s", got, p.list.Len(), text)
	}
	if first, events := p.Selected(); events != 168 || first.Market.String() != "m0" {
		t.Errorf("the cursor is on %d events", events)
	}
	if narrow := ansi.Strip(strings.Join(d.page(p, 40, 30, false), "\n")); !strings.Contains(narrow, " 168 rows") {
		t.Errorf("a narrow screen has\n%s", narrow)
	}
	p.SetFilter("market:m17", context)
	if text = page(); strings.Contains(text, "no longer sent") || p.Listed() != "1 event of 195" {
		t.Errorf("%s:\n%s", p.Listed(), text)
	}
}
