package ui

import (
	"blotter/ui/views"
	"context"
	"image"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/layout"
	"blotter/ui/store"
	"blotter/ui/uitest"
)

// screen drives the model as a program does, in a synctest bubble: commands run in goroutines, and their messages
// are taken one after the other.
type screen struct {
	t        *testing.T
	m        *Model
	source   *fakeSource
	memory   *fakeMemory // nil if it has none
	messages chan tea.Msg
	sent     []tea.Msg // messages for the program itself: quit, suspend, the clipboard
}

// onScreen runs a test in a bubble, on a screen of the given size, at 14:02:07 CET.
func onScreen(t *testing.T, width, height int, change func(*Options), test func(s *screen)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(13*time.Hour + 2*time.Minute + 7*time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		defer func() { // also after a Fatal, which else becomes a panic about a deadlock
			cancel()
			time.Sleep(time.Minute) // what waits for a time ends
		}()
		options := Options{
			Service:     "mainnet",
			Extent:      store.Whole(0),
			Instruments: deskInstruments(),
			Location:    time.FixedZone("CET", 3600),
			Shown:       views.Shown{Settings: view.Settings{Scope: model.Scope{Parties: []model.ID{desk1, desk2, desk3, nobody, network}}, Order: view.Order{Column: view.UnrealisedColumn}}},
		}
		if change != nil {
			change(&options)
		}
		s := &screen{t: t, messages: make(chan tea.Msg, 1000)}
		s.source = newFakeSource()
		s.m = New(ctx, s.source, options)
		s.start(s.m.Init())
		s.send(tea.WindowSizeMsg{Width: width, Height: height})
		test(s)
	})
}

// start runs a command beside.
func (s *screen) start(cmd tea.Cmd) { uitest.Run(cmd, s.messages) }

// send gives the model a message, and all messages that follow from it.
func (s *screen) send(msg tea.Msg) {
	_, cmd := s.m.Update(msg)
	s.start(cmd)
	s.m.View() // as a program does, while commands run
	s.drain()
}

// drain handles messages until none come any more. Then it draws the screen.
func (s *screen) drain() {
	if s.handle() {
		s.m.View()
	}
}

// handle handles messages until none come any more, and reports whether there were any.
func (s *screen) handle() (handled bool) {
	for {
		synctest.Wait()
		select {
		case msg := <-s.messages:
			s.sent = append(s.sent, msg)
			_, cmd := s.m.Update(msg)
			s.start(cmd)
			handled = true
		default:
			return handled
		}
	}
}

// pass waits for a time, and handles messages each second. What nobody looks at is not drawn.
func (s *screen) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		time.Sleep(min(d, time.Second))
		s.handle()
	}
	s.m.View()
}

// publish makes the source send a Delta.
func (s *screen) publish(delta book.Delta) {
	s.source.publish(delta)
	s.drain()
}

// press presses keys, each named as a key press is: "a", "enter", "ctrl+c".
func (s *screen) press(names ...string) {
	for _, name := range names {
		s.send(keyNamed(name))
	}
}

// write types text.
func (s *screen) write(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

var specialKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
}

func keyNamed(name string) tea.KeyPressMsg {
	var key tea.KeyPressMsg
	for {
		switch rest, found := strings.CutPrefix(name, "ctrl+"); {
		case found:
			key.Mod |= tea.ModCtrl
			name = rest
			continue
		}
		if rest, found := strings.CutPrefix(name, "shift+"); found {
			key.Mod |= tea.ModShift
			name = rest
			continue
		}
		break
	}
	if code, ok := specialKeys[name]; ok {
		key.Code = code
		return key
	}
	if name == "space" {
		name = " "
	}
	key.Code = []rune(name)[0]
	if key.Mod == 0 {
		key.Text = name
	}
	return key
}

// lines are what is on the screen, without looks. Of the lines that an overlay with a border lies over, it is what is
// inside of the border.
func (s *screen) lines() []string {
	lines := s.whole()
	if box, ok := s.box(); ok {
		for y := box.Min.Y - 1; y <= box.Max.Y; y++ {
			lines[y] = strings.TrimRight(ansi.Cut(lines[y], box.Min.X, box.Max.X), " ")
		}
		lines[box.Min.Y-1], lines[box.Max.Y] = "", ""
	}
	return lines
}

