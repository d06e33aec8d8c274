package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"blotter/ui/theme"
)

// themeSection is the section of the themes that the configuration adds.
const themeSection = "theme"

// maxThemes is how many themes the configuration can add.
const maxThemes = 50

func themeKeys(t *theme.Own) keys {
	colourKey := func(name string, to *string, sample, help string) key {
		return key{name: name, kind: colour(to), sample: sample, help: help}
	}
	return keys{
		{name: "name", kind: text(&t.Name, "a text that is not empty"), sample: `"desk"`,
			help: "Its name, for theme under [screen], --theme and the " +
				"screen: letters, digits, - and _."},
		colourKey("accent", &t.Accent, `"#7dcfff"`, "Titles and keys."),
		colourKey("quiet", &t.Quiet, `"248"`, "Less important numbers."),
		colourKey("gain", &t.Gain, `"#9ece6a"`, "Gains."),
		colourKey("loss", &t.Loss, `"#f7768e"`, "Losses."),
		colourKey("live", &t.Live, `"#9ece6a"`, "Rows that can be trusted."),
		colourKey("warning", &t.Warning, `"227"`, "A state that needs attention."),
		colourKey("alarm", &t.Alarm, `"#ff5555"`, "A state that needs action."),
		colourKey("cursor", &t.Cursor, `"#283457"`, "The background of the row under the cursor."),
		colourKey("dim", &t.Dim, `"#9aa3c7"`, "Headings, rules and hints."),
		colourKey("up", &t.Up, `"22"`, "The background of a gain in the matrix and in the table of what if. A terminal of 16 colours has none of these backgrounds."),
		colourKey("heat_25", &t.Heat25, `"52"`, "The background of a loss there."),
		colourKey("heat_50", &t.Heat50, `"88"`, "The background of a larger loss there, and of a uPnL/MM below -50%."),
		colourKey("heat_75", &t.Heat75, `"124"`, "The background of the largest losses there, of a uPnL/MM below -75%, and of DISTRESSED. Below -100% the colours of a loss are reversed."),
		colourKey("on_colour", &t.OnColour, `"255"`, "Texts on these backgrounds."),
	}
}

// colour is a colour of a theme; empty for that of the default theme.
func colour(to *string) kind {
	return kindOf(to, "", "a colour", `"#rrggbb", or "0" to "255"`, func(value any) (string, bool) {
		s, _ := value.(string)
		_, ok := theme.ParseColour(s)
		return s, ok
	})
}

// Themes returns the themes that can be chosen; nil for those of the program only.
func (f *File) Themes() *theme.Set {
	if len(f.ownThemes) == 0 {
		return nil
	}
	return theme.NewSet(f.ownThemes)
}

func (f *File) checkThemes() error {
	if len(f.ownThemes) > maxThemes {
		return f.Wrap(themeSection, fmt.Errorf("must be at most %d sections", maxThemes))
	}
	taken := make(map[string]string)
	for i := range f.ownThemes {
		name, section := f.ownThemes[i].Name, fmt.Sprintf("%s[%d]", themeSection, i)
		key := section + ".name"
		switch other, isTaken := taken[name]; {
		case name == "":
			return f.Wrap(section, errors.New("must have a name"))
		case !profileName.MatchString(name) || len(name) > theme.MaxName:
			return f.Wrap(key, fmt.Errorf("must be of letters, digits, - and _, at most %d", theme.MaxName))
		case slices.Contains(theme.Names(), name):
			return f.Wrap(key, errors.New("is the name of a theme of the program"))
		case isTaken:
			return f.sameAs(key, other, "")
		}
		taken[name] = key
	}
	return nil
}

// checkScreen checks that there is the theme of the screen.
func (f *File) checkScreen() error {
	if names := f.Themes().Names(); !slices.Contains(names, cmp.Or(f.Screen.Theme, theme.Auto)) {
		return f.Wrap("screen.theme", errors.New("must be one of "+strings.Join(names, ", ")))
	}
	return nil
}
