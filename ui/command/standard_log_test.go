package command

import (
	"bytes"
	"io"
	"log"
	"log/slog"
	"strings"
	"testing"

	"blotter/feed"
)

// TestStandardLoggerWritesToTheLogAlone: net/http writes there what it cannot return as an error, also a token.
func TestStandardLoggerWritesToTheLogAlone(t *testing.T) {
	var screen, file bytes.Buffer
	log.SetOutput(&screen)
	defer log.SetOutput(io.Discard)
	c := &configuration{feed: feed.Config{Logger: slog.New(slog.NewTextHandler(&file, nil))}}
	c.captureStandardLog()
	c.feed.Secrets.Add("a-token-of-the-desk")
	log.Print("Unsolicited response: a-token-of-the-desk \x1b[2J")
	if screen.Len() > 0 {
		t.Errorf("the screen has %q", screen.String())
	}
	if text := file.String(); !strings.Contains(text, "Unsolicited response: [token]") || strings.Contains(text, "\x1b") {
		t.Errorf("the log has %q", text)
	}
	c.close()
	log.Print("later")
	if screen.Len() > 0 || strings.Contains(file.String(), "later") {
		t.Error("after the end it still writes")
	}
}
