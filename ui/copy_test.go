package ui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"blotter/model"
	"blotter/ui/export"
)

// clipboard is what was sent to the clipboard last.
func (s *screen) clipboard() string {
	s.t.Helper()
	for i := len(s.sent) - 1; i >= 0; i-- {
		if text := fmt.Sprint(s.sent[i]); strings.Contains(text, "\t") {
			return text
		}
	}
	s.t.Fatalf("nothing was copied: %v", s.sent)
	return ""
}

// copied returns the line that was copied last, by the names of its fields.
func (s *screen) copied() map[string]string {
	fields := make(map[string]string)
	for i, value := range strings.Split(strings.TrimSuffix(s.clipboard(), "\n"), "\t") {
		fields[export.ClipboardHeading[i]] = value
	}
	return fields
}

func TestCopyOfARow(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("y")
		s.sees("Sent to the terminal's clipboard: ETH/USDT · desk-1.")
		got := s.copied()
		for field, want := range map[string]string{
			"market": "ETH/USDT", "market id": ethMarket.String(), "party": "desk-1", "party id": desk1.String(), "size": "-10.000",
			"entry price": "3410.10", "≈ mark": "3455.02", "≈ notional": "-34550.2", "uPnL": "-449.20", "uPnL/MM": "-37.4%",
			"rPnL": "1002.10", "loss socialised": "0.00", "asset": "USDT", "status": "POSITION_STATUS_DISTRESSED",
			"updated": "2000-01-01 14:02:05 CET",
		} {
			if got[field] != want {
				t.Errorf("%s is %q, want %q", field, got[field], want)
			}
		}
	})
}

// TestCopyOfAllRows: those of the table, in its order, and no others.
func TestCopyOfAllRows(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("side:long")
		s.press("enter", "Y")
		s.sees("Sent to the terminal's clipboard: 3 rows below a heading.")
		var markets []string
		for _, line := range strings.Split(strings.TrimSuffix(s.clipboard(), "\n"), "\n") {
			markets = append(markets, strings.Split(line, "\t")[0])
		}
		if got := strings.Join(markets, " "); got != "market SOL/USDT LINK/USDT BTC/USDT" {
			t.Errorf("the rows are of %s", got)
		}
	})
}

func TestCopyIsBounded(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		var rows []model.Position
		for i := range 10_005 {
			rows = append(rows, position(desk1, model.MakeID("m"+strconv.Itoa(i)), "1", "1", "1", "1", model.StatusUnspecified, 0))
		}
		s.publish(whole(all, rows...))
		s.press("Y")
		s.sees("Sent to the terminal's clipboard: the first 10,000 rows of 10,005 below a")
		if n := strings.Count(s.clipboard(), "\n"); n != 10_001 {
			t.Errorf("%d rows were copied", n)
		}
	})
}

// TestCopyIsSafe: no text of the service is a command for a shell or a formula for a spreadsheet, and no field has a
// tab or a line end.
func TestCopyIsSafe(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, position(model.MakeID("=cmd\t\x1b[31m\n"), btcMarket, "12,5", "1", "1", "1", 0, 0)))
		s.press("y")
		line := s.clipboard()
		if strings.Count(line, "\t") != len(export.ClipboardHeading)-1 || strings.Count(line, "\n") != 1 || strings.Contains(line, "\x1b") {
			t.Errorf("copied is %q", line)
		}
		for _, text := range []string{"\t'=cmd␉␛[31m␊\t", "\t12,5 raw\t"} {
			if !strings.Contains(line, text) {
				t.Errorf("copied is %q, without %q", line, text)
			}
		}
		quoted := model.MakeID(`"=1+1"`) // a spreadsheet that pastes it reads =1+1
		s.publish(whole(all, position(quoted, btcMarket, "5", "1", "1", "1", 0, 0)))
		s.press("y")
		if line := s.clipboard(); !strings.Contains(line, "\t'\"=1+1\"\t") {
			t.Errorf("copied is %q", line)
		}
	})
}

// TestCopyOfAField: in a detail, the cursor moves over the fields, and one of them is copied.
func TestCopyOfAField(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("enter")
		wantField := func(name string) {
			t.Helper()
			if line := s.cursorLine(); !strings.HasPrefix(line, "▌"+name) {
				t.Errorf("the cursor is at %q, want %s", line, name)
			}
		}
		wantField("status ")
		s.press("down", "down")
		wantField("entry price")
		s.press("y")
		s.sees("Sent to the terminal's clipboard: entry price of ETH/USDT · desk-1.")
		s.sentText("3410.10")
		s.press("J")
		s.sees("─ SOL/USDT · desk-1")
		wantField("entry price")
		s.press("K", "K")
		s.sees("─ ETH/USDT · desk-1", "No more rows.")
		s.press("up", "y")
		s.sentText("-10.000")
		s.press("end")
		wantField("party id")
		s.press("down", "home", "up")
		wantField("status ")
		s.click("rPnL   ")
		s.press("y")
		s.sentText("1002.10")
	})
}

// sentText checks the text that was sent to the clipboard last.
func (s *screen) sentText(want string) {
	s.t.Helper()
	for i := len(s.sent) - 1; i >= 0; i-- {
		if kind := fmt.Sprintf("%T", s.sent[i]); strings.Contains(strings.ToLower(kind), "clipboard") {
			if got := fmt.Sprint(s.sent[i]); got != want {
				s.t.Errorf("copied is %q, want %q", got, want)
			}
			return
		}
	}
	s.t.Errorf("nothing was copied: %v", s.sent)
}
