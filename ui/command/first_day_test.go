package command

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/model/view"
	"blotter/ui/theme"
	"blotter/ui/welcome"
)

// firstRun is a run without an address: the screen on which one can be typed, and then the dashboard.
type firstRun struct {
	welcome   *welcome.Screen
	dashboard tea.Model
	size      tea.WindowSizeMsg
	started   bool
}

func newFirstRun(dashboard tea.Model) tea.Model {
	check := func(address string) error {
		_, err := endpoint.ParseBaseURL(address)
		return err
	}
	return &firstRun{welcome: welcome.New(new(theme.Appearance), check), dashboard: dashboard}
}

func (f *firstRun) Init() tea.Cmd { return f.welcome.Init() }

func (f *firstRun) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		f.size = size
	}
	if f.started {
		_, cmd := f.dashboard.Update(msg)
		return f, cmd
	}
	_, cmd := f.welcome.Update(msg)
	address, _, chosen := f.welcome.Choice()
	if !chosen || address != "http://sim.test" {
		return f, cmd
	}
	f.started = true
	_, sized := f.dashboard.Update(f.size)
	return f, tea.Batch(f.dashboard.Init(), sized)
}

func (f *firstRun) View() tea.View {
	if f.started {
		return f.dashboard.View()
	}
	return f.welcome.View()
}

// TestTasksOfAFirstDay of a trader, on a screen of 120x40.
func TestTasksOfAFirstDay(t *testing.T) {
	desks := tenOnAPage()
	desks.options.Order = view.Order{Column: view.TroubleColumn}
	desks.first = newFirstRun
	distressed := eth
	distressed.Status = sim.Distressed
	desks.run(t, func(s *dashboardTest) {
		levels(s, 35)
		s.Node.Put(btc, distressed)
		s.Node.PutMargins(
			sim.MarginLevels{Party: "a2", Market: "b2", Asset: "c1", Maintenance: "120000", Search: "132000", Initial: "144000", Release: "168000"},
			sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "400000", Search: "440000", Initial: "480000", Release: "560000"},
		)

		s.Shows("Address").Press("sim.test").Press("enter").Shows("is not an address") // a first run, with a mistake
		for range len("sim.test") {
			s.Type("backspace")
		}
		s.Press("http://sim.test").Press("enter").After(5*time.Second).Shows("LIVE", "2 open")

		s.Rows("ETH/USDT desk-2 -10.000", "BTC/USDT desk-1 +1.250").Shows("uPnL/MM ▲", "-37.4%", "DISTRESSED") // the worst first
		s.Press("enter").Shows("─ ETH/USDT · desk-2", "1,200.00", "1,320.00", "1,440.00", "1,680.00")          // the margin of the worst
		s.Press("esc").Lacks("1,320.00 USDT")

		changed := btc
		changed.OpenVolume = 9000
		s.Press("f").Shows("FROZEN")
		s.Node.Update(changed)
		s.After(2*time.Second).Rows("ETH/USDT", "BTC/USDT desk-1 +1.250").Shows("1 change waits")
		s.Press("y").Shows("Sent to the terminal's clipboard")
		if row := s.terminal.copied(); !strings.HasPrefix(row, "ETH/USDT\tb2\tdesk-2\ta2\t-10.000\t") {
			t.Errorf("the clipboard has %q", row)
		}
		s.Press("f").Lacks("FROZEN").Rows("ETH/USDT", "BTC/USDT desk-1 +9.000")

		s.Press("tab", "right").Shows("newest first · page 2").Press("right").Shows("page 3").Press("left").Shows("page 2") // paging margin levels
		s.Press("esc").Press("P").Rows("ETH/USDT desk-2").Shows("desk-2")                                                   // only this party
		s.Press("/", "b", "t", "c", "enter").Shows("No position matches", "[btc]")

		s.Listener.Kill() // the service is lost, and comes back
		s.After(20*time.Second).Shows("STALE", "Connection refused", "r retries now")
		s.Listener.Revive()
		s.After(30 * time.Second).Lacks("STALE")

		s.Press("esc").Lacks("[btc]").Rows("ETH/USDT desk-2") // esc all the way out
		s.Press("esc").After(5*time.Second).Rows("ETH/USDT desk-2 -10.000", "BTC/USDT desk-1 +9.000")
		s.Press("esc").Shows("No step to undo").ShowsThePositionsOfTheService()
	})
}

// copied returns what was sent to the clipboard of the terminal last.
func (t *screen) copied() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, after, _ := strings.Cut(t.clipboard, "\x1b]52;c;")
	encoded, _, _ := strings.Cut(after, "\a")
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
