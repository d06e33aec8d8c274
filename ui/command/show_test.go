package command

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"

	"blotter/feed"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui"
)

// show is a dashboard on an emulated terminal, which watches a simulated service: from the keys to the service
// and back to the cells, in a bubble of fake time.
type show struct {
	t        *testing.T
	Node     *sim.Node
	Listener *sim.Listener
	program  *tea.Program
	terminal *screen
	keys     io.Writer
}

// screen is that of an emulated terminal. A program writes to it while the test reads the cells.
type screen struct {
	mu       sync.Mutex
	emulator *vt.Emulator
}

func (t *screen) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emulator.Write(p)
}

// lines are what the cells show.
func (t *screen) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Split(t.emulator.String(), "\n")
}

// stage is where a show plays.
type stage struct {
	width, height int
	service       sim.Config
	feed          feed.Config
	options       ui.Options
}

// play runs a scene on a terminal of 120x40, or as the stage says.
func (on stage) play(t *testing.T, scene func(*show)) {
	t.Helper()
	if on.width == 0 {
		on.width, on.height = 120, 40
	}
	synctest.Test(t, func(t *testing.T) {
		s := &show{t: t, Node: sim.New(on.service), Listener: sim.Listen()}
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { _ = s.Node.Serve(ctx, s.Listener) })
		on.feed.BaseURLs = []string{"http://sim.test"}
		on.feed.Dial = s.Listener.DialContext
		source, err := feed.New(on.feed)
		if err != nil {
			t.Fatal(err)
		}
		s.terminal = &screen{emulator: vt.NewEmulator(on.width, on.height)}
		input, keys := io.Pipe()
		s.keys = keys
		running.Go(func() { _, _ = io.Copy(io.Discard, s.terminal.emulator) }) // what it answers to queries
		_, _ = s.terminal.Write([]byte("\x1b[20h"))                            // a line feed is a new line, as on a tty
		on.options.Service, on.options.UTC = "sim", true
		s.program = tea.NewProgram(ui.New(ctx, source, on.options),
			tea.WithInput(input), tea.WithOutput(s.terminal), tea.WithoutSignalHandler(),
			tea.WithWindowSize(on.width, on.height), tea.WithColorProfile(colorprofile.ANSI),
			tea.WithEnvironment([]string{"TERM=xterm-256color"}))
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			if _, err := s.program.Run(); err != nil {
				t.Errorf("the dashboard ended: %v", err)
			}
		}()
		s.Settle()
		scene(s)
		s.program.Quit()
		<-ended
		keys.Close()
		time.Sleep(2 * time.Second) // a tick of the screen that is under way comes to its end
		source.Close()
		stop()
		s.terminal.emulator.Close()
		running.Wait()
	})
}

// Settle lets news get to the screen.
func (s *show) Settle() *show { return s.After(250 * time.Millisecond) }

// After lets time go by.
func (s *show) After(d time.Duration) *show {
	time.Sleep(d)
	synctest.Wait()
	return s
}

// Press types keys: their names, or characters.
func (s *show) Press(keys ...string) *show {
	s.t.Helper()
	for _, key := range keys {
		bytes, named := keyBytes[key]
		if !named {
			bytes = key
		}
		if _, err := io.WriteString(s.keys, bytes); err != nil {
			s.t.Fatal(err)
		}
		s.After(100 * time.Millisecond)
	}
	return s.Settle()
}

var keyBytes = map[string]string{
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "ctrl+c": "\x03",
}

// Screen is what the terminal shows.
func (s *show) Screen() string { return strings.Join(s.terminal.lines(), "\n") }

// Shows asserts that each of the words is on the screen.
func (s *show) Shows(words ...string) *show {
	s.t.Helper()
	screen := s.Screen()
	for _, word := range words {
		if !strings.Contains(screen, word) {
			s.t.Errorf("the screen does not show %q:\n%s", word, screen)
		}
	}
	return s
}

// Lacks asserts that none of the words is on the screen.
func (s *show) Lacks(words ...string) *show {
	s.t.Helper()
	screen := s.Screen()
	for _, word := range words {
		if strings.Contains(screen, word) {
			s.t.Errorf("the screen shows %q:\n%s", word, screen)
		}
	}
	return s
}

// Rows asserts the lines of the positions table, from the top: each must have the words of one row in this
// order.
func (s *show) Rows(rows ...string) *show {
	s.t.Helper()
	var got []string
	lines := s.terminal.lines()
	heading := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, " MARKET") })
	for _, line := range lines[heading+1:] {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "▌")); line == "" || strings.HasPrefix(line, "─") {
			break
		}
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	ok := len(got) == len(rows)
	for i := 0; ok && i < len(rows); i++ {
		ok = strings.Contains(got[i], rows[i])
	}
	if !ok {
		s.t.Errorf("the rows are %q, want %q:\n%s", got, rows, s.Screen())
	}
	return s
}

// instruments of the scenes: two parties, two markets.
func sceneInstruments() *model.Instruments {
	return model.NewInstruments(
		[]model.Party{{ID: model.MakeID("a1"), Name: "desk-1"}, {ID: model.MakeID("a2"), Name: "desk-2"}},
		[]model.Market{
			{ID: model.MakeID("b1"), Name: "BTC/USDT", Asset: model.MakeID("c1"), PriceDecimals: 1, SizeDecimals: 3},
			{ID: model.MakeID("b2"), Name: "ETH/USDT", Asset: model.MakeID("c1"), PriceDecimals: 2, SizeDecimals: 3},
		},
		[]model.Asset{{ID: model.MakeID("c1"), Symbol: "USDT", Decimals: 2}})
}
