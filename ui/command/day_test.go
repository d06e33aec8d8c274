package command

import (
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// dayTask is what a trader does each day. Each key of its steps is named by a line that the screen shows before it is
// pressed: the last one, the second one, or one of the keys of a day, with which help begins. A step that begins with =
// is text that is typed.
type dayTask struct {
	name, steps string
	shows       []string
}

var dayTasks = []dayTask{
	{"the worst position", "T", []string{"▌ETH/USDT ", "─ ETH/USDT · desk-2"}},
	{"all positions of one party", "p =desk-1 enter", []string{"› desk-1", "2 open"}},
	{"two markets", "m =eth tab =btc tab enter", []string{"in ETH/USDT BTC/USDT"}},
	{"shorts that lose more than 500", "/ =side:short·upnl<-500 enter", []string{"1 of 5 positions"}},
	{"margin levels to the oldest", "tab o", []string{"oldest first · page 1"}},
	{"why PnL changed in five minutes", "T enter", []string{"PnL in ", "≈ price -150.80"}},
	{"what the close-out cost, and when", "!", []string{"CLOSED OUT", "realised"}},
	{"what if BTC falls by 10 %", "x =btc·-10% enter", []string{"WHAT IF"}},
	{"a group of my own", "a O =hedge enter", []string{"Group hedge: 1 position"}},
	{"an alert below -50 % for 30 s", "/ =uPnL/MM<-50% enter ! n =near tab/↓ tab/↓ tab/↓ =\x1530s enter", []string{"uPnL/MM<-50%", "for 30s"}},
	{"a CSV of what I see", "D enter", []string{"Saved 4 rows as CSV"}},
	{"ten minutes ago", "w w =10m enter", []string{"REWIND"}},
	{"since the morning", "w w =0:01 enter B esc", []string{"ΔuPnL"}},
	{"is the data fresh, and which stream is not", "i", []string{"─ connection", "QUIET"}},
	{"PnL of today", "h", []string{"USDT today  -150.80"}},
}

// names reports whether a line of a screen names a key.
func names(lines []string, key string) bool {
	return slices.ContainsFunc(lines, func(line string) bool { return slices.Contains(strings.Fields(line), key) })
}

// TestADayOfATrader: fifteen tasks, with keys that the screen names.
func TestADayOfATrader(t *testing.T) {
	for _, task := range dayTasks {
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			desk(t, func(s *dashboardTest) {
				if strings.Contains(task.name, "close-out") {
					s.closeOut()
				}
				if strings.Contains(task.name, "ten minutes") {
					s.After(11 * time.Minute)
				}
				s.Press("?")
				ofDay := s.terminal.lines()[3:24]
				s.Press("esc")
				for _, step := range strings.Fields(task.steps) {
					if text, isText := strings.CutPrefix(step, "="); isText {
						s.Press(strings.ReplaceAll(text, "·", " "))
						continue
					}
					lines := s.terminal.lines()
					if !names([]string{lines[1], s.lastLine()}, step) && !names(ofDay, step) {
						t.Errorf("no line names %s:\n%s", step, s.Screen())
					}
					key, _, isEither := strings.Cut(step, "/")
					if !isEither || key == "" {
						key = step
					}
					s.Press(key)
				}
				s.After(time.Second).Shows(task.shows...)
			})
		})
	}
}

// closeOut has the service close the ETH of desk-2 out.
func (s *dashboardTest) closeOut() {
	closed := eth
	for _, each := range []struct {
		status sim.Status
		profit string
	}{{sim.Distressed, "-70000"}, {sim.ClosedOut, "0"}} {
		if closed.Status, closed.UnrealisedPnl = each.status, each.profit; each.status == sim.ClosedOut {
			closed.OpenVolume, closed.RealisedPnl = 0, "-90000"
		}
		s.Node.Update(closed)
		s.After(2 * time.Second)
	}
}