// whole is all that is on the screen, without looks.
func (s *screen) whole() []string {
	lines := strings.Split(ansi.Strip(s.m.View().Content), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// box returns the cells of the screen inside of an overlay's border, and false if there is none.
func (s *screen) box() (image.Rectangle, bool) {
	parts := s.m.parts()
	return parts.Box().Add(image.Pt(0, layout.TopHeight)), s.m.overlays.covering() != nil && parts.HasBorder()
}

func (s *screen) text() string { return strings.Join(s.lines(), "\n") + "\n" }

// sees fails the test unless every text is on the screen.
func (s *screen) sees(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.text(), text) {
			s.t.Errorf("the screen does not show %q:\n%s", text, s.text())
		}
	}
}

// seesNot fails the test if any text is on the screen.
func (s *screen) seesNot(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.text(), text) {
			s.t.Errorf("the screen shows %q:\n%s", text, s.text())
		}
	}
}

// markets are the markets in the rows on the screen, from the top.
func (s *screen) markets() []string {
	var markets []string
	for _, line := range s.lines() {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '▌' || r == '?' })[:min(1, len(strings.Fields(line)))] {
			if strings.HasSuffix(word, "/USDT") {
				markets = append(markets, strings.TrimSuffix(word, "/USDT"))
			}
		}
	}
	return markets
}

// cursorLine is the row under the cursor: that of the overlay, if there is one.
func (s *screen) cursorLine() string {
	box, hasBox := s.box()
	for y, line := range s.lines() {
		if hasBox && (y < box.Min.Y || y >= box.Max.Y) {
			continue
		}
		if strings.HasPrefix(line, "▌") {
			return line
		}
	}
	return ""
}

// fakeSource is a source that a test scripts.
type fakeSource struct {
	news     chan book.Delta
	links    chan book.Delta
	watched  [][]model.Subscription
	resynced int
	closed   bool
	audits   []model.Subscription
	requests []model.PageRequest
	hurried  []model.ID
	walk     fakeWalk
	respond  func(context.Context, model.PageRequest) (*model.Page, error)
	mu       sync.Mutex // held while a request is added
}

func newFakeSource() *fakeSource {
	f := &fakeSource{news: make(chan book.Delta, 100), links: make(chan book.Delta, 100)}
	f.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
		return deskPage(request), nil
	}
	return f
}

func (f *fakeSource) Watch(subscriptions []model.Subscription) {
	f.watched = append(f.watched, slices.Clone(subscriptions))
}

func (f *fakeSource) Close() { f.closed = true }

func (f *fakeSource) Resync() { f.resynced++ }

func (f *fakeSource) RequestAudit(subscription model.Subscription) {
	f.audits = append(f.audits, subscription)
}

func (f *fakeSource) publish(delta book.Delta) {
	if delta.Snapshots == nil && delta.Updates == nil && delta.Audits == nil {
		f.links <- delta
		return
	}
	f.news <- delta
}

func (f *fakeSource) Next(ctx context.Context) (book.Delta, error) {
	select {
	case delta := <-f.links:
		return delta, nil
	case delta := <-f.news:
		return delta, nil
	case <-ctx.Done():
		return book.Delta{}, ctx.Err()
	}
}

// fakeWalk is what a fakeSource reads of the margin levels of a scope: all of them on one page.
type fakeWalk struct {
	mu       sync.Mutex
	scope    model.Scope
	dueAt    time.Time
	requests int
}

func (f *fakeSource) WatchMargins(scope model.Scope) {
	f.walk.mu.Lock()
	defer f.walk.mu.Unlock()
	f.walk.scope, f.walk.dueAt = scope, time.Time{}
}

func (f *fakeSource) HurryMargins(parties []model.ID) { f.hurried = append(f.hurried, parties...) }

func (f *fakeSource) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	w := &f.walk
	w.mu.Lock()
	wait := time.Until(w.dueAt)
	w.mu.Unlock()
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return book.MarginsRead{}, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.requests++
	page, err := f.respond(ctx, model.PageRequest{Scope: w.scope, Size: 5000, Background: true})
	if err != nil {
		w.dueAt = time.Now().Add(model.MarginRetry)
		return book.MarginsRead{Err: err}, ctx.Err()
	}
	w.dueAt = time.Now().Add(model.MarginRefresh)
	return book.MarginsRead{Page: page, Ended: true, Whole: true}, ctx.Err()
}

// walked returns how many pages of the walk were requested.
func (f *fakeSource) walked() int {
	f.walk.mu.Lock()
	defer f.walk.mu.Unlock()
	return f.walk.requests
}

func (f *fakeSource) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	f.mu.Lock() // a page and the levels of a row may be requested at the same time
	f.requests = append(f.requests, request)
	f.mu.Unlock()
	return f.respond(ctx, request)
}
