package ui

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/format"
	"blotter/ui/store"
)

// Profiles are the profiles of the configuration, which the trader can switch to.
type Profiles struct {
	Names   []string // of all profiles; the empty one is the configuration without a profile
	Present string   // the one that is shown
	// Unavailable is why profiles cannot be switched, in a few words without a full stop; empty if they can.
	Unavailable string
	// Open returns the source of a profile, which has no request yet, and the options of its screen. The state
	// is that of the previous screen. It may block. The screen closes the previous source.
	Open func(name string, state State) (store.Source, Options, error)
}

// switching is the state of the change to another profile.
type switching struct {
	run     int    // counts the profiles that were shown
	opening bool   // a profile is being opened
	closing bool   // the previous source is being closed; the new one gets no request until then
	refused string // the profile that could not be used last
	problem string // and why
}

// openedMsg is a profile that was opened, or why it cannot be used.
type openedMsg struct {
	name    string
	source  store.Source
	options Options
	err     error
}

// sourceClosedMsg comes when the source of the previous profile is closed.
type sourceClosedMsg struct{}

// openProfile opens a profile. The present one continues until it is opened.
func (m *Model) openProfile(name string) tea.Cmd {
	profiles := &m.options.Profiles
	switch {
	case profiles.Unavailable != "":
		m.notify("Profiles cannot be switched: " + profiles.Unavailable + ".")
		return nil
	case m.switching.opening || m.switching.closing:
		m.notify("A profile is being opened already.")
		return nil
	case name == profiles.Present:
		m.notify("This is " + profileTitle(name) + ".")
		return nil
	}
	m.switching.opening = true
	m.notify("Opening " + profileTitle(name) + "...")
	open, state := profiles.Open, m.State()
	return func() tea.Msg {
		source, options, err := open(name, state)
		return openedMsg{name, source, options, err}
	}
}

// handleOpened shows the profile that was opened in place of the present one, which stays where the other cannot be
// used.
func (m *Model) handleOpened(msg openedMsg) tea.Cmd {
	m.switching.opening = false
	if msg.err != nil {
		m.switching.refused, m.switching.problem = msg.name, format.Error(msg.err)
		m.notify("Not " + profileTitle(msg.name) + ": " + m.switching.problem)
		return nil
	}
	before, looks, styles := m.source, m.options.Looks, m.styles
	screen, run := m.layout.Screen, m.switching.run
	m.begin(m.ctx, msg.source, msg.options)
	m.layout.Screen = screen
	if m.options.Looks == looks {
		m.styles = styles
	}
	m.switching = switching{run: run + 1, closing: true}
	m.notify("This is " + profileTitle(msg.name) + ", with " + format.OneLine(m.options.Service) + ".")
	return func() tea.Msg {
		before.Close()
		return sourceClosedMsg{}
	}
}

// handleSourceClosed starts what a screen starts with.
func (m *Model) handleSourceClosed() tea.Cmd {
	m.switching.closing = false
	return m.start()
}

// profileTitle returns a profile as it is written within a sentence.
func profileTitle(name string) string {
	if name == "" {
		return "the configuration without a profile"
	}
	return "profile " + format.OneLine(name)
}

// profilesNote returns why profiles cannot be switched, for the title of their list.
func (m *Model) profilesNote() string {
	p := &m.options.Profiles
	if slices.ContainsFunc(p.Names, func(name string) bool { return name != "" }) {
		return p.Unavailable
	}
	return "none in the configuration"
}

// profileWords returns what enter does with a profile.
func (m *Model) profileWords(name string) string {
	p := &m.options.Profiles
	switch {
	case name == p.Present:
		return fmt.Sprintf("%s is shown", cmp.Or(format.OneLine(name), profileTitle(name)))
	case p.Unavailable != "":
		return "profiles cannot be switched: " + p.Unavailable
	case name == m.switching.refused && m.switching.problem != "":
		return "not used: " + m.switching.problem
	}
	return "enter shows " + profileTitle(name)
}

// ofProfile is a message of a command of this package, or of one below it, with the run that started it: data of one
// profile is never shown under the name of another.
type ofProfile struct {
	run int
	msg tea.Msg
}

// tag tags the messages of a command, if profiles can be switched. Messages for the program itself stay as they are.
func (m *Model) tag(cmd tea.Cmd) tea.Cmd {
	if m.options.Profiles.Open == nil {
		return cmd
	}
	return tagWith(m.switching.run, cmd)
}

func tagWith(run int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = tagWith(run, batch[i])
			}
		}
		if msg == nil || !strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), reflect.TypeFor[ofProfile]().PkgPath()) {
			return msg
		}
		return ofProfile{run, msg}
	}
}

// untag returns a message without its tag, and reports whether it is one of the profile that is shown.
func (m *Model) untag(msg tea.Msg) (tea.Msg, bool) {
	if t, ok := msg.(ofProfile); ok {
		return t.msg, t.run == m.switching.run
	}
	return msg, true
}
