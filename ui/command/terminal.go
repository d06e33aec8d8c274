package command

import (
	"os"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// terminal is the terminal that the program runs on, if any. The screen resets it when it ends in order. reset is for a
// screen that does not end.
type terminal struct {
	input, output *os.File    // nil where it is no terminal
	modes         *term.State // of the input, before the screen
	hasScreen     atomic.Bool
}

// findTerminal remembers the modes of the terminal, where there is one.
func findTerminal(process *Process) *terminal {
	t := &terminal{input: asTerminal(process.Input), output: asTerminal(process.Output)}
	if t.input != nil {
		t.modes, _ = term.GetState(t.input.Fd())
	}
	return t
}

// asTerminal returns the file where it is a terminal, and nil for everything else.
func asTerminal(file any) *os.File {
	if f, ok := file.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// reset resets the terminal while the screen still runs.
func (t *terminal) reset() {
	if !t.hasScreen.Load() {
		return
	}
	if t.modes != nil {
		_ = term.Restore(t.input.Fd(), t.modes)
	}
	_, _ = t.output.WriteString(resetSequence)
}

// resetSequence resets all that a screen may have set in a terminal. It begins with the end of a sequence that was
// cut short.
const resetSequence = "\x1b\\" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle +
	ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent + ansi.ResetModeUnicodeCore +
	ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
	ansi.ResetModifyOtherKeys + "\x1b[<1u" + // the keyboard protocol of Kitty
	"\x1b[0 q" + ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable
