package ui

import (
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// ownedMessage is a message of a command of the screen, with its owner. A message that comes late is so not taken
// for one of another owner.
type ownedMessage struct {
	owner any
	msg   tea.Msg
}

// screenPackages is the path that the packages of the screen begin with.
var screenPackages = reflect.TypeFor[ownedMessage]().PkgPath()

// withOwner returns a command whose messages, and those of the commands that it returns, have an owner. Messages for
// the program itself, and those that have an owner, stay as they are.
func withOwner(owner any, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = withOwner(owner, batch[i])
			}
		}
		_, isTagged := msg.(ownedMessage)
		if msg == nil || isTagged || !strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), screenPackages) {
			return msg
		}
		return ownedMessage{owner, msg}
	}
}

// withoutOwner returns a message without its owner, and the owner, or nil if it has none.
func withoutOwner(msg tea.Msg) (owner any, untagged tea.Msg) {
	if tagged, ok := msg.(ownedMessage); ok {
		return tagged.owner, tagged.msg
	}
	return nil, msg
}
