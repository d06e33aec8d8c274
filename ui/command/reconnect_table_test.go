package command

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/store"
)

var reconnectTable = flag.String("reconnect-table", "", `print the table of TestReconnects for the services whose names match, "." for all`)

const (
	mostOpen      = 10 * time.Second // may a row that is closed stand open
	mostUndecided = 20 * time.Second // may a row be wrong whose times decide nothing: until the next audit
)

// TestReconnects measures how often rows go back to older states when streams are opened again beside services whose
// snapshots are older than what was shown before. It is short; -reconnect-table prints more.
func TestReconnects(t *testing.T) {
	const line = "%-32s  %5v %9v %9v  %6v %6v  %10v\n"
	if *reconnectTable != "" {
		fmt.Printf(line, "service", "back", "unmarked", "open", "events", "opened", "requests/s")
	}
	wanted := regexp.MustCompile(*reconnectTable)
	for _, kind := range reconnections {
		if *reconnectTable == "" && kind.isLong || !wanted.MatchString(kind.name) {
			continue
		}
		r := &reconnecting{reconnection: kind, random: rand.New(rand.NewPCG(7, 57)), path: filepath.Join(t.TempDir(), "day.zst")}
		synctest.Test(t, r.run)
		f := &r.found
		if *reconnectTable != "" {
			fmt.Printf(line, kind.name, f.back, f.unmarked, f.open, f.falseEvents, f.reopened, fmt.Sprintf("%.2f", f.requests))
		}
		if why := f.wrong(kind); why != "" {
			t.Errorf("%s: %s", kind.name, why)
		}
	}
}

// wrong returns what must not be in the figures; empty if there is nothing.
func (f *reconnected) wrong(kind reconnection) string {
	isOlder := f.back+f.falseEvents > 0 && !kind.goesBack
	mostUnmarked := mostLive
	if kind.goesBack {
		mostUnmarked = mostUndecided
	}
	switch {
	case isOlder, f.reopened > 0:
		return fmt.Sprintf("%d rows went back, with %d false events; %d streams were opened again", f.back, f.falseEvents, f.reopened)
	case !kind.isNeverAudited && f.unmarked > mostUnmarked:
		return fmt.Sprintf("an old row stood for %s and was not marked", f.unmarked)
	case !kind.isNeverAudited && !kind.goesBack && !kind.isReset && f.open > mostOpen:
		return fmt.Sprintf("a closed row stood open for %s", f.open)
	}
	return ""
}

// reconnected are the figures of one trial.
type reconnected struct {
	back        int           // how often a row went back to an older state
	unmarked    time.Duration // how long a row stood that was old by more than oldAfter, LIVE or QUIET and not marked
	open        time.Duration // how long a row stood open that was closed, LIVE or QUIET
	falseEvents int           // of states that a row had before
	reopened    int           // streams that were opened again because of an audit
	requests    float64       // a second, while rows change
}

// rowState is a state of a row of the service. Its number is its realised PnL.
type rowState struct {
	number int64
	since  time.Time
	sent   sim.Position
}

// reconnectRow is a row of the service, and how it is shown.
type reconnectRow struct {
	key    model.Key
	states []rowState
	number int64 // of the newest state

	best           int64 // the number of the state that was shown last
	old, open      time.Time
	mayComeAgain   map[int64]bool // states of a backup
	isGone, isFlat bool           // of the service; it is shown flat
}

// now returns the state that the row has now; one of number 0 if there is no row.
func (r *reconnectRow) now() rowState {
	if len(r.states) == 0 || r.isGone {
		return rowState{}
	}
	return r.states[len(r.states)-1]
}

// reconnecting is a service that is watched for some minutes, whose streams are cut twice.
type reconnecting struct {
	reconnection
	random *rand.Rand
	path   string
	node   *sim.Node
	log    bytes.Buffer
	s      *storeOf
	table  []reconnectRow
	found  reconnected

	takesNothing bool // the screen
	began        time.Time
}

