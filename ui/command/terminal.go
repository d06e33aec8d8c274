package command

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// terminal is the one that the program runs on, if any. Whatever the program ends of, it is given back as it was:
// the screen does so itself where it ends in order, and this is for when it does not.
type terminal struct {
	input, output *os.File    // nil where it is no terminal
	modes         *term.State // of the input, as they were
	taken         atomic.Bool // a screen is on it
	known         atomic.Bool // a screen is on it or was
}

// How long is spent on a terminal that takes no output. Together with patience and farewell it is well below two
// seconds.
const (
	releaseTries = 20
	releasePause = 25 * time.Millisecond
	giveBackFor  = 50 * time.Millisecond
)

// findTerminal notes the modes of the terminal, where there is one.
func findTerminal(process *Process) *terminal {
	t := &terminal{input: asTerminal(process.Input), output: asTerminal(process.Output)}
	if t.input != nil {
		t.modes, _ = term.GetState(t.input.Fd())
	}
	return t
}

// asTerminal is the file where it is a terminal, nil for everything else.
func asTerminal(file any) *os.File {
	if f, ok := file.(*os.File); ok && term.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// take says that a screen is on the terminal from now on.
func (t *terminal) take() {
	t.taken.Store(true)
	t.known.Store(true)
}

// release lets go whatever waits for a terminal that takes no output, because it was stopped or nobody reads it: what
// it has not taken is thrown away, and with it perhaps what the screen said in order to give it back. It returns what
// ended comes to.
func (t *terminal) release(ended <-chan error) error {
	if t.output == nil {
		return context.Canceled
	}
	defer func() { t.taken.Store(t.known.Load()) }()
	for range releaseTries {
		discardOutput(t.output)
		select {
		case err := <-ended:
			return err
		case <-time.After(releasePause):
		}
	}
	return context.Canceled
}

// giveBack puts the terminal in order by force. A terminal that takes no output is given as much of it as there
// is room for once all that waits is thrown away.
func (t *terminal) giveBack() {
	if t.taken.Swap(false) {
		written := make(chan struct{}, releaseTries)
		for try := range releaseTries {
			if try > 0 {
				discardOutput(t.output)
			}
			go func() {
				_, _ = t.output.WriteString(farewell)
				written <- struct{}{}
			}()
			select {
			case <-written:
			case <-time.After(giveBackFor):
				continue
			}
			break
		}
	}
	if t.modes != nil {
		_ = term.Restore(t.input.Fd(), t.modes)
	}
}

// farewell undoes all that a screen may have asked of a terminal. It begins with the end of whatever sequence
// was cut short.
const farewell = "\x1b\\" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle +
	ansi.ResetModeBracketedPaste + ansi.ResetModeFocusEvent + ansi.ResetModeUnicodeCore +
	ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
	ansi.ResetModifyOtherKeys + "\x1b[<1u" + // the latter for what Kitty's protocol keeps of keys
	"\x1b[0 q" + ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable
