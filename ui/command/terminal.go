package command

import (
	"os"

	"github.com/charmbracelet/x/term"
)

// asTerminal is the file where it is a terminal, nil for everything else.
func asTerminal(file any) *os.File {
	if f, ok := file.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// keepTerminal notes the modes of the terminal and returns what puts them back, should the screen not come to it.
func keepTerminal(file any) (restore func()) {
	f := asTerminal(file)
	if f == nil {
		return func() {}
	}
	state, err := term.GetState(f.Fd())
	if err != nil {
		return func() {}
	}
	return func() { _ = term.Restore(f.Fd(), state) }
}
