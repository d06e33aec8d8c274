// Package welcome is the first screen of a run that has no address of a service: a program of Bubble Tea of its own,
// which ends with what was chosen. It opens nothing and sends no request.
package welcome

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// Screen is the screen of a run that has no address of a service: a tea.Model that offers the demo, or an address to be
// typed.
type Screen struct {
	check      func(address string) error
	appearance theme.Appearance
	styles     theme.Styles
	width      int
	height     int
	keyboard   input.Keyboard
	address    input.Line
	demo       bool   // the demo is chosen, not the address
	problem    string // with the address, or with a key
	started    bool
}

// New returns the screen as it is drawn. An address for which check returns an error is not accepted.
func New(appearance *theme.Appearance, check func(address string) error) *Screen {
	s := &Screen{check: check, appearance: *appearance, address: input.New("")}
	s.styles = appearance.Themes.New(appearance.Theme, theme.Terminal{IsDark: true})
	return s
}

// Choice returns what was chosen, the demo or an address; ok is false if the screen was left without a choice.
func (w *Screen) Choice() (address string, demo, ok bool) {
	switch {
	case !w.started:
		return "", false, false
	case w.demo:
		return "", true, true
	}
	return w.typed(), false, true
}

// typed returns the address, without the spaces around it.
func (w *Screen) typed() string { return strings.TrimSpace(w.address.String()) }

// Init requests the background colour of the terminal.
func (w *Screen) Init() tea.Cmd { return tea.RequestBackgroundColor }

// Update handles one message.
func (w *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		w.styles = w.appearance.Themes.New(w.appearance.Theme, theme.Terminal{IsDark: msg.IsDark()})
	case tea.PasteMsg:
		w.demo, w.problem = false, ""
		w.address.Insert(strings.TrimSpace(msg.Content))
	case tea.KeyPressMsg:
		return w, w.press(msg)
	case pane.Said: // why a key does nothing
		w.problem = string(msg)
	}
	return w, nil
}

func (w *Screen) press(key tea.KeyPressMsg) tea.Cmd {
	meant, ok := w.keyboard.Meant(key, true, func(name string) bool { return name == "ctrl+c" || name == "ctrl+z" })
	if !ok {
		return nil
	}
	switch meant.String() {
	case "esc", "alt+esc", "ctrl+c":
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	case "up", "down", "tab", "shift+tab":
		w.demo, w.problem = !w.demo, ""
	case "enter":
		return w.start()
	default:
		w.demo, w.problem = false, ""
		w.address.Press(key)
	}
	return nil
}

// start ends the screen with what is chosen, if that can be started.
func (w *Screen) start() tea.Cmd {
	if !w.demo {
		if w.typed() == "" {
			w.problem = "Type an address, or choose the demo."
			return nil
		}
		if err := w.check(w.typed()); err != nil {
			w.problem = format.OneLine(err.Error())
			return nil
		}
	}
	w.started = true
	return tea.Quit
}

// The texts of the screen.
const (
	addressName  = "Address  "
	demoName     = "Demo     "
	addressHint  = "https://node.example.com"
	demoHint     = "a simulated service in blotter"
	intention    = "Positions and margin levels of a trading data service, live. blotter only reads."
	keysHint     = "up/down choose   enter start   esc quit"
	withoutAsked = "To start without this screen: blotter --base-url ADDRESS, $BLOTTER_BASE_URL, or base_urls under [service] in the " +
		"configuration file. A token comes from $BLOTTER_TOKEN or the configuration file. blotter config init --base-url ADDRESS writes " +
		"a configuration with all that the service has, ready for names."
)

// addressLine is the line of the address, from 0.
const addressLine = 2

// View returns the screen.
func (w *Screen) View() tea.View {
	view := tea.NewView("")
	view.AltScreen = true
	view.WindowTitle = "blotter"
	view.KeyboardEnhancements = input.Enhancements(true)
	s := &w.styles.Block
	from := 1 + len(addressName)
	address, column := w.address.Seen(w.width - from)
	parts := []string{
		s.Brand.Render(" blotter") + "\n",
		w.choice(addressName, address, addressHint, !w.demo),
		w.choice(demoName, "", demoHint, w.demo) + "\n",
	}
	if w.problem != "" {
		parts = append(parts, w.paragraph(s.Warning, w.problem))
	}
	parts = append(parts, s.Accent.Render(" "+keysHint)+"\n", w.paragraph(lipgloss.NewStyle(), intention), w.paragraph(s.Dim, withoutAsked))
	content := ""
	if w.width > 0 && w.height > 0 { // a style takes 0 for no limit
		content = lipgloss.NewStyle().MaxWidth(w.width).MaxHeight(w.height).Render(strings.Join(parts, "\n"))
	}
	if w.appearance.ASCII {
		content = draw.ASCII(content)
	}
	view.SetContent(content)
	if !w.demo && w.width > 0 {
		view.Cursor = tea.NewCursor(min(from+column, w.width-1), addressLine)
		view.Cursor.Shape = tea.CursorBar
	}
	return view
}

// choice draws a line that can be chosen: its name, and what was typed there or else a hint.
func (w *Screen) choice(name, text, hint string, chosen bool) string {
	s := &w.styles.Block
	name = " " + name
	if chosen {
		name = s.Accent.Render("▌") + s.Strong.Render(name[1:])
	}
	if text != "" {
		return draw.Cut(name+text, w.width)
	}
	return name + s.Dim.Render(hint)
}

// paragraph draws a text on the lines that it needs, and an empty line below.
func (w *Screen) paragraph(style lipgloss.Style, text string) string {
	return style.PaddingLeft(1).Render(strings.Join(draw.Wrap(text, max(w.width-2, 1)), "\n")) + "\n"
}