func (r *reconnecting) run(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r.node, r.began = sim.New(sim.Config{}), time.Now()
	listener, served := sim.Listen(), make(chan error, 1)
	go func() { served <- r.node.Serve(ctx, listener) }()
	defer func() { stop(); <-served }()
	scope := r.fill()
	if r.prepare != nil {
		r.prepare(r)
	}
	var config feed.Config
	config.BaseURLs, config.Dial = []string{"http://sim.test"}, listener.DialContext
	config.Logger = slog.New(slog.NewTextHandler(&r.log, nil))
	if r.isNeverAudited {
		config.Times.AuditEvery = -1
	}
	f, err := feed.New(config)
	if err != nil {
		t.Fatal(err)
	}
	source, finish := r.watched(t, ctx, f)
	r.s = newStoreOf(ctx, source, store.Options{Settings: view.Settings{Scope: scope, ShowClosed: true, Order: view.Order{Column: view.MarketColumn}}})
	r.s.Start()
	const calm = 40
	each := min(max(1, len(r.table)/10), 500)
	r.pass(20, each)
	for round := range 2 {
		r.change(max(1, len(r.table)/3))
		r.wait(300 * time.Millisecond)
		r.happens(r, round)
		before := r.requests()
		if r.isStill {
			each = 0
		}
		r.pass(r.lasts, each)
		r.found.requests = max(r.found.requests, float64(r.requests()-before)/float64(r.lasts))
		r.pass(calm, 0)
	}
	r.countFalse()
	finish()
	r.found.reopened = strings.Count(r.log.String(), "misses updates")
	stop()
	time.Sleep(time.Minute) // what waits ends
}

