package command

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"blotter/feed/sim"
	"blotter/model/modeltest"
	"blotter/ui/theme"
)

// unnamed is a party of the service that has no name in the configuration.
const unnamed = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"

// TestTasks are what traders do most often, each with the keys that it takes. There are two desks and a party without a
// name; two minutes ago desk-2's ETH had -449.20, and now it has -600.00.
func TestTasks(t *testing.T) {
	for _, task := range tasks {
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			desk(t, func(s *dashboardTest) {
				task.do(s)
				if s.typed != task.keys {
					t.Errorf("it takes %d keys, not %d", s.typed, task.keys)
				}
			})
		})
	}
}

// TestTasksOnACyrillicLayout are the same, with the keys where they stand. What is typed as text is Latin: the trader
// changes the layout for it. Every second task is done, in turns without and with Kitty's protocol; if the tests are
// thorough, each task is done in both ways.
func TestTasksOnACyrillicLayout(t *testing.T) {
	for i, task := range tasks {
		for j, protocol := range []string{"no protocol", "Kitty's protocol"} {
			if !modeltest.IsThorough && i%4 != 2*j {
				continue
			}
			t.Run(protocol+"/"+task.name, func(t *testing.T) {
				t.Parallel()
				desk(t, func(s *dashboardTest) {
					if s.layout = cyrillic; protocol != "no protocol" {
						s.layout = kittyCyrillic
					}
					task.do(s)
				})
			})
		}
	}
}

// TestTasksInATerminalThatIsResized are the same, in a terminal that is made small and large again after each key.
// Every sixth task is done, and all if the tests are thorough.
func TestTasksInATerminalThatIsResized(t *testing.T) {
	for i, task := range tasks {
		if !modeltest.IsThorough && i%6 != 0 {
			continue
		}
		t.Run(task.name, func(t *testing.T) {
			t.Parallel()
			desk(t, func(s *dashboardTest) {
				s.afterKey = func() { s.resize(40, 10).resize(120, 40) }
				task.do(s)
			})
		})
	}
}

// TestInterruptOnACyrillicLayout: ctrl+c twice quits, also while text is typed.
func TestInterruptOnACyrillicLayout(t *testing.T) {
	for _, pressed := range []string{"\x1b[1089::99;5u", "\x1b[1089;5u", "\x1b[27;5;1089~", "\x03"} {
		desk(t, func(s *dashboardTest) {
			s.layout = func(key string) (string, bool) { return pressed, key == "ctrl+c" }
			s.Press("/", "йц").Shows("/ йц").Press("ctrl+c").Shows("ctrl+c again quits")
			s.Press("ctrl+c")
			select {
			case <-s.ended:
			default:
				t.Errorf("%q twice does not quit:\n%s", pressed, s.Screen())
			}
		})
	}
}

// The keys of letters on a US layout, and what they type on a Russian one.
const latinKeys, cyrillicKeys = "bBehimnopTvwYzq", "иИуршьтщзЕмцНяй"

// cyrillic returns what a terminal without a protocol sends for a letter.
func cyrillic(key string) (string, bool) {
	at := strings.Index(latinKeys, key)
	if len(key) != 1 || at < 0 {
		return "", false
	}
	return string([]rune(cyrillicKeys)[at]), true
}

// kittyCyrillic returns what a terminal sends by Kitty's protocol if it is asked for alternate keys and for all keys.
func kittyCyrillic(key string) (string, bool) {
	switch key {
	case "/":
		return "\x1b[46::47;;46u", true
	case "!":
		return "\x1b[49:33;2;33u", true
	case "esc":
		return "\x1b[27u", true
	case "tab":
		return "\x1b[9u", true
	}
	text, ok := cyrillic(key)
	if !ok {
		return "", false
	}
	character, _ := utf8.DecodeRuneInString(text)
	lower, base := unicode.ToLower(character), strings.ToLower(key)
	if lower != character {
		return fmt.Sprintf("\x1b[57441;2u\x1b[%d:%d:%d;2;%du", lower, character, base[0], character), true
	}
	return fmt.Sprintf("\x1b[%d::%d;;%du", lower, base[0], lower), true
}

// task is what a trader does, and how many keys that takes.
type task struct {
	name string
	keys int
	do   func(*dashboardTest)
}

var tasks = []task{
	{"my worst position", 1, func(s *dashboardTest) {
		s.Press("T").Rows("ETH/USDT desk-2", "ETH/USDT desk-1", "BTC/USDT c0ff", "BTC/USDT desk-1").Shows("▌ETH/USDT   desk-2")
	}},
	{"what has changed since 0:01", 9, func(s *dashboardTest) {
		s.Press("w", "w", "0:01", "enter", "B", "esc").Shows("ΔuPnL", "-150.80").Lacks("REWIND")
	}},
	{"why the PnL of my worst position moved, without a baseline", 2, func(s *dashboardTest) {
		s.Press("T", "enter").Shows("ETH/USDT · desk-2", "PnL in ", "-150.80 = ≈ price -150.80, since 00:00:01")
	}},
	{"why five minutes ago", 9, func(s *dashboardTest) {
		s.After(5*time.Minute).Press("w", "w", "5m", "enter").Press("T", "g", "enter", "o").Shows("REWIND 00:0", "ETH/USDT · desk-2", "-150.80 = ≈ price -150.80")
	}},
	{"one party's rows: those of my worst position", 2, func(s *dashboardTest) {
		s.Press("T").Press("P").Rows("ETH/USDT desk-2").Shows("▌ETH/USDT   desk-2")
	}},
	{"losses in ETH of the desks: a filter of three terms", 21, func(s *dashboardTest) {
		s.Press("/", "eth desk- upnl<-500", "enter").Rows("ETH/USDT desk-2").Shows("[eth desk- upnl<-500]")
	}},
	{"pages of margin levels, there and back", 3, func(s *dashboardTest) {
		levels(s, 120)
		s.After(10*time.Second).Press("tab", "right").Shows("newest first · page 2").Press("left").Shows("newest first · page 1")
	}},
	{"a view of my own, and back to it", 17, func(s *dashboardTest) {
		s.Press("/", "eth", "enter").Press("v", "down", "s").Type("ether", "enter").AwaitUpdates().Shows("1 ether", "[eth]")
		s.Press("0").Lacks("[eth]").Press("1").Shows("1 ether", "[eth]").Rows("ETH/USDT", "ETH/USDT").Press("0").Lacks("[eth]")
	}},
	{"whether the data can be trusted while the service stalls", 1, func(s *dashboardTest) {
		s.Node.Silence()
		s.Awaits(2*time.Minute, "STALE").Press("i").Shows("─ connection", "STALE")
		s.Node.EndSilence()
		s.After(2 * time.Minute).Lacks("STALE")
	}},
	{"only ETH of desk-2", 12, func(s *dashboardTest) {
		s.Press("/", "desk-2 eth", "enter").Rows("ETH/USDT desk-2")
	}},
	{"whose loss is at least a fifth of its maintenance", 8, func(s *dashboardTest) {
		s.Press("/", "m%<-20", "enter").Rows("ETH/USDT desk-2")
	}},
	{"price to trouble: which position is nearest to half of its maintenance, and how near", 11, func(s *dashboardTest) {
		s.Press(":", "distance", "enter").Press("g").Shows("≈ TO -50% ▲", "passed")
	}},
	{"what if over all markets: everything falls by 5%", 5, func(s *dashboardTest) {
		s.Press("x", "-5%", "enter").Shows("WHAT IF 2 markets -5%, maintenance kept", "-3,678.00")
	}},
	{"what was closed", 15, func(s *dashboardTest) {
		s.Press("e", "/", "event:closed", "enter").Shows("b3           desk-1       closed").Lacks("opened")
	}},
	{"the table for a spreadsheet", 1, func(s *dashboardTest) {
		s.Press("Y").Shows("clipboard")
		if copied := s.terminal.copied(); strings.Count(copied, "\n") != 5 || !strings.HasPrefix(copied, "market\tmarket id\tparty\t") {
			s.t.Errorf("the clipboard has\n%s", copied)
		}
	}},
	{"a name for a party", 8, func(s *dashboardTest) {
		s.Press("n").Shows("BTC/USDT · c0ff").Type("desk-3", "enter").AwaitUpdates().Rows("BTC/USDT desk-1", "BTC/USDT desk-3", "ETH/USDT desk-1", "ETH/USDT desk-2")
	}},
	{"a theme of one's own", 6, func(s *dashboardTest) {
		s.Press(":", "mine").Shows("▌", "theme mine", "enter keeps it").Press("enter").Lacks("theme mine")
		if got := s.terminal.colourOf("blotter"); got != ansi.BasicColor(3) {
			s.t.Errorf("the name of the program has the colour %v", got)
		}
	}},
	{"is it live, and since when", 1, func(s *dashboardTest) {
		s.Shows("QUIET").Press("i").Shows("since 00:00:00")
	}},
	{"back to where I was", 2, func(s *dashboardTest) {
		s.Press("b").Press("esc").Rows("BTC/USDT", "BTC/USDT", "ETH/USDT", "ETH/USDT")
	}},
	{"exposure by market", 2, func(s *dashboardTest) {
		s.Press("x", "tab").After(4*time.Second).Shows("[exposure]", "by market", "BTC/USDT", "+160,995.0", "total")
	}},
	{"the uPnL of all parties in all markets", 3, func(s *dashboardTest) {
		s.Press("x", "tab", "tab").After(4*time.Second).Shows("[matrix]", "uPnL · USDT", "desk-2", "-600.00", "TOTAL")
	}},
	{"what each party would have if everything fell by 10%, and who would be near a limit", 1, func(s *dashboardTest) {
		s.Press("x").After(4*time.Second).Shows("[what if]", "uPnL · USDT", "≈ -10%", "+2,870.10", "-100% or less")
	}},
	{"an alert at -30 %", 15, func(s *dashboardTest) {
		s.Press("/", "m%<-30", "enter").Press("!", "n").Type("near", "enter").After(7*time.Second).Shows("m%<-30", "1 now, 1 began")
	}},
	{"the story of a close-out", 1, func(s *dashboardTest) {
		closed := eth
		for _, each := range []struct {
			status sim.Status
			profit string
		}{{sim.Distressed, "-70000"}, {sim.OrdersClosed, "-80000"}, {sim.ClosedOut, "0"}} {
			if closed.Status, closed.UnrealisedPnl = each.status, each.profit; each.status == sim.ClosedOut {
				closed.OpenVolume, closed.RealisedPnl = 0, "-90000"
			}
			s.Node.Update(closed)
			s.After(2 * time.Second)
		}
		s.Press("!").Shows("─ incidents", " DISTRESSED → :0", " ORDERS CLOSED → :0", " CLOSED OUT", "was -10.000, realised -1,902.02 USDT, -1,302.02 USDT since")
	}},
	{"the subtotal of a filter", 5, func(s *dashboardTest) {
		s.Press("/", "eth", "enter").After(4 * time.Second).Shows(" -620.00")
	}},
	{"a group of one's own, and its subtotal", 15, func(s *dashboardTest) {
		s.Press("a").Shows("1 row marked:", "O makes a group").Press("down", "down", "a").Press("O").Type("hedge", "enter").Shows("Group hedge: 2 positions; b shows groups")
		s.Press("b", "b", "b", "b").Shows("▾hedge", "2 pos", "▾in no group")
	}},
	{"CSV from the screen: the rows of a filter to a file", 7, func(s *dashboardTest) {
		s.Press("/", "eth", "enter").Press("D").Shows(" save to: ").Press("enter").Shows("Saved 2 rows as CSV: ")
		files, _ := filepath.Glob(filepath.Join(s.folder, "positions-*.csv"))
		if len(files) != 1 {
			s.t.Fatalf("the files are %v", files)
		}
		if text, err := os.ReadFile(files[0]); err != nil || strings.Count(string(text), "\n") != 3 || !strings.Contains(string(text), "\ndesk-2,ETH/USDT,") {
			s.t.Errorf("the file has\n%s, %v", text, err)
		}
	}},
	{"CSV from the screen: marked rows to the clipboard", 4, func(s *dashboardTest) {
		s.Press("down", "a", "D", "tab").Shows("1 marked row as CSV")
		if copied := s.terminal.copied(); strings.Count(copied, "\n") != 2 || !strings.HasPrefix(copied, "party,market,") {
			s.t.Errorf("the clipboard has\n%s", copied)
		}
	}},
	{"two parties beside each other", 8, func(s *dashboardTest) {
		s.Press("b").Press("/", "desk-", "enter").Shows("▾desk-1", "▾desk-2").Lacks("▾c0ff")
	}},
}

// colourOf returns the colour of a word that is first on the screen.
func (t *screen) colourOf(word string) color.Color {
	t.mu.Lock()
	defer t.mu.Unlock()
	for y, line := range strings.Split(t.emulator.String(), "\n") {
		if before, _, found := strings.Cut(line, word); found {
			return t.emulator.CellAt(utf8.RuneCountInString(before), y).Style.Fg
		}
	}
	return nil
}

// desk runs a test of a task.
func desk(t *testing.T, test func(*dashboardTest)) {
	t.Helper()
	desks := twoDesks()
	desks.options.Appearance.Themes = theme.NewSet([]theme.Own{{Name: "mine", Accent: "3"}})
	desks.run(t, func(s *dashboardTest) {
		more, other, closed := eth, btc, btc
		more.Party, more.UnrealisedPnl = "a1", "-2000"
		other.Party = unnamed
		closed.Market = "b3"
		s.Node.Update(btc, eth, more, other, closed)
		for _, of := range []sim.Position{btc, eth, more, other} {
			s.Node.PutMargins(sim.MarginLevels{Party: of.Party, Market: of.Market, Asset: "c1", Maintenance: "120000", Search: "132000", Initial: "144000", Release: "168000"})
		}
		closed.OpenVolume = 0
		s.After(2 * time.Minute)
		worse := eth
		worse.UnrealisedPnl = "-60000"
		s.Node.Update(worse, closed)
		s.After(time.Minute)
		test(s)
	})
}
