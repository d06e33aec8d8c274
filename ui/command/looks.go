package command

import (
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/ui"
	"blotter/ui/command/config"
	"blotter/ui/command/exit"
	"blotter/ui/theme"
)

// looksFlags are how the screen is drawn, in place of the values of the configuration.
type looksFlags struct {
	theme        string
	mouse, ascii bool
	plain        bool
	set          *pflag.FlagSet
}

func (f *looksFlags) register(command *cobra.Command) {
	f.set = command.Flags()
	f.set.StringVar(&f.theme, "theme", "", "the colours: "+strings.Join(theme.Names(), ", ")+" (default auto: dark or light, as the terminal is)")
	f.set.BoolVar(&f.mouse, "mouse", false, "use the mouse: click rows and headings, turn the wheel, drag the split")
	f.set.BoolVar(&f.ascii, "ascii", false, "draw with ASCII only (default where the environment names a terminal without Unicode)")
	f.set.BoolVar(&f.plain, "plain", false, "for screen readers: write what changes in lines of words, and nothing else (default where $TERM is dumb)")
	_ = command.RegisterFlagCompletionFunc("theme", cobra.FixedCompletions(theme.Names(), cobra.ShellCompDirectiveNoFileComp))
}

// check refuses a theme that does not exist.
func (f *looksFlags) check() error {
	if f.theme != "" && !slices.Contains(theme.Names(), f.theme) {
		return exit.Usage("--theme: must be one of %s", strings.Join(theme.Names(), ", "))
	}
	return nil
}

// looks returns how the screen is drawn. Flags override the environment, and the environment overrides the file.
func (p *program) looks(flags *looksFlags, screen *config.Screen, isSet func(key string) bool) ui.Looks {
	looks := ui.Looks{Theme: screen.Theme, Mouse: screen.Mouse, ASCII: screen.ASCII}
	if p.Getenv("NO_COLOR") != "" {
		looks.Theme = theme.Monochrome
	}
	if flags.theme != "" {
		looks.Theme = flags.theme
	}
	if flags.set.Changed("mouse") {
		looks.Mouse = flags.mouse
	}
	switch {
	case flags.set.Changed("ascii"):
		looks.ASCII = flags.ascii
	case !isSet("screen.ascii"):
		looks.ASCII = p.lacksUnicode()
	}
	return looks
}

// lacksUnicode reports whether the environment names a terminal without Unicode: the console of Linux, whose fonts have
// few of the characters, or an encoding other than UTF-8. Without any of the variables this is not known.
func (p *program) lacksUnicode() bool {
	if p.Getenv("TERM") == "linux" {
		return true
	}
	if runtime.GOOS == "windows" { // where these variables mean nothing
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToUpper(p.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return false
}

// environment is the environment for the library of the screen. NO_COLOR is not in it: the library honours only some of
// its values, and not that a flag overrides it.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "NO_COLOR=") })
}
