package command

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestManPage(t *testing.T) {
	withService(t, func(s *service) {
		page := s.run("man").exits(0).printsErrors("").output
		for _, part := range []string{
			`.TH BLOTTER 1 "" "blotter `, ".SH NAME", ".SH OPTIONS", ".SH COMMANDS", ".SH EXIT STATUS",
			`\-\-base\-url`, `\fBpositions\fP`, `130 interrupted`, "CONFIG_HOME",
		} {
			if !strings.Contains(page, part) {
				t.Errorf("the page does not have %q", part)
			}
		}
		if strings.Contains(page, "%!") || strings.Contains(page, "%%") {
			t.Error("a text was taken for a format")
		}
		s.run("man").prints(page)
	})
}

// TestManPageEscapesSpecialCharacters: dots, backslashes and hyphens are commands of roff, and percent signs are
// formats of its library.
func TestManPageEscapesSpecialCharacters(t *testing.T) {
	command := &cobra.Command{Use: "blotter", Short: `Show 5%d of \ all.`, Long: "--half: 50% of it"}
	page, err := manPage(command)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`Show 5%d of \e all\&.`, `\-\-half: 50% of it`} {
		if !strings.Contains(page, text) {
			t.Errorf("there is no %s in\n%s", text, page)
		}
	}
}

// TestGroffReadsTheManPage without a warning.
func TestGroffReadsTheManPage(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("there is no groff")
	}
	page, err := manPage(newRoot(newProgram(Process{})))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(groff, "-man", "-ww", "-Tascii", "-P-cbou")
	command.Stdin = strings.NewReader(page)
	var warnings strings.Builder
	command.Stderr = &warnings
	text, err := command.Output()
	if err != nil || warnings.Len() > 0 || !strings.Contains(string(text), "COMMANDS") {
		t.Errorf("%v %s\n%s", err, warnings.String(), text)
	}
}
