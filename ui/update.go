package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
)

// Update takes one message and says what is to be done about it.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.pull.more = false
	did := m.take(msg)
	m.settle()
	return m, tea.Batch(did, m.wait(), m.keepUp())
}

func (m *Model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.styles = newStyles(msg.IsDark())
	case tea.KeyPressMsg:
		return m.takeKey(msg)
	case tea.PasteMsg:
		return m.takePaste(msg.Content)
	case tickMsg:
		m.notice.fade(m.now())
		m.wake()
		return tea.Batch(tick(), m.data.relearn(m.now()))
	case tea.ResumeMsg:
		m.source.Resync()
	case deltaMsg:
		return m.takeDelta(msg)
	case preparedMsg:
		return m.takePrepared(msg)
	case uncomparedMsg:
		return m.takeHeld()
	case pageMsg:
		return m.takePage(msg)
	case restedMsg:
		return m.takeRested(msg)
	case levelsMsg:
		return m.takeLevels(msg)
	}
	return nil
}

// settle finds the cursors again after whatever has changed.
func (m *Model) settle() {
	if !slices.Contains(m.panes(), m.focus) {
		m.focus = positionsPane
	}
	l := m.layout()
	m.positions.window.Settle(positionRows{m.data.view}, m.positionRoom(&l))
	m.margins.window.Settle(&m.margins, m.marginRoom(&l))
	m.settleReader(&l)
}

// takeKey does what a key does where the trader is.
func (m *Model) takeKey(pressed tea.KeyPressMsg) tea.Cmd {
	m.notice.calm(pressed)
	m.positions.widths.Forget()
	k := m.keys
	switch {
	case m.picker != nil:
		if cmd, ok := press(m, pressed, &k.picker); ok {
			return cmd
		}
		m.picker.press(pressed)
		return nil
	case m.filter.open:
		if cmd, ok := press(m, pressed, &k.filter); ok {
			return cmd
		}
		m.filter.line.press(pressed)
		return m.applyFilter()
	}
	cmd, _ := press(m, pressed, m.groupHere(), &k.everywhere)
	return cmd
}

// groupHere is the keys of what has the focus.
func (m *Model) groupHere() *group {
	switch {
	case m.page != noPage || m.focus == detailPane:
		return &m.keys.reading
	case m.focus == marginsPane:
		return &m.keys.margins
	}
	return &m.keys.positions
}

// takePaste takes pasted text where text can be typed. Its control characters never get further.
func (m *Model) takePaste(text string) tea.Cmd {
	switch {
	case m.picker != nil:
		m.picker.paste(text)
	case m.filter.open:
		m.filter.line.insert(text)
		return m.applyFilter()
	}
	return nil
}

// sleptFor is how long nothing must have happened for the program to count as having slept.
const sleptFor = 10 * time.Second

// wake has all looked at again after the machine or the program has slept: connections may have died unseen. The
// monotonic clock stands still while a machine sleeps and the wall clock does not, so both are asked.
func (m *Model) wake() {
	last := m.awake
	m.awake = m.now()
	byWall := m.awake.Round(0).Sub(last.Round(0))
	if !last.IsZero() && max(byWall, m.awake.Sub(last)) >= sleptFor {
		m.source.Resync()
	}
}

func (m *Model) takePrepared(msg preparedMsg) tea.Cmd {
	next := m.data.take(msg, m.now())
	m.positions.widths.Forget()
	held := m.takeHeld()
	m.beginAtTheTop()
	return tea.Batch(next, held)
}

// tellOf names what audits corrected, on the screen and in the log.
func (m *Model) tellOf(corrected []correction) tea.Cmd {
	if len(corrected) == 0 {
		return nil
	}
	words, log := m.correctionWords(corrected), m.options.Log
	m.say(words)
	return func() tea.Msg {
		log.Warn(words)
		return nil
	}
}

// beginAtTheTop keeps the cursor on the first row while the first snapshots come in: the row that came first is of no
// interest to anybody.
func (m *Model) beginAtTheTop() {
	if m.began {
		return
	}
	m.positions.window.MoveTo(positionRows{m.data.view}, 0)
	loading := func(l model.Link) bool { return !l.Committed }
	m.began = len(m.pull.links) > 0 && !slices.ContainsFunc(m.pull.links, loading)
}

// watch changes whom the screen is about.
func (m *Model) watch(scope model.Scope) tea.Cmd {
	if scope.Equal(m.data.scope) {
		return nil
	}
	prepare := m.data.watch(scope, m.now())
	m.source.Watch(m.data.subscriptions)
	links := m.pull.links
	m.pull.links = nil
	for _, link := range links {
		if m.data.subscribed(link.Subscription) {
			m.pull.links = append(m.pull.links, link)
		}
	}
	if m.pull.frozen {
		m.say("No longer frozen: the rows are others now.")
	}
	m.margins.clear()
	return tea.Batch(prepare, m.thaw(false), m.askPage(m.firstPageRequest(), turning))
}

// learn takes from margin records, which were the service's word at a time, which assets markets settle in, and which
// positions are older than they ought to be.
func (m *Model) learn(records []model.MarginLevels, at time.Time) tea.Cmd {
	for i := range records {
		if overtaken, ok := m.data.view.Book().Overtaken(&records[i], at); ok {
			m.source.RequestAudit(overtaken)
		}
	}
	instruments := m.data.instruments.Learn(records)
	if instruments == m.data.instruments {
		return nil
	}
	m.data.instruments = instruments
	m.format = newFormatter(instruments, m.options.Location)
	return m.data.relearn(m.now())
}

// noticeFor is how long a notice stays.
const noticeFor = 4 * time.Second

// notice is a passing word about what a key did.
type notice struct {
	text  string
	since time.Time
	again bool // ctrl+c was pressed: once more quits
}

func (m *Model) say(text string) {
	m.notice = notice{text: ansi.Strip(text), since: m.now()}
}

// fade ends a notice that was there long enough.
func (n *notice) fade(now time.Time) {
	if now.Sub(n.since) >= noticeFor {
		*n = notice{}
	}
}

// calm ends a notice at the next key.
func (n *notice) calm(pressed tea.KeyPressMsg) {
	if !n.again || pressed.String() != "ctrl+c" {
		*n = notice{}
	}
}
