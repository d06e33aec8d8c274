package command

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"blotter/ui/command/config"
	"blotter/ui/theme"
)

// TestAppearance: flags override the environment, and the environment overrides the file.
func TestAppearance(t *testing.T) {
	type surroundings map[string]string
	for name, test := range map[string]struct {
		file        string
		environment surroundings
		flags       []string
		want        theme.Appearance
	}{
		"nothing":                     {want: theme.Appearance{Theme: theme.Auto, Mouse: true}},
		"the file":                    {file: "theme = 'red-up'\nmouse = true\nascii = true", want: theme.Appearance{Theme: theme.RedUp, Mouse: true, ASCII: true}},
		"NO_COLOR":                    {"theme = 'dark'", surroundings{"NO_COLOR": "yes"}, nil, theme.Appearance{Theme: theme.Monochrome, Mouse: true}},
		"an empty NO_COLOR":           {"theme = 'dark'", surroundings{"NO_COLOR": ""}, nil, theme.Appearance{Theme: theme.Dark, Mouse: true}},
		"a flag against NO_COLOR":     {"", surroundings{"NO_COLOR": "1"}, []string{"--theme=blue-orange"}, theme.Appearance{Theme: theme.BlueOrange, Mouse: true}},
		"flags against the file":      {"theme = 'dark'\nmouse = true\nascii = true", nil, []string{"--theme=light", "--mouse=false", "--ascii=false"}, theme.Appearance{Theme: theme.Light}},
		"flags":                       {flags: []string{"--mouse", "--ascii"}, want: theme.Appearance{Theme: theme.Auto, Mouse: true, ASCII: true}},
		"UTF-8":                       {environment: surroundings{"LANG": "de_CH.utf8"}, want: theme.Appearance{Theme: theme.Auto, Mouse: true}},
		"another encoding":            {environment: surroundings{"LANG": "de_CH.ISO-8859-1"}, want: theme.Appearance{Theme: theme.Auto, Mouse: true, ASCII: true}},
		"LC_ALL before LANG":          {environment: surroundings{"LC_ALL": "C", "LANG": "C.UTF-8"}, want: theme.Appearance{Theme: theme.Auto, Mouse: true, ASCII: true}},
		"the file against the locale": {"ascii = false", surroundings{"LC_ALL": "C"}, nil, theme.Appearance{Theme: theme.Auto, Mouse: true}},
		"the console of Linux":        {environment: surroundings{"TERM": "linux", "LANG": "C.UTF-8"}, want: theme.Appearance{Theme: theme.Auto, Mouse: true, ASCII: true}},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := config.Parse("a.toml", []byte("[screen]\n"+test.file))
			if err != nil {
				t.Fatal(err)
			}
			var flags screenFlags
			command := new(cobra.Command)
			flags.register(command)
			if err := command.ParseFlags(test.flags); err != nil {
				t.Fatal(err)
			}
			p := newProgram(Process{Getenv: func(name string) string { return test.environment[name] }})
			p.given = command.Flags()
			if got := flags.appearance(p.settings, file, false); got != test.want {
				t.Errorf("%+v, want %+v", got, test.want)
			}
			if test.want.Theme == theme.Auto {
				test.want.Theme = theme.Vivid
			}
			if got := flags.appearance(p.settings, file, true); got != test.want {
				t.Errorf("in the demo %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestErrorOfAnUnknownTheme(t *testing.T) {
	err := (&screenFlags{theme: "pink"}).checkTheme(config.Default())
	if err == nil || err.Error() != "--theme: must be one of "+strings.Join(theme.Names(), ", ") {
		t.Error(err)
	}
}
