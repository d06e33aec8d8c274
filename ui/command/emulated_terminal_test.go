package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui"
	"blotter/ui/store"
)

// dashboardTest is a dashboard on an emulated terminal, which watches a simulated service: from the keys to the service
// and back to the cells, in a bubble of fake time.
type dashboardTest struct {
	t        *testing.T
	wait     func()
	Node     *sim.Node
	Listener *sim.Listener
	program  *tea.Program
	ended    chan struct{} // closed when the program has ended
	terminal *screen
	unseen   *unseenModel
	keys     io.Writer
	folder   string                                   // of what is saved
	typed    int                                      // keys
	afterKey func()                                   // is called after each key, unless it is nil
	layout   func(key string) (bytes string, ok bool) // of the keyboard, if it is another one; false: as on a US layout
}

// unseenModel draws what it has drawn before while nobody looks: drawing takes most of the time of a test that waits.
type unseenModel struct {
	tea.Model
	isUnseen atomic.Bool
	drawn    tea.View
}

// drawnAfter is how long a screen is drawn before a test looks at it.
const drawnAfter = 3 * time.Second

func (m *unseenModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	next, do := m.Model.Update(msg)
	m.Model = next
	return m, do
}

func (m *unseenModel) View() tea.View {
	if !m.isUnseen.Load() {
		m.drawn = m.Model.View()
	}
	return m.drawn
}

// screen is that of an emulated terminal. A program writes to it while the test reads the cells.
type screen struct {
	flow     chan struct{} // taken while the terminal takes no output
	mu       sync.Mutex
	emulator *vt.Emulator
	// clipboard is the last write with a text for the clipboard in it.
	clipboard string
}

func (t *screen) Write(p []byte) (int, error) {
	t.flow <- struct{}{}
	defer func() { <-t.flow }()
	t.mu.Lock()
	defer t.mu.Unlock()
	if bytes.Contains(p, []byte("\x1b]52;c;")) {
		t.clipboard = string(p)
	}
	return t.emulator.Write(p)
}

// lines are what the cells show.
func (t *screen) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Split(t.emulator.String(), "\n")
}

// messages is the second line, without looks.
func (t *screen) messages() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var line strings.Builder
	for x := range t.emulator.Width() {
		line.WriteString(t.emulator.CellAt(x, 1).String())
	}
	return line.String()
}

// setup is what a dashboard is tested with.
type setup struct {
	width, height int
	service       sim.Config
	before        func(node http.Handler) http.Handler // a handler in front of the service
	feed          feed.Config
	options       ui.Options
	first         func(dashboard tea.Model) tea.Model // a screen that comes before; nil: none
}

// run runs a test in a bubble of fake time, on a terminal of 120x40 unless the setup has another size.
func (on setup) run(t *testing.T, test func(*dashboardTest)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { on.runWith(t, synctest.Wait, test) })
}

// runWith runs a test; wait waits until all goroutines are idle.
func (on setup) runWith(t *testing.T, wait func(), test func(*dashboardTest)) {
	if on.width == 0 {
		on.width, on.height = 120, 40
	}
	s := &dashboardTest{t: t, folder: t.TempDir(), wait: wait, Node: sim.New(on.service), Listener: sim.Listen()}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	before := on.before
	running.Go(func() { s.serve(ctx, before) })
	on.feed.BaseURLs = []string{"http://sim.test"}
	if on.feed.Dial == nil {
		on.feed.Dial = s.Listener.DialContext
	}
	source, err := feed.New(on.feed)
	if err != nil {
		t.Fatal(err)
	}
	s.terminal = &screen{flow: make(chan struct{}, 1), emulator: vt.NewEmulator(on.width, on.height)}
	memory, err := record.NewMemory(record.MemoryOptions{Duration: 4 * time.Hour, Bytes: 1 << 20, Rows: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	on.options.Memory, on.options.Files = rewindMemory{memory, s.folder}, screenFiles{s.folder}
	input, keys := io.Pipe()
	s.keys = keys
	running.Go(func() { _, _ = io.Copy(io.Discard, s.terminal.emulator) }) // its responses to queries
	_, _ = s.terminal.Write([]byte("\x1b[20h"))                            // a line feed is a new line, as on a tty
	on.options.Service, on.options.Location, on.options.Extent = "sim", time.UTC, store.Whole(0)
	var model tea.Model = ui.New(ctx, record.NewTap(source, memory), on.options)
	if on.first != nil {
		model = on.first(model)
	}
	s.unseen = &unseenModel{Model: model}
	s.program = tea.NewProgram(s.unseen,
		tea.WithInput(input), tea.WithOutput(s.terminal), tea.WithoutSignalHandler(),
		tea.WithWindowSize(on.width, on.height), tea.WithColorProfile(colorprofile.ANSI),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}),
		tea.WithFPS(20)) // a third of the usual rate: most ticks of a minute draw nothing, and take time all the same
	s.ended = make(chan struct{})
	go func() {
		defer close(s.ended)
		if _, err := s.program.Run(); err != nil {
			t.Errorf("the dashboard ended: %v", err)
		}
	}()
	s.AwaitUpdates()
	test(s)
	s.program.Quit()
	<-s.ended
	keys.Close()
	time.Sleep(2 * time.Second) // a tick of the screen that is under way comes to its end
	source.Close()
	memory.Close()
	stop()
	_ = s.terminal.emulator.InputPipe().(io.Closer).Close() // Close of the emulator itself races with its reader
	running.Wait()
}

