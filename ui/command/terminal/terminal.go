// Package terminal is the terminal that the program runs on: what the screen reads from it, and how it is reset.
package terminal

import (
	"os"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Terminal is the terminal that the program runs on, if any. The screen resets it when it ends in order. Reset is for a
// screen that does not end.
type Terminal struct {
	Input, Output *os.File    // nil if it is no terminal
	HasScreen     atomic.Bool // the screen uses it now
	modes         *term.State // of the input, before the screen
}

// Find returns the terminal that input and output are, if they are one, and remembers its modes.
func Find(input, output any) *Terminal {
	t := &Terminal{Input: asTerminal(input), Output: asTerminal(output)}
	if t.Input != nil {
		t.modes, _ = term.GetState(t.Input.Fd())
	}
	return t
}

// asTerminal returns the file if it is a terminal, and nil for everything else.
func asTerminal(file any) *os.File {
	if f, ok := file.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// Reset resets the terminal while the screen still runs.
func (t *Terminal) Reset() {
	if !t.HasScreen.Load() {
		return
	}
	if t.modes != nil {
		_ = term.Restore(t.Input.Fd(), t.modes)
	}
	_, _ = t.Output.WriteString(ResetSequence)
}

// ResetSequence resets all that a screen may have set in a terminal. It begins with the end of a sequence that was
// cut short.
const ResetSequence = "\x1b\\" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle +
	ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent + ansi.ResetModeUnicodeCore +
	ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
	ansi.ResetModifyOtherKeys + "\x1b[<1u" + // the keyboard protocol of Kitty
	"\x1b[0 q" + ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable
