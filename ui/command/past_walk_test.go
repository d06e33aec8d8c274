package command

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
)

// TestThePastIsAsItWas: keys of the past in any order, while the service goes on. Each time that is shown has the rows
// and the totals that the screen had within a second or so of it, with their ages, and the events up to it.
func TestThePastIsAsItWas(t *testing.T) {
	for seed := range modeltest.Times(2) {
		on := twoDesks()
		on.width, on.height = 120, 50
		on.run(t, func(s *dashboardTest) {
			w := &pastWalk{dashboardTest: s, random: rand.New(rand.NewPCG(uint64(seed), 11)), rows: []sim.Position{btc, eth, btc, eth}}
			w.rows[2].Party, w.rows[3].Party = "a2", "a1"
			s.Node.Update(w.rows...)
			w.pass(2*time.Minute, true)
			for range 2 {
				s.Press("w")
				for range 15 {
					w.step()
				}
				s.Press("q").ShowsThePositionsOfTheService()
				w.pass(time.Minute, true)
			}
			live := w.events()
			for _, past := range w.pasts {
				if n := len(past); n > len(live) || !slices.Equal(past, live[:n]) {
					t.Errorf("seed %d, %q: the past had the events %q, and the service %q", seed, w.pressed, past, live)
				}
			}
		})
	}
}

// pastWalk goes to times of the past of a dashboard.
type pastWalk struct {
	*dashboardTest
	random  *rand.Rand
	rows    []sim.Position
	shown   []shownAt  // while the service was shown
	pressed []string   // in the past
	pasts   [][]string // the events of the times that were shown
}

// shownAt is what was shown at a time: each row and the totals as words.
type shownAt struct {
	at    time.Time
	lines [][]string
}

// pass lets time pass in which the service goes on: no row changes twice in less than a quarter of a second.
func (w *pastWalk) pass(d time.Duration, isLive bool) {
	for range d / (250 * time.Millisecond) {
		if row := &w.rows[w.random.IntN(len(w.rows))]; w.random.IntN(8) == 0 {
			row.UnrealisedPnl = model.AmountOf(w.random.Int64N(200_000) - 100_000).String()
			if w.random.IntN(5) == 0 {
				row.OpenVolume = (1 + w.random.Int64N(4)) * 1000
			}
			w.Node.Update(*row)
		}
		for range 2 {
			if w.After(125 * time.Millisecond); isLive {
				w.shown = append(w.shown, shownAt{time.Now(), w.lines()})
			}
		}
	}
}

func (w *pastWalk) lines() (lines [][]string) {
	screen := w.terminal.lines()
	for _, line := range rowsOf(screen) {
		lines = append(lines, strings.Fields(strings.NewReplacer("↑", "", "↓", "").Replace(line))) // a change is of the live rows
	}
	for _, line := range screen {
		switch {
		case strings.HasPrefix(line, " USDT  uPnL"): // what follows in the headline is not of the rows of this time alone
			lines = append(lines, strings.Fields(line)[:3])
		case strings.HasPrefix(line, " USDT  rPnL"):
			lines = append(lines, strings.Fields(line))
		}
	}
	return lines
}

// events returns what the page of events has, the oldest first.
func (w *pastWalk) events() (events []string) {
	w.Press("e")
	for _, line := range w.terminal.lines() {
		if words := strings.Fields(strings.TrimLeft(line, "▌")); len(words) > 3 && strings.Count(words[0], ":") == 2 {
			events = append(events, strings.Join(words, " "))
		}
	}
	w.Press("esc")
	slices.Reverse(events)
	return events
}

// step goes to a time of the past, and checks what is shown.
func (w *pastWalk) step() {
	keys := []string{".", ",", "<", ">", ".", ",", "..", ",,", ".,", "<.", ",<", "space", "f<", "f.", "f,", "w-20s", "w-70s"}
	key := keys[w.random.IntN(len(keys))]
	w.pressed = append(w.pressed, key)
	switch key[0] {
	case 's':
		w.Press("space")
		w.pass(time.Duration(w.random.IntN(20))*250*time.Millisecond, false)
		w.Press("space")
	case 'w':
		w.Press("w").Press(key[1:], "enter")
	case 'f':
		w.Press("f", key[1:])
		w.pass(time.Second, false)
		w.Press("f")
	default:
		w.Type(key)
	}
	w.AwaitUpdates().AwaitUpdates()
	_, clock, isPast := strings.Cut(w.terminal.lines()[0], "REWIND ")
	if !isPast {
		w.t.Fatalf("%q: the past is not shown:\n%s", w.pressed, w.Screen())
	}
	shownFor, err := time.Parse(time.TimeOnly, clock[:len(time.TimeOnly)])
	if err != nil {
		w.t.Fatal(err)
	}
	w.pasts = append(w.pasts, w.events())
	at := time.Date(2000, 1, 1, shownFor.Hour(), shownFor.Minute(), shownFor.Second(), 0, time.UTC)
	near := slices.DeleteFunc(slices.Clone(w.shown), func(s shownAt) bool { return s.at.Sub(at).Abs() > 1250*time.Millisecond })
	if len(near) < 20 {
		return // the past was shown at that time
	}
	for _, line := range w.lines() {
		wasShown := func(s shownAt) bool {
			return slices.ContainsFunc(s.lines, func(was []string) bool { return slices.EqualFunc(was, line, sameButForAges) })
		}
		if !slices.ContainsFunc(near, wasShown) {
			w.t.Errorf("%q: at %s the past has %q, and the service had\n%v", w.pressed, clock[:len(time.TimeOnly)], line, near)
		}
	}
}

// sameButForAges reports whether two words are the same, or ages that differ by two seconds or less, or by a minute.
func sameButForAges(a, b string) bool {
	one, err := time.ParseDuration(a)
	other, err2 := time.ParseDuration(b)
	if err != nil || err2 != nil {
		return a == b
	}
	limit := 2 * time.Second
	if strings.HasSuffix(a+b, "m") {
		limit = time.Minute
	}
	return (one - other).Abs() <= limit
}