// serve serves until ctx is done.
func (s *dashboardTest) serve(ctx context.Context, before func(http.Handler) http.Handler) {
	if before == nil {
		_ = s.Node.Serve(ctx, s.Listener)
		return
	}
	server := &http.Server{Handler: before(s.Node)}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	_ = server.Serve(s.Listener)
}

// AwaitUpdates waits until updates are on the screen.
func (s *dashboardTest) AwaitUpdates() *dashboardTest { return s.After(250 * time.Millisecond) }

// After lets time pass. In a long time, nothing is drawn but in its last seconds.
func (s *dashboardTest) After(d time.Duration) *dashboardTest {
	if d > drawnAfter {
		s.unseen.isUnseen.Store(true)
		time.Sleep(d - drawnAfter)
		s.unseen.isUnseen.Store(false)
		d = drawnAfter
	}
	time.Sleep(d)
	s.wait()
	return s
}

// Press types keys, their names or characters, and waits for what is drawn.
func (s *dashboardTest) Press(keys ...string) *dashboardTest {
	s.t.Helper()
	return s.Type(keys...).AwaitUpdates()
}

// Type types keys.
func (s *dashboardTest) Type(keys ...string) *dashboardTest {
	s.t.Helper()
	for _, key := range keys {
		bytes, named := keyBytes[key]
		if s.layout != nil {
			if other, ok := s.layout(key); ok {
				bytes, named = other, true
			}
		}
		if s.typed++; !named {
			s.typed += len(key) - 1
			bytes = key
		}
		if _, err := io.WriteString(s.keys, bytes); err != nil {
			s.t.Fatal(err)
		}
		s.After(100 * time.Millisecond) // an escape that stands alone is a key
		if s.afterKey != nil {
			s.afterKey()
		}
	}
	return s
}

// resize gives the terminal another size, and waits for what is drawn.
func (s *dashboardTest) resize(width, height int) *dashboardTest {
	s.terminal.mu.Lock()
	s.terminal.emulator.Resize(width, height)
	s.terminal.mu.Unlock()
	s.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
	return s.AwaitUpdates()
}

var keyBytes = map[string]string{
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"enter": "\r", "esc": "\x1b", "tab": "\t", "space": " ", "ctrl+c": "\x03", "backspace": "\x7f",
}

// StopOutput has the terminal take no more output, as ctrl+s does; ResumeOutput ends that.
func (s *dashboardTest) StopOutput() *dashboardTest   { s.terminal.flow <- struct{}{}; return s }
func (s *dashboardTest) ResumeOutput() *dashboardTest { <-s.terminal.flow; return s }

// Screen is what the terminal shows.
func (s *dashboardTest) Screen() string { return strings.Join(s.terminal.lines(), "\n") }

// Shows asserts that each of the words is on the screen.
func (s *dashboardTest) Shows(words ...string) *dashboardTest {
	s.t.Helper()
	screen := s.Screen()
	for _, word := range words {
		if !strings.Contains(screen, word) {
			s.t.Errorf("the screen does not show %q:\n%s", word, screen)
		}
	}
	return s
}

// Awaits lets time pass until each of the words is on the screen, and asserts that this takes at most limit. It is for
// what comes at a random time, as retries do.
func (s *dashboardTest) Awaits(limit time.Duration, words ...string) *dashboardTest {
	s.t.Helper()
	missing := func(word string) bool { return !strings.Contains(s.Screen(), word) }
	for deadline := time.Now().Add(limit); time.Now().Before(deadline) && slices.ContainsFunc(words, missing); {
		s.AwaitUpdates()
	}
	return s.Shows(words...)
}

// Lacks asserts that none of the words is on the screen.
func (s *dashboardTest) Lacks(words ...string) *dashboardTest {
	s.t.Helper()
	screen := s.Screen()
	for _, word := range words {
		if strings.Contains(screen, word) {
			s.t.Errorf("the screen shows %q:\n%s", word, screen)
		}
	}
	return s
}

// rows are the lines of the positions table, a space between the words.
func (s *dashboardTest) rows() []string { return rowsOf(s.terminal.lines()) }

// rowsOf returns those among the lines of a screen.
func rowsOf(lines []string) (rows []string) {
	heading := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, " MARKET") })
	for _, line := range lines[heading+1:] {
		if line = strings.TrimSpace(strings.TrimLeft(line, "▌?!")); line == "" || strings.HasPrefix(line, "─") {
			break
		}
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	return rows
}

// Rows asserts the lines of the positions table, from the top: each must have the words of one row in this
// order.
func (s *dashboardTest) Rows(rows ...string) *dashboardTest {
	s.t.Helper()
	got := s.rows()
	ok := len(got) == len(rows)
	for i := 0; ok && i < len(rows); i++ {
		ok = strings.Contains(got[i], rows[i])
	}
	if !ok {
		s.t.Errorf("the rows are %q, want %q:\n%s", got, rows, s.Screen())
	}
	return s
}

// ShowsThePositionsOfTheService checks that the open positions on the screen are those that the service has.
func (s *dashboardTest) ShowsThePositionsOfTheService() *dashboardTest {
	s.t.Helper()
	if got, want := s.shownAndExpected(); !slices.Equal(got, want) {
		s.t.Errorf("the rows are %q, and the service has %q:\n%s", got, want, s.Screen())
	}
	return s
}

// shownAndExpected returns market, party and size of the open positions, as the screen has them and as the service
// does.
func (s *dashboardTest) shownAndExpected() (got, want []string) {
	instruments := testInstruments()
	for _, p := range s.Node.Positions() {
		if p.OpenVolume != 0 {
			market, party := instruments.Market(model.MakeID(p.Market)), instruments.Party(model.MakeID(p.Party))
			size := float64(p.OpenVolume) / 1000 // of either market, and small enough for this
			want = append(want, fmt.Sprintf("%s %s %+.3f", market.Label(), party.Label(), size))
		}
	}
	slices.Sort(want)
	got = s.rows()
	for i, row := range got {
		got[i] = strings.Join(strings.Fields(strings.ReplaceAll(row, ",", ""))[:3], " ")
	}
	slices.Sort(got)
	return got, want
}

// isDim reports whether a line of the terminal is drawn dim.
func (s *dashboardTest) isDim(line string) bool {
	s.terminal.mu.Lock()
	defer s.terminal.mu.Unlock()
	for y := range s.terminal.emulator.Height() {
		if strings.Split(s.terminal.emulator.String(), "\n")[y] == line {
			return s.terminal.emulator.CellAt(2, y).Style.Attrs&uv.AttrFaint != 0
		}
	}
	return false
}

// testInstruments returns two parties, two markets.
func testInstruments() *model.Instruments {
	return model.NewInstruments(
		[]model.Party{{ID: model.MakeID("a1"), Name: "desk-1"}, {ID: model.MakeID("a2"), Name: "desk-2"}},
		[]model.Market{
			{ID: model.MakeID("b1"), Name: "BTC/USDT", Asset: model.MakeID("c1"), PriceDecimals: 1, SizeDecimals: 3},
			{ID: model.MakeID("b2"), Name: "ETH/USDT", Asset: model.MakeID("c1"), PriceDecimals: 2, SizeDecimals: 3},
		},
		[]model.Asset{{ID: model.MakeID("c1"), Symbol: "USDT", Decimals: 2}})
}
