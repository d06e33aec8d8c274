package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/events"
)

// Update handles one message and returns the commands that follow from it.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	msg, isOwn := m.untag(msg)
	if !isOwn {
		return m, nil
	}
	m.incoming.more = false
	handled := m.handle(msg)
	m.mergeMargins()
	alerted := m.evaluateAlerts()
	m.adjustCursors()
	m.updatePage(msg)
	m.adjustScroll()
	m.followChanges()
	if m.switching.closing {
		return m, m.tag(tea.Batch(handled, alerted))
	}
	return m, m.tag(tea.Batch(handled, alerted, m.wait(), m.requestNeeded()))
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.styles = m.options.Looks.styles(msg.IsDark())
	case tea.KeyPressMsg:
		return m.handleKey(msg)
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case tea.PasteMsg:
		return m.handlePaste(msg.Content)
	case tickMsg:
		m.notice.expire(m.screenNow())
		m.reportTrouble()
		m.reportFigures()
		m.resyncAfterSleep()
		m.sampleTrends()
		m.sampleHistory()
		m.totals.Turn(m.totalsLine(), m.width, m.now())
		m.events.Refilter(m.eventContext())
		m.traffic.Read(m.incoming.links, m.now())
		// A survey and a match of the alerts do not begin while a view is made. A filter of time needs one each second,
		// so it comes after them.
		return tea.Batch(tick(), m.data.applyLearned(m.now()), m.surveyRows(), m.checkAlerts(), m.refilter(), m.remember())
	case tea.ResumeMsg:
		m.source.Resync()
	case deltaMsg:
		return m.handleDelta(msg)
	case preparedMsg:
		return m.handlePrepared(msg)
	case surveyedMsg:
		return m.handleSurveyed(msg)
	case uncomparedMsg:
		return m.applyHeld()
	case pageMsg:
		return m.handlePage(msg)
	case walkedMsg:
		return m.handleWalked(msg)
	case delayEndedMsg:
		m.levels.EndDelay(msg.number)
	case rememberedMsg:
		m.handleRemembered(msg)
	case keptMsg:
		m.handleKept(msg)
	case levelsMsg:
		return m.handleLevels(msg)
	case alertsMatchedMsg:
		return m.handleAlertsMatched(msg)
	case alertRanMsg:
		m.handleAlertRan(msg)
	case openedMsg:
		return m.handleOpened(msg)
	case sourceClosedMsg:
		return m.handleSourceClosed()
	}
	return nil
}

// adjustCursors finds the rows of the cursors again after whatever has changed.
func (m *Model) adjustCursors() {
	if !slices.Contains(m.panes(), m.focus) {
		m.setFocus(positionsPane)
	}
	m.margins.Narrow(m.data.filter.Text, m.data.instruments)
	l := m.layout()
	if !m.positions.moved {
		m.positions.window.MoveTo(positionRows{m.data.view}, 0)
	}
	m.positions.window.Adjust(positionRows{m.data.view}, m.positionRoom(&l))
	m.margins.Window.Adjust(&m.margins, m.marginRoom(&l))
	m.events.Update(events.Room(l.middle))
}

// handleKey does what the key does where the focus is.
func (m *Model) handleKey(pressed tea.KeyPressMsg) tea.Cmd {
	m.notice.dismiss(m.keys.Has("interrupt", pressed.String()))
	m.positions.widths.Forget()
	deletes := m.viewList != nil && m.viewList.Deleting
	cmd, ok := press(m, pressed, m.activeGroups()...)
	if !ok {
		cmd = m.handleOtherKey(pressed)
	}
	if deletes && m.viewList != nil {
		m.viewList.Deleting = false // only where it is pressed twice in a row
	}
	return cmd
}

// handleOtherKey types what a key types that is not one of an action, where text can be typed.
func (m *Model) handleOtherKey(pressed tea.KeyPressMsg) tea.Cmd {
	switch m.exclusiveGroup() {
	case nil:
		m.notify(m.keys.Fill("{help} lists the keys."))
	case &m.keys.picker:
		m.picker.Press(pressed)
	case &m.keys.naming:
		m.naming.Press(pressed)
	case &m.keys.viewName:
		m.viewList.Press(pressed)
	case &m.keys.filter:
		m.filter.line.Press(pressed)
		return m.applyFilter()
	default:
		m.notify("The last line lists the keys.")
	}
	return nil
}

// activeGroups returns the keys that work now; those of earlier groups come first.
func (m *Model) activeGroups() []*group {
	if g := m.exclusiveGroup(); g != nil {
		return []*group{g}
	}
	return slices.Concat([]*group{&m.keys.replay}, m.focusedGroups(), []*group{&m.keys.everywhere})
}

// exclusiveGroup returns the keys of what takes all keys now; nil where nothing does.
func (m *Model) exclusiveGroup() *group {
	switch k := m.keys; {
	case m.picker != nil:
		return &k.picker
	case m.naming != nil:
		return &k.naming
	case m.chooser != nil:
		return &k.columns
	case m.data.baseline.confirming:
		return &k.baseline
	case m.viewList != nil && m.viewList.IsNaming():
		return &k.viewName
	case m.viewList != nil:
		return &k.views
	case m.filter.open:
		return &k.filter
	}
	return nil
}

// focusedGroups returns the keys of the page that is open, or of the pane that has the focus.
func (m *Model) focusedGroups() []*group {
	if m.page == sessionPage {
		return []*group{&m.keys.session, &m.keys.reading}
	}
	return []*group{m.focusedGroup()}
}

func (m *Model) focusedGroup() *group {
	switch {
	case m.page == eventsPage:
		return &m.keys.events
	case m.page != noPage || m.focus == detailPane:
		return &m.keys.reading
	case m.focus == marginsPane:
		return &m.keys.margins
	}
	return &m.keys.positions
}

// handlePaste inserts pasted text where text can be typed. Control characters are neutralised there.
func (m *Model) handlePaste(text string) tea.Cmd {
	switch m.exclusiveGroup() {
	case &m.keys.picker:
		m.picker.Paste(text)
	case &m.keys.naming:
		m.naming.Paste(text)
	case &m.keys.viewName:
		m.viewList.Paste(text)
	case &m.keys.filter:
		m.filter.line.Insert(text)
		return m.applyFilter()
	}
	return nil
}

// sleptFor is how long nothing happens where the machine or the program sleeps.
const sleptFor = 10 * time.Second

// resyncAfterSleep requests everything again after the machine or the program has slept, because connections may have
// been lost meanwhile. The monotonic clock stops while a machine sleeps and the wall clock does not, so both are read.
func (m *Model) resyncAfterSleep() {
	last := m.lastTick
	m.lastTick = m.screenNow()
	byWall := m.lastTick.Round(0).Sub(last.Round(0))
	if !last.IsZero() && max(byWall, m.lastTick.Sub(last)) >= sleptFor {
		m.source.Resync()
	}
}

func (m *Model) handlePrepared(msg preparedMsg) tea.Cmd {
	before := m.data.view
	if msg.events != nil {
		m.events.Log().Append(msg.events)
	}
	next := m.data.show(msg, m.now())
	m.followChanges() // before what is held changes the rows
	m.followGroup(before)
	if !haveSameSettings(before, m.data.view) {
		m.positions.widths.Forget()
	}
	m.hintAtNames()
	m.reportRawOrder()
	return tea.Batch(next, m.applyHeld())
}

// haveSameSettings reports whether two views have the same scope, filter, order and groups, and a baseline in both or
// in none.
func haveSameSettings(v, w *view.View) bool {
	scope := v.Scope()
	if v.Book().HasTakenBaseline() != w.Book().HasTakenBaseline() {
		return false
	}
	return v.Order == w.Order && v.Groups.By == w.Groups.By && v.Filter.Text == w.Filter.Text && v.Filter.ShowClosed == w.Filter.ShowClosed && scope.Equal(w.Scope())
}

// watch changes the scope, as a step.
func (m *Model) watch(scope model.Scope) tea.Cmd {
	if scope.Equal(m.data.scope) {
		return nil
	}
	m.steps.add(step{kind: scopeStep, scope: m.data.scope})
	return m.watchScope(scope)
}

// watchScope changes the scope.
func (m *Model) watchScope(scope model.Scope) tea.Cmd {
	prepare := m.data.watch(scope, m.now())
	m.source.Watch(m.data.subscriptions)
	links := m.incoming.links
	m.incoming.links = nil
	for _, link := range links {
		if m.data.subscribed(link.Subscription) {
			m.incoming.links = append(m.incoming.links, link)
		}
	}
	if m.incoming.frozen {
		m.notify("No longer frozen: the scope changed.")
	}
	m.positions.moved = false
	first := m.sendPage(m.margins.Watch(scope, m.now()))
	m.walk.Watch(scope)
	m.alerts.reports.Restart()
	return tea.Batch(prepare, m.setFrozen(false), first)
}

// learn takes the margin records of a page, and the assets of markets from them. Where a record shows that an update of
// a position was missed, it requests an audit.
func (m *Model) learn(page *model.Page) tea.Cmd {
	if page == nil {
		return nil
	}
	m.data.heldPages = append(m.data.heldPages, page)
	for i := range page.Rows {
		if overtaken, ok := m.data.view.Book().Overtaken(&page.Rows[i], page.At()); ok {
			m.source.RequestAudit(overtaken)
		}
	}
	instruments := m.data.instruments.Learn(page.Rows)
	if instruments == m.data.instruments {
		return nil
	}
	m.data.instruments = instruments
	m.format = m.options.formatter(instruments)
	return m.data.applyLearned(m.now())
}

// noticeFor is how long a notice is shown.
const noticeFor = 4 * time.Second

// notice is a text that the second line shows for a short time after a key.
type notice struct {
	text     string
	since    time.Time
	quitNext bool // the key that interrupts was pressed; pressed again, it quits
}

func (m *Model) notify(text string) {
	m.notice = notice{text: ansi.Strip(text), since: m.screenNow()}
}

// expire ends a notice after its time.
func (n *notice) expire(now time.Time) {
	if now.Sub(n.since) >= noticeFor {
		*n = notice{}
	}
}

// dismiss ends a notice at the next key; but not that of an interrupt, at a second one.
func (n *notice) dismiss(isInterrupt bool) {
	if !n.quitNext || !isInterrupt {
		*n = notice{}
	}
}
