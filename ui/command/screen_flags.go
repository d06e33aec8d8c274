package command

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/saved"
	"blotter/ui/theme"
	"blotter/ui/views"
)

// screenFlags are the flags that choose how the screen is drawn, and the view that it begins with.
type screenFlags struct {
	theme               string
	mouse, ascii, plain bool
	view                int
}

func (f *screenFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.theme, "theme", "", "the colours: "+strings.Join(theme.Names(),
		", ")+", or one of the configuration (default auto: dark or light, as the terminal is; in the demo vivid)")
	set.BoolVar(&f.mouse, "mouse", true, "use the mouse: click rows and headings, turn the wheel, drag the split; a drag with shift selects text")
	set.BoolVar(&f.ascii, "ascii", false, "draw with ASCII only (default if the environment names a terminal without Unicode)")
	set.BoolVar(&f.plain, "plain", false, "for screen readers: write lines of words in place of the screen: first the totals and the five worst positions; "+
		"then each position that opens, closes, flips or gets another status, and how far rows can be trusted; and, at most every 15s for each position, "+
		"a change between gain and loss or by five points of uPnL/MM, or by a fifth of uPnL if there is no uPnL/MM (default if $TERM is dumb)")
	set.IntVar(&f.view, "view", 0, "begin with this view, 1 to 9: of the configuration, or saved from the screen")
	_ = command.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(theme.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// check checks the flags, and that there is a terminal for a screen; the error names what to use in place of it.
// It reports whether lines of words are written in place of the screen: with --plain, and by default if TERM is dumb.
func (d *display) check(flags *screenFlags, s *settings, inPlace string) (plain bool, err error) {
	plain = flags.plain
	if !s.isGiven("plain") {
		plain = s.getenv("TERM") == "dumb"
	}
	if !plain && (d.terminal.Input == nil || d.terminal.Output == nil) {
		return false, cli.UsageError("the dashboard needs a terminal; for pipes and scripts use %s", inPlace)
	}
	return plain, nil
}

func (f *screenFlags) checkTheme(file *config.File) error {
	if names := file.Themes().Names(); f.theme != "" && !slices.Contains(names, f.theme) {
		return cli.UsageError("--theme: must be one of %s", strings.Join(names, ", "))
	}
	return nil
}

// appearance returns how the screen is drawn. Flags override the environment, and the environment overrides the file.
func (f *screenFlags) appearance(s *settings, file *config.File, isDemo bool) theme.Appearance {
	appearance := appearanceOf(s.getenv, file, isDemo)
	if f.theme != "" {
		appearance.Theme = f.theme
	}
	if s.isGiven("mouse") {
		appearance.Mouse = f.mouse
	}
	if s.isGiven("ascii") {
		appearance.ASCII = f.ascii
	}
	return appearance
}

// appearanceOf returns how a screen is drawn by the file and the environment of its terminal. The demo has a theme of
// its own if none of them sets one.
func appearanceOf(getenv func(string) string, file *config.File, isDemo bool) theme.Appearance {
	appearance := theme.Appearance{Theme: file.Screen.Theme, Themes: file.Themes(), Mouse: file.Screen.Mouse, ASCII: file.Screen.ASCII}
	switch isSet := isSet(getenv, file); {
	case getenv("NO_COLOR") != "":
		appearance.Theme = theme.Monochrome
	case isDemo && !isSet("screen.theme"):
		appearance.Theme = theme.Vivid
	}
	if !file.IsSet("screen.ascii") {
		appearance.ASCII = lacksUnicode(getenv)
	}
	return appearance
}

// isSet returns whether a key of a screen is set, so that what was remembered does not replace it: by the file, and the
// theme also by the environment of its terminal.
func isSet(getenv func(string) string, file *config.File) func(key string) bool {
	return func(key string) bool {
		return file.IsSet(key) || key == "screen.theme" && getenv("NO_COLOR") != ""
	}
}

// lacksUnicode reports whether the environment names a terminal without Unicode: the console of Linux, whose fonts have
// few of the characters, or an encoding other than UTF-8. Without any of the variables this is not known.
func lacksUnicode(getenv func(string) string) bool {
	if getenv("TERM") == "linux" {
		return true
	}
	if runtime.GOOS == "windows" { // where these variables mean nothing
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(getenv(name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return false
}

// environment is the environment for the library of the screen. NO_COLOR is not in it: the library follows only some of
// its values, and not that a flag overrides it.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "NO_COLOR=") })
}

// beginWithView makes a screen begin with the view of the flag, if there is one.
func (f *screenFlags) beginWithView(o *ui.Options) error {
	isWanted := func(v views.View) bool { return v.Number == f.view }
	if f.view != 0 && !slices.ContainsFunc(slices.Concat(o.Views, o.SavedViews), isWanted) {
		return cli.UsageError("--view: there is no view %d%s", f.view, availableViews(o))
	}
	o.View = f.view
	return nil
}

// availableViews returns the numbers of the views, for an error.
func availableViews(o *ui.Options) string {
	var digits []string
	for _, v := range slices.Concat(o.Views, o.SavedViews) {
		digits = append(digits, strconv.Itoa(v.Number))
	}
	if len(digits) == 0 {
		return ": none is in the configuration, and none was saved"
	}
	slices.Sort(digits)
	return "; there are " + strings.Join(slices.Compact(digits), ", ")
}

// stateFlags choose where the screen remembers columns, order and the like from one run to the next.
type stateFlags struct {
	path string
	none bool
}

func (f *stateFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.path, "state", "", "remember columns, order and the like of each service in this file, also in the demo (default blotter/state.json in $XDG_STATE_HOME, or where this system keeps such files)")
	set.BoolVar(&f.none, "no-state", false, "remember nothing, and begin with the configuration alone")
	_ = command.MarkFlagFilename("state", "json")
}

// file returns the path of the state; empty if nothing is remembered.
func (f *stateFlags) file(getenv func(string) string, demo bool) string {
	switch {
	case f.none:
		return ""
	case f.path != "":
		return f.path
	case demo:
		return ""
	}
	return saved.StatePath(getenv)
}
