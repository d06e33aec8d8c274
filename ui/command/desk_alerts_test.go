//go:build unix

package command

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
	"blotter/ui/command/remote"
)

// deskRulesText are rules whose programs write to a file: of positions, of a group that "one" may see all of, and of
// one that "one" may see a part of.
const deskRulesText = `
[[group]]
name = 'ALPHA-all'
parties = ['ALPHA-party']
markets = ['ALPHA-market']
[[group]]
name = 'MIXED'
markets = ['ALPHA-market']
[[alert]]
name = 'loss'
filter = 'upnl<-5'
command = ['sh', '-c', 'cat >> FILE']
[[alert]]
name = 'sum'
on = 'group'
group = 'ALPHA-all'
asset = 'USDT'
filter = 'upnl<-5'
command = ['sh', '-c', 'cat >> FILE']
[[alert]]
name = 'mixed'
on = 'group'
group = 'MIXED'
asset = 'USDT'
filter = 'upnl<-5'
command = ['sh', '-c', 'cat >> FILE']
`

// alertedDesk is a desk that runs its alerts.
type alertedDesk struct {
	*testing.T
	*servedDesk
	ctx  context.Context
	path string // of what the programs get

	running sync.WaitGroup
	end     func()
}

// withAlerts runs a test with a desk that runs its alerts.
func withAlerts(t *testing.T, test func(d *alertedDesk, s *service)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events")
	rules := strings.ReplaceAll(deskRulesText, "FILE", path)
	text := twoFile[:strings.Index(twoFile, "[[group]]")] + rules + twoFile[strings.Index(twoFile, "[profile"):]
	text = strings.Replace(text, "filter = 'party:OMEGA'", "", 1)
	onDeskOf(t, text, func(ctx context.Context, of *servedDesk, s *service) {
		s.Update(quietPositions()...)
		d := &alertedDesk{T: s.t, servedDesk: of, ctx: ctx, path: path}
		d.begin()
		time.Sleep(12 * time.Second)
		test(d, s)
		d.end()
	})
}

// begin begins to run the alerts, as serve does.
func (d *alertedDesk) begin() {
	ctx, stop := context.WithCancel(d.ctx)
	others := len(d.closers)
	d.running.Go(func() { _ = d.runAlerts(ctx) })
	synctest.Wait()
	d.end = func() {
		stop()
		d.running.Wait()
		for _, closes := range slices.Backward(d.closers[others:]) {
			closes()
		}
		d.closers = d.closers[:others]
	}
}

// quietPositions are those of both traders without losses.
func quietPositions() (all []sim.Position) {
	for _, p := range twoPositions {
		p.UnrealisedPnl = "0"
		all = append(all, p)
	}
	return all
}

// lose makes the position at a place lose an amount.
func (d *alertedDesk) lose(s *service, place, amount int) {
	p := twoPositions[place]
	p.UnrealisedPnl = fmt.Sprint(-100 * amount)
	s.Update(p)
}

// told returns, by rule, the positions for which the programs were told that it is in alert; the empty Key is a
// group.
func (d *alertedDesk) told() map[string]map[model.Key]bool {
	text, _ := os.ReadFile(d.path)
	is := map[string]map[model.Key]bool{"loss": {}, "sum": {}, "mixed": {}}
	for _, e := range eventsIn(d.T, string(text)) {
		keys := []model.Key{{}}
		if len(e.Positions) > 0 {
			keys = nil
		}
		for _, p := range e.Positions {
			keys = append(keys, model.Key{Party: model.MakeID(p["partyId"]), Market: model.MakeID(p["marketId"])})
		}
		for _, key := range keys {
			if is[e.Alert][key] = true; e.Direction == "end" {
				delete(is[e.Alert], key)
			}
		}
	}
	return is
}

// nowOf has the name of a rule and how many it is in alert for, as the page of alerts shows them.
var nowOf = regexp.MustCompile(`(?m)^.(\w+) .* (\d+) now`)

// alertsOn returns how many each rule is in alert for, as a screen shows it.
func alertsOn(s *tracedTrader) string {
	s.press("!")
	shown := s.model.View().Content
	s.press("esc")
	return countsIn(shown)
}

func countsIn(shown string) string {
	var all []string
	for _, found := range nowOf.FindAllStringSubmatch(ansi.Strip(shown), -1) {
		all = append(all, found[1]+" "+found[2])
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// expected returns what the screen of a trader must show of what the programs were told.
func (d *alertedDesk) expected(trader string) string {
	count, told := 0, d.told()
	for key := range told["loss"] {
		if d.rightsOf(trader).Covers(key) {
			count++
		}
	}
	all := []string{fmt.Sprint("loss ", count)}
	if trader == "one" {
		all = append(all, fmt.Sprint("sum ", len(told["sum"])))
	}
	return strings.Join(all, ", ")
}

// check compares a screen with what the programs were told.
func (d *alertedDesk) check(s *tracedTrader, when string) {
	d.Helper()
	if got, want := alertsOn(s), d.expected(s.name); got != want {
		d.Errorf("%s the screen of %s has %q, and the programs were told %q:\n%s", when, s.name, got, want, s.model.View().Content)
	}
}

// TestTheScreensAndTheProgramsOfADesk have the same alerts, as far as each trader may see them: also a screen that
// joins later, comes again, is frozen, shows another scope, or reads nothing for some time.
func TestTheScreensAndTheProgramsOfADesk(t *testing.T) {
	for seed := range uint64(modeltest.Times(2)) {
		withAlerts(t, func(d *alertedDesk, s *service) {
			random := rand.New(rand.NewPCG(seed, 5))
			screens, ends := make(map[string]*tracedTrader), make(map[string]func())
			for range modeltest.Times(40) {
				name := []string{"one", "two"}[random.IntN(2)]
				of := screens[name]
				switch random.IntN(8) {
				case 0:
					if of == nil {
						of, ends[name] = d.traced(d.T, d.ctx, name)
						of.send(tea.WindowSizeMsg{Width: 120, Height: 40})
						screens[name] = of
						of.pass(12 * time.Second)
						d.check(of, "after it has joined")
					}
				case 1:
					if of != nil && random.IntN(3) == 0 {
						ends[name]()
						delete(screens, name)
					}
				case 2:
					if of != nil {
						of.press("f")
					}
				default:
					d.lose(s, random.IntN(len(twoPositions)), 10*random.IntN(2))
				}
				time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
				if random.IntN(3) > 0 {
					continue // the screens read nothing
				}
				time.Sleep(3 * time.Second)
				for _, each := range screens {
					each.pass(3 * time.Second)
					d.check(each, "later")
				}
			}
			for _, end := range ends {
				end()
			}
		})
	}
}

// TestNothingOfHiddenAlertsIsOnAScreen: neither a rule of a group that is in part hidden, nor an alert of a hidden
// position, nor how many there are. The programs get all.
func TestNothingOfHiddenAlertsIsOnAScreen(t *testing.T) {
	withAlerts(t, func(d *alertedDesk, s *service) {
		one, end := d.traced(d.T, d.ctx, "one")
		defer end()
		one.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		one.pass(12 * time.Second)
		before := one.model.View().Content
		for place := 1; place < 4; place++ {
			d.lose(s, place, 10)
		}
		for range 5 {
			one.pass(time.Second)
		}
		one.press("!")
		one.pass(time.Second)
		page := one.model.View().Content
		if told := d.told(); len(told["loss"]) != 3 || len(told["mixed"]) != 1 || len(told["sum"]) != 0 {
			d.Errorf("the programs were told %v", told)
		}
		if text := before + page; strings.Contains(text, "ALERT") || strings.Contains(text, "mixed") || countsIn(page) != "loss 0, sum 0" {
			d.Errorf("the trader sees\n%s", page)
		}
	})
}

// TestAnAlertThatBeganBeforeASession is on its screen when it joins, as it began. When the session comes again, only
// what has changed is new.
func TestAnAlertThatBeganBeforeASession(t *testing.T) {
	withAlerts(t, func(d *alertedDesk, s *service) {
		d.lose(s, 0, 10)
		time.Sleep(5 * time.Second)
		d.lose(s, 0, 20)
		time.Sleep(5 * time.Second)
		join := func() (*tracedTrader, func(), string) {
			one, end := d.traced(d.T, d.ctx, "one")
			one.send(tea.WindowSizeMsg{Width: 120, Height: 40})
			one.pass(12 * time.Second)
			return one, end, ansi.Strip(one.model.View().Content)
		}
		one, end, shown := join()
		if !strings.Contains(shown, "ALERT loss 1, sum 1") {
			d.Errorf("the screen that has joined has no alert:\n%s", shown)
		}
		one.press("!")
		if page := ansi.Strip(one.model.View().Content); strings.Count(page, "00:00:12    begin") != 2 || !strings.Contains(page, "-10.00") {
			d.Errorf("it has not begun with a loss of 10:\n%s", page)
		}
		if page := ansi.Strip(one.model.View().Content); !strings.Contains(page, "since 00:00:12") {
			d.Errorf("its first alert is before what the log says:\n%s", page)
		}
		end()
		_, end, shown = join()
		if strings.Contains(shown, "ALERT") || !strings.Contains(shown, "1 in alert") {
			d.Errorf("the alert that was known is new:\n%s", shown)
		}
		end()
		d.lose(s, 0, 0)
		time.Sleep(5 * time.Second)
		one, end, shown = join()
		if strings.Contains(shown, "in alert") || alertsOn(one) != "loss 0, sum 0" {
			d.Errorf("what has ended meanwhile has not:\n%s", shown)
		}
		end()
	})
}

// TestASessionOfLinesHasTheAlertsOfTheDesk: those that were there before it, and later ones.
func TestASessionOfLinesHasTheAlertsOfTheDesk(t *testing.T) {
	withAlerts(t, func(d *alertedDesk, s *service) {
		d.lose(s, 0, 10)
		time.Sleep(5 * time.Second)
		written := new(lockedBuffer)
		one, end := d.tracedSession(d.T, d.ctx, remote.Session{Trader: "one", Lines: func(lines string) error {
			_, err := written.Write([]byte(lines))
			return err
		}})
		defer end()
		for _, amount := range []int{10, 0, 10} {
			d.lose(s, 0, amount)
			for range 15 {
				one.pass(time.Second)
			}
		}
		if lines := written.String(); strings.Count(lines, "loss: ") != 2 {
			d.Errorf("the alert that was there before, and the next one, are not in the lines\n%s", lines)
		}
	})
}

// TestAQuietScreenIsOneScreen: the program of the desk, and the other screens, are not quiet. A rule that is off on a
// screen has no alert there until it is on again.
func TestAQuietScreenIsOneScreen(t *testing.T) {
	withAlerts(t, func(d *alertedDesk, s *service) {
		one, end := d.traced(d.T, d.ctx, "one")
		defer end()
		one.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		one.pass(12 * time.Second)
		one.press("!", "g", "s")
		if shown := ansi.Strip(one.model.View().Content); !strings.Contains(shown, " on this screen: no bell or notification.") {
			d.Errorf("it does not say what is quiet:\n%s", shown)
		}
		one.press("t", "esc")
		d.lose(s, 0, 10)
		one.pass(5 * time.Second)
		if told := d.told(); len(told["loss"]) != 1 {
			d.Errorf("the programs were told %v", told)
		}
		if shown := alertsOn(one); shown != "sum 1" {
			d.Errorf("with the rule off there is %q", shown)
		}
		one.press("!", "g", "t", "esc")
		one.pass(2 * time.Second)
		d.check(one, "with the rule on again")
	})
}

// TestADeskThatBeginsAgain has what was in alert before: a session that joins at once shows it, and nothing begins.
func TestADeskThatBeginsAgain(t *testing.T) {
	withAlerts(t, func(d *alertedDesk, s *service) {
		d.lose(s, 0, 10)
		time.Sleep(5 * time.Second)
		d.end()
		text, _ := os.ReadFile(d.path)
		d.begin()
		one, end := d.traced(d.T, d.ctx, "one")
		defer end()
		one.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		if shown := alertsOn(one); shown != "loss 1, sum 1" {
			d.Errorf("at once it has %q", shown)
		}
		one.pass(2 * time.Minute)
		d.check(one, "later")
		if now, _ := os.ReadFile(d.path); string(now) != string(text) {
			d.Errorf("the programs were told\n%s", now[len(text):])
		}
	})
}

// TestAProgramThatFailsIsSaidOnce on standard error and in the metrics, however many sessions there are.
func TestAProgramThatFailsIsSaidOnce(t *testing.T) {
	withAlerts(t, func(d *alertedDesk, s *service) {
		errors := new(lockedBuffer)
		d.serveCommand.stderr = errors
		if err := os.Mkdir(d.path, 0o700); err != nil { // no program can write there
			d.Fatal(err)
		}
		for _, name := range []string{"one", "one", "two"} {
			_, end := d.traced(d.T, d.ctx, name)
			defer end()
		}
		time.Sleep(12 * time.Second)
		d.lose(s, 0, 10)
		time.Sleep(3 * time.Second)
		if said := errors.String(); strings.Count(said, "command of alert loss") != 1 || strings.Count(said, "\n") != 3 {
			d.Errorf("it says %q", said)
		}
		all := d.serveCommand.programs.Figures()
		if len(all) != 3 {
			d.Errorf("there are figures of %d rules", len(all))
		}
		for _, of := range all {
			if of.Failures != 1 || of.NotDelivered != 1 {
				d.Errorf("the figures are %+v", of)
			}
		}
	})
}
