// Package uitest runs commands of Bubble Tea in the tests of the screen.
package uitest

import tea "charm.land/bubbletea/v2"

// Run runs a command in a goroutine of its own, and so each of those that it consists of. Their messages are sent to
// the channel. A nil command does nothing.
func Run(cmd tea.Cmd, messages chan<- tea.Msg) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, each := range msg {
				Run(each, messages)
			}
		default:
			messages <- msg
		}
	}()
}
