// Package tag marks the messages of commands with their owner, so that a message that comes late is not taken for one
// of another owner.
package tag

import (
	"path"
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// message is a message of a command of the screen, with its owner.
type message struct {
	owner any
	msg   tea.Msg
}

// screenPackages is the path that the packages of the screen begin with.
var screenPackages = path.Dir(reflect.TypeFor[message]().PkgPath())

// Commands returns a command whose messages, and those of the commands that it returns, have an owner. Messages for the
// program itself, and those that have an owner, stay as they are.
func Commands(owner any, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = Commands(owner, batch[i])
			}
		}
		_, isTagged := msg.(message)
		if msg == nil || isTagged || !strings.HasPrefix(reflect.TypeOf(msg).PkgPath(), screenPackages) {
			return msg
		}
		return message{owner, msg}
	}
}

// Remove returns a message without its tag, and the owner; nil if it has none.
func Remove(msg tea.Msg) (owner any, untagged tea.Msg) {
	if tagged, ok := msg.(message); ok {
		return tagged.owner, tagged.msg
	}
	return nil, msg
}