// watched returns what the store reads, and a function that closes the feed and checks what was recorded.
func (r *reconnecting) watched(t *testing.T, ctx context.Context, f *feed.Feed) (store.Source, func()) {
	switch r.by {
	case throughDesk:
		return readBy(t, ctx, f, true)
	case ofPast:
		memory, err := record.NewMemory(record.MemoryOptions{Duration: time.Hour, Bytes: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		return record.NewTap(f, memory), func() {
			time.Sleep(time.Second)
			player, err := memory.Play()
			if err != nil {
				t.Fatal(err)
			}
			r.checkPast(t, ctx, player)
			player.Close()
			f.Close()
			memory.Close()
		}
	case ofRecording:
		recorder, err := record.Create(record.Options{Path: r.path})
		if err != nil {
			t.Fatal(err)
		}
		return record.NewTap(f, recorder), func() {
			f.Close()
			if err := recorder.Close(); err != nil {
				t.Fatal(err)
			}
			player, err := record.Open(r.path, 0)
			if err != nil {
				t.Fatal(err)
			}
			r.checkPast(t, ctx, player)
			player.Close()
		}
	}
	return f, f.Close
}

// checkPast counts the rows that go back in a recording, in place of those on the screen.
func (r *reconnecting) checkPast(t *testing.T, ctx context.Context, player *record.Player) {
	r.found.back = 0
	oldest, newest := player.Range()
	for i := range r.table {
		row := &r.table[i]
		row.best = 0
		err := player.Follow(ctx, row.key, oldest, newest, func(_ time.Time, p *model.Position) {
			if p == nil {
				p = new(model.Position)
			}
			r.see(row, p)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := make(map[model.Key]int64)
	r.found.falseEvents = 0
	for _, e := range player.Events(newest) {
		r.judgeEvent(seen, &e)
	}
}

// fill gives the rows their first states: a quarter of them does not exist yet. It returns the scope.
func (r *reconnecting) fill() (scope model.Scope) {
	if r.rows == 0 {
		r.rows = 20
	}
	r.table = make([]reconnectRow, r.rows)
	parties := max(r.parties, 4)
	for i := range r.table {
		r.table[i].key, r.table[i].mayComeAgain = model.Key{Party: rowID(i % parties), Market: rowID(i / parties)}, make(map[int64]bool)
		if i%4 != 3 {
			r.node.Put(r.next(&r.table[i]))
		}
	}
	for i := range r.parties {
		scope.Parties = append(scope.Parties, rowID(i))
	}
	return scope
}

// rowID returns the identifier of a party or of a market.
func rowID(i int) model.ID { return model.MakeID(fmt.Sprintf("%064x", i+1)) }

// next gives a row its next state: it is opened, grows, is flipped, closed or closed out.
func (r *reconnecting) next(row *reconnectRow) sim.Position {
	row.number++
	last, now := row.now().sent.OpenVolume, time.Now()
	p := sim.Position{Party: row.key.Party.String(), Market: row.key.Market.String(), RealisedPnl: fmt.Sprint(row.number), UpdatedAt: now.UnixNano()}
	switch kind := r.random.IntN(4); {
	case last == 0:
		p.OpenVolume = 10 + int64(r.random.IntN(5))
	case kind == 0:
		p.OpenVolume = -last
	case kind == 1:
		p.Status = sim.ClosedOut
	case kind == 2:
		p.OpenVolume = last + 1
	}
	if r.stamp != nil {
		r.stamp(r, &p)
	}
	row.states, row.isGone = append(row.states, rowState{row.number, now, p}), false
	return p
}

// change gives some rows their next states, in one block.
func (r *reconnecting) change(count int) {
	var sent []sim.Position
	for range count {
		if row := &r.table[r.random.IntN(len(r.table))]; row.now().since != time.Now() {
			sent = append(sent, r.next(row))
		}
	}
	r.node.Update(sent...)
}

// requests returns how many requests the service has had.
func (r *reconnecting) requests() int64 {
	counters := r.node.Counters()
	return counters.StreamsOpened + counters.MarginPages
}

// wait passes a time, while the screen takes data unless it does not.
func (r *reconnecting) wait(d time.Duration) {
	if r.takesNothing {
		time.Sleep(d)
		return
	}
	r.s.pass(d)
}

// pass changes some rows each second, and measures those that are shown.
func (r *reconnecting) pass(seconds, each int) {
	for range seconds {
		r.change(each)
		r.wait(time.Second)
		if !r.takesNothing {
			r.measure()
		}
	}
}

// measure measures the rows that are old now.
func (r *reconnecting) measure() {
	now, links, b, stale := time.Now(), r.s.Flow().Links(), r.s.Book(), r.s.Stale()
	for i := range r.table {
		row := &r.table[i]
		link := model.LinkOf(links, row.key)
		if link == nil || !link.Committed {
			continue
		}
		shown, _ := b.Find(row.key)
		r.see(row, &shown)
		how, _ := link.Freshness(now)
		isTrusted := (how == model.FreshLive || how == model.FreshQuiet) && link.LateBy == 0
		truth := row.now()
		isOld := row.best != truth.number && (row.isFlat != (truth.sent.OpenVolume == 0) || !row.isFlat) && now.Sub(truth.since) > oldAfter
		addTime(&row.old, isOld && isTrusted && !stale.HasRow(row.key), now, &r.found.unmarked)
		addTime(&row.open, isOld && isTrusted && !row.isFlat && truth.sent.OpenVolume == 0 && !row.isGone, now, &r.found.open)
	}
}

// see counts a row that went back.
func (r *reconnecting) see(row *reconnectRow, shown *model.Position) {
	number, _ := shown.Number(model.RealisedPnl).Int64()
	if number == 0 {
		number = row.leftOut(row.best, time.Now())
	}
	if number < row.best && !row.mayComeAgain[number] {
		r.found.back++
	}
	row.best, row.isFlat = number, !shown.IsOpen()
}

// leftOut returns the number of the first flat state of the row that is not older than one with a number: a service may
// leave it out. It returns 0 if there was none until a time.
func (r *reconnectRow) leftOut(from int64, until time.Time) int64 {
	for _, s := range r.states {
		if s.number >= from && s.sent.OpenVolume == 0 && !s.since.After(until) {
			return s.number
		}
	}
	return 0
}

// addTime measures for how long something is so.
func addTime(since *time.Time, is bool, now time.Time, longest *time.Duration) {
	switch {
	case !is:
		*since = time.Time{}
	case since.IsZero():
		*since = now
	default:
		*longest = max(*longest, now.Sub(*since))
	}
}

// countFalse counts the events that are false.
func (r *reconnecting) countFalse() {
	seen := make(map[model.Key]int64)
	for number := r.s.Events().Oldest(); number <= r.s.Events().Count(); number++ {
		if e, _ := r.s.Events().Numbered(number); e.Alert == nil {
			r.judgeEvent(seen, e)
		}
	}
}

// judgeEvent counts an event that ends with a state that an event of the row before has ended with, or an older one. A
// flat row may be left out.
func (r *reconnecting) judgeEvent(seen map[model.Key]int64, e *event.Event) {
	i := slices.IndexFunc(r.table, func(row reconnectRow) bool { return row.key == e.Key })
	number, _ := e.After().Number(model.RealisedPnl).Int64()
	if number == 0 {
		if !e.Before().IsOpen() {
			return
		}
		if number = r.table[i].leftOut(seen[e.Key]+1, e.SeenAt()); number == 0 && r.table[i].mayComeAgain[0] {
			return
		}
	}
	if number <= seen[e.Key] && !r.table[i].mayComeAgain[number] {
		r.found.falseEvents++
	}
	seen[e.Key] = number
}
