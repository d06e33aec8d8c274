package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/model/filter"
	"blotter/ui"
	"blotter/ui/command/config"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/topics"
)

// topicTexts returns the templates of the topics by their names.
func topicTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for _, name := range topicNames() {
		text, err := os.ReadFile(filepath.Join("../topics/text", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

func TestHelpListsTheTopics(t *testing.T) {
	withService(t, func(s *service) {
		list := s.run("help").exits(0).printsErrors("").output
		for line := range strings.Lines(list + strings.Join(rareCommands, "\n")) {
			if draw.Width(line) > helpWidth || !strings.Contains(list, strings.TrimSpace(line)) {
				t.Errorf("%q is too long, or not listed", line)
			}
		}
		for _, topic := range topics.All() {
			if !strings.Contains(list, topic.Name) || !strings.Contains(list, topic.Title) {
				t.Errorf("%s is not listed:\n%s", topic.Name, list)
			}
		}
		s.run("help", "filt").exits(2).printsErrors(`blotter: "filt" is not a topic: did you mean "blotter help filters"?` + "\n")
	})
}

// TestTopicsInASCII on a terminal without Unicode: no character is lost.
func TestTopicsInASCII(t *testing.T) {
	withService(t, func(s *service) {
		s.environment["TERM"] = "linux"
		for _, name := range topicNames() {
			output := s.run("help", name).exits(0).output
			if strings.ContainsFunc(output, func(r rune) bool { return r > unicode.MaxASCII }) {
				t.Errorf("%s:\n%s", name, output)
			}
			s.environment["TERM"] = "xterm"
			unicodeOutput := s.run("help", name).exits(0).output
			s.environment["TERM"] = "linux"
			if lost := strings.Count(output, "?") - strings.Count(unicodeOutput, "?"); lost != 0 {
				t.Errorf("%s: %d characters have no replacement", name, lost)
			}
		}
	})
}

// TestTopicsFit: each topic fits 80 columns, and a narrow page of the screen, and is filled.
func TestTopicsFit(t *testing.T) {
	for _, topic := range topics.All() {
		for _, width := range []int{20, 39, helpWidth} {
			lines := topic.Lines(topicFacts(), ui.DefaultKeys(), width)
			for _, line := range lines {
				if draw.Width(line) > width {
					t.Errorf("%s at %d: %q", topic.Name, width, line)
				}
			}
			if text := strings.Join(lines, "\n"); len(lines) < 10 || regexp.MustCompile(`\{[a-z_]+\}`).MatchString(text) || strings.Contains(text, "no value") {
				t.Errorf("%s at %d:\n%s", topic.Name, width, text)
			}
		}
	}
}

// TestTopicsNameWhatExists: keys, flags, commands, settings and topics.
func TestTopicsNameWhatExists(t *testing.T) {
	var actions, settings, flags, commands []string
	for _, a := range ui.DefaultKeys().Settings() {
		actions = append(actions, "{"+a.Name+"}")
	}
	section := ""
	for _, e := range config.Describe() {
		if e.IsHeading {
			section = strings.Trim(e.Name, "[]")
		}
		settings = append(settings, section+"."+e.Name)
	}
	eachCommand(newRoot(newProgram(Process{})), func(command *cobra.Command) {
		command.InitDefaultHelpFlag()
		command.InitDefaultVersionFlag()
		command.Version = "1"
		commands = append(commands, command.CommandPath())
		for flag := range strings.FieldsSeq(command.Flags().FlagUsages()) {
			if strings.HasPrefix(flag, "--") {
				flags = append(flags, strings.TrimRight(flag, ",;"))
			}
		}
	})
	flags = append(flags, "--version")
	check := func(topic, text, pattern string, known []string) {
		for _, name := range regexp.MustCompile(pattern).FindAllString(text, -1) {
			if !slices.Contains(known, strings.Trim(name, " .\n")) {
				t.Errorf("%s names %q", topic, name)
			}
		}
	}
	for name, text := range topicTexts(t) {
		text = regexp.MustCompile(`\{\{.*?\}\}`).ReplaceAllString(text, "")
		check(name, text, `\{[a-z_]+\}`, actions)
		check(name, text, `--[a-z-]+`, flags)
		check(name, text, `(^|\s)(service|screen|feed|watch|alert)\.[a-z_]+`, settings)
		for _, line := range strings.Split(text, "\n") {
			check(name, line, `(^|^    )blotter (positions|margins|events|config [a-z]+|[a-z]+\b)`, append(commands, "blotter COMMAND"))
		}
		for _, topic := range regexp.MustCompile(`blotter help ([a-z]+)`).FindAllStringSubmatch(text, -1) {
			if !isTopic(topic[1:]) {
				t.Errorf("%s names the topic %q", name, topic[1])
			}
		}
	}
}

// TestEveryWordIsDescribed: each word of the program that the screen shows without explaining it is explained in help.
func TestEveryWordIsDescribed(t *testing.T) {
	texts := topicTexts(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range model.Freshnesses() {
		// CONNECTING is explained in the text before the list: there are no rows yet.
		isShown := word != model.FreshConnecting
		if inHelp := strings.Contains(texts["screen"], "\n- "+word.String()+"  "); word.String() == "" || inHelp != isShown {
			t.Errorf("the topic screen explains %q: %t", word, inHelp)
		}
		if inReadme := strings.Contains(string(readme), "| "+word.String()+" | "); inReadme != isShown {
			t.Errorf("README.md explains %q: %t", word, inReadme)
		}
	}
	for status := model.StatusUnspecified; status < 64; status++ {
		isKnown := slices.Contains(model.StatusNames(), status.Name(nil)) && status != model.StatusUnspecified
		if meaning := format.StatusMeaning(status); (meaning != "") != isKnown {
			t.Errorf("the status %s means %q", status.Name(nil), meaning)
		}
	}
	files, err := os.ReadDir("../topics/text")
	if err != nil || len(files) != len(texts) {
		t.Errorf("there are %d files of topics, and %d topics are listed (%v)", len(files), len(texts), err)
	}
}

// TestTopicFilters: the samples of the topic are filters, and every field is in one. The names of numbers are in the
// table of columns.
func TestTopicFilters(t *testing.T) {
	text := topicTexts(t)["filters"]
	list, _, _ := strings.Cut(text, "The fields are")
	for _, line := range regexp.MustCompile(`(?m)^- (.+?)  `).FindAllStringSubmatch(list, -1) {
		if _, err := filter.Parse(line[1]); err != nil {
			t.Errorf("%s: %v", line[1], err)
		}
	}
	isNumber := func(name string) bool {
		for f := range model.FieldCount {
			if f.FilterName() == name {
				return true
			}
		}
		return false
	}
	for _, field := range filter.Fields() {
		if !isNumber(field) && !regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(field)+`[:<>!=]`).MatchString(text) {
			t.Errorf("there is no sample of %s", field)
		}
	}
}

// TestManPagesOfTopics: groff reads each without a warning.
func TestManPagesOfTopics(t *testing.T) {
	groff, err := exec.LookPath("groff")
	for _, name := range topicNames() {
		withService(t, func(s *service) {
			page := s.run("man", name).exits(0).printsErrors("").output
			if !strings.HasPrefix(page, ".TH BLOTTER-"+strings.ToUpper(name)+" 1") || !strings.Contains(page, ".SH NAME") {
				t.Errorf("%s begins with %.80q", name, page)
			}
			if err != nil {
				return
			}
			command := exec.Command(groff, "-man", "-ww", "-Tutf8", "-P-cbou")
			command.Stdin = strings.NewReader(page)
			var warnings strings.Builder
			command.Stderr = &warnings
			text, err := command.Output()
			for warning := range strings.Lines(warnings.String()) {
				if !strings.Contains(warning, "can't break line") { // an identifier is as long as a line
					t.Errorf("%s: %s", name, warning)
				}
			}
			if err != nil || len(text) < 500 {
				t.Errorf("%s: %v\n%s", name, err, text)
			}
		})
	}
	withService(t, func(s *service) {
		s.run("man", "nonsense").exits(2).printsErrors("blotter: man: the topics are " + strings.Join(topicNames(), ", ") + "\n")
	})
}

// TestEveryFileAndCommandIsDescribed: go doc names each file of this package, and a topic each command.
func TestEveryFileAndCommandIsDescribed(t *testing.T) {
	description, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`\w+`).FindAllString(string(description), -1)
	for _, file := range files {
		if name := strings.TrimSuffix(file, ".go"); name != "doc" && !strings.HasSuffix(name, "_test") && !slices.Contains(named, name) {
			t.Errorf("doc.go does not name %s", name)
		}
	}
	for _, command := range newRoot(newProgram(Process{})).Commands() {
		name := command.Name()
		inTopic := regexp.MustCompile(`\{\{command ` + name + `\}\}|blotter ` + name + `\b`)
		if !slices.Contains(named, name) || !slices.ContainsFunc(topics.All(), func(of topics.Topic) bool { return inTopic.MatchString(topicTexts(t)[of.Name]) }) {
			t.Errorf("doc.go or the topics do not name blotter %s", name)
		}
	}
}
