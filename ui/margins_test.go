package ui

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// pagedSource responds with pages of one record each, the first of which are the desk's.
func pagedSource(s *screen) {
	records := deskRecords()
	s.source.respond = func(ctx context.Context, request model.PageRequest) (*model.Page, error) {
		if len(request.Scope.Markets) == 1 {
			return deskPage(request), nil // about the selected row
		}
		at := 0
		switch request.Turn {
		case model.NextPage:
			at = int(request.From.Places[0].End[0]-'a') + 1
		case model.PreviousPage:
			at = int(request.From.Places[0].Start[0]-'a') - 1
		case model.LastPage:
			at = len(records) - 1
		}
		cursor := string(rune('a' + at))
		return &model.Page{
			Rows: records[at : at+1], HasNext: at+1 < len(records), HasPrevious: at > 0,
			Places: []model.Place{{Start: cursor, End: cursor}}, ReadAt: time.Now(),
		}, nil
	}
}

// marginsScreen shows the margin table on a screen of its own.
func marginsScreen(t *testing.T, test func(s *screen)) {
	t.Helper()
	deskScreen(t, func(s *screen) {
		pagedSource(s)
		s.press("tab", "z", "g")
		test(s)
	})
}

// pagesRequested is how many pages were requested, without those about a single row.
func (s *screen) pagesRequested() int {
	n := 0
	for _, request := range s.source.requests {
		if len(request.Scope.Markets) == 0 {
			n++
		}
	}
	return n
}

func TestPaging(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		s.wantMarkets("ETH")
		before := s.pagesRequested()
		_, more := s.m.Update(keyNamed("right")) // requested ahead: it is there without another request
		s.wantMarkets("BTC")
		s.sees("page 2")
		if s.pagesRequested() != before {
			t.Error("a page that was there was requested")
		}
		s.start(more)
		s.drain()
		s.press("right", "right")
		s.wantMarkets("SOL")
		s.sees("page 4")
		s.press("right")
		s.sees("Last page.")
		s.press("left", "left")
		s.wantMarkets("BTC")
		s.sees("page 2")
		s.press("G")
		s.wantMarkets("SOL")
		s.sees("last page")
		s.press("left")
		s.wantMarkets("LINK")
		s.sees("page 2 from the end")
		s.press("g")
		s.wantMarkets("ETH")
		s.press("o")
		s.sees("oldest first · page 1")
		if last := s.source.requests[len(s.source.requests)-2]; last.NewestFirst || last.Turn != model.FirstPage {
			t.Errorf("requested %+v", last)
		}
		resize := func(to string) {
			s.palette(to + " pages")
			s.press("enter")
		}
		resize("larger")
		s.sees("Pages of 100 records.")
		resize("smaller")
		resize("smaller")
		s.sees("Pages of 20 records.")
		resize("smaller")
		resize("smaller")
		s.sees("Pages of 10 records are the smallest.")
	})
}

// TestPagingBackWithoutCursors: if the service has cursors only for the ends of pages, a page that was shown is
// requested in the same way.
func TestPagingBackWithoutCursors(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		page := s.source.respond
		s.source.respond = func(ctx context.Context, request model.PageRequest) (*model.Page, error) {
			answer, err := page(ctx, request)
			for i := range answer.Places {
				answer.Places[i].Start = ""
			}
			answer.CutOffPrevious, answer.HasPrevious = answer.HasPrevious, false
			return answer, err
		}
		s.press("g", "right", "right", "right")
		s.wantMarkets("SOL")
		s.sees("page 4", "← previous")
		s.press("r", "left")
		s.wantMarkets("LINK")
		s.press("left")
		s.wantMarkets("BTC")
		s.sees("page 2", "← previous")
		s.press("right")
		s.wantMarkets("LINK")
		s.press("left", "left")
		s.wantMarkets("ETH")
		s.sees("page 1")
		s.press("left")
		s.sees("First page.")
		s.press("G")
		s.wantMarkets("SOL")
		s.seesNot("on this page   ← previous")
		s.press("left")
		s.sees("There is more, but the service sends no cursor. home first, end last page.")
		s.press("g")
		s.wantMarkets("ETH")
	})
}

// TestAListThatIsCutOffIsNotWhole: there are more records, and no cursor to them.
func TestAListThatIsCutOffIsNotWhole(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("r")
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
			page := deskPage(request)
			page.CutOffNext = true
			return page, nil
		}
		s.press("r", "tab", "right")
		s.seesNot("Last page.")
		s.sees("There is more, but the service sends no cursor.")
	})
}

func TestTheFirstPageStaysFresh(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		s.pass(13 * time.Second)
		s.sees("checked 3s ago")
		s.press("right")
		before := s.pagesRequested()
		s.pass(30 * time.Second)
		s.sees("page 2", "r reads it again")
		if n := s.pagesRequested(); n > before+1 { // one ahead
			t.Errorf("%d pages were requested while page 2 stayed", n-before)
		}
		s.press("r")
		s.sees("checked 0s ago, r reads it again")
		s.wantMarkets("BTC")
	})
}

func TestTheFirstRecordStaysOnTheScreenUntilTheCursorIsMoved(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		var requests atomic.Int64 // by the walk too, at the same time
		s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
			turned := int(requests.Add(1))
			page := &model.Page{ReadAt: time.Now()}
			for i := range 30 { // the record that is newest now is the oldest soon
				party := model.MakeID(string(rune('A' + (i+turned)%30)))
				page.Rows = append(page.Rows, record(party, ethMarket, i, 1, 2, 3, 4))
			}
			return page, nil
		}
		s.publish(whole(all, deskRows()...))
		s.pass(30 * time.Second)
		s.sees("rows 1–6 of 30")
		s.press("tab", "down", "down") // from now on the cursor stays on its record
		at := strings.Fields(s.cursorLine())[1]
		s.pass(20 * time.Second)
		if now := strings.Fields(s.cursorLine())[1]; now != at {
			t.Errorf("the cursor was on %s and is on %s", at, now)
		}
	})
}

func TestPageProblems(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		page := s.source.respond
		s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
			return nil, errors.New("the service responded with 500: \x1b[31mboom\nbang")
		}
		s.press("G")
		s.sees("Refresh failed: the service responded with 500: ␛[31mboom bang")
		s.wantMarkets("ETH")
		s.source.respond = page
		s.pass(20 * time.Second)
		s.seesNot("boom")

		s.source.respond = func(ctx context.Context, r model.PageRequest) (*model.Page, error) {
			first, _ := page(ctx, model.PageRequest{})
			first.Restarted = true
			return first, nil
		}
		s.press("G")
		s.sees("the first page is shown again", "page 1")
	})
}

// postponed is the error of a source that sends no request before a time.
type postponed struct{ until time.Time }

func (p postponed) Error() string      { return "no connection; next try in a while" }
func (p postponed) Known() string      { return "no connection" }
func (p postponed) NextTry() time.Time { return p.until }

// TestAPostponedPage is requested when it can be, and the time until then is shown.
func TestAPostponedPage(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		page := s.source.respond
		again := time.Now().Add(12 * time.Second)
		s.source.respond = func(ctx context.Context, request model.PageRequest) (*model.Page, error) {
			if time.Now().Before(again) {
				return nil, postponed{again}
			}
			return page(ctx, request)
		}
		s.press("G")
		s.sees("Refresh failed: no connection; next try in 12s")
		before := s.pagesRequested()
		s.pass(7 * time.Second)
		s.sees("Refresh failed: no connection; next try in 5s")
		s.send(tea.WindowSizeMsg{Width: 40, Height: 10})
		s.sees("Refresh failed: no…; next try in 5s")
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if got := s.pagesRequested(); got != before {
			t.Errorf("it was requested %d times meanwhile", got-before)
		}
		s.wantMarkets("ETH")
		s.pass(6 * time.Second)
		s.wantMarkets("SOL")
		s.sees("last page")
		s.seesNot("no connection")
	})
}

// TestAProblemOfTheFirstPageIsWrapped: there is room below it.
func TestAProblemOfTheFirstPageIsWrapped(t *testing.T) {
	onScreen(t, 40, 12, watchAll, func(s *screen) {
		s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
			return nil, errors.New("the service has ended the connection in the middle of a page")
		}
		s.publish(whole(all, deskRows()...))
		s.press("P", "tab") // another scope: no page of it was read
		s.pass(2 * time.Second)
		s.sees(" the service has ended the connection\n", " in the middle of a page")
	})
}

// TestAPostponedPageIsRequestedNowAndThen: not without a pause, however soon it can be requested, and at least three
// times a minute, however late.
func TestAPostponedPageIsRequestedNowAndThen(t *testing.T) {
	for _, c := range []struct {
		wait        time.Duration
		least, most int // how often it is requested in a minute
	}{{-time.Second, 10, 61}, {0, 10, 61}, {time.Hour, 3, 5}} {
		marginsScreen(t, func(s *screen) {
			s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
				return nil, postponed{time.Now().Add(c.wait)}
			}
			s.press("G")
			before := s.pagesRequested()
			s.pass(time.Minute)
			if got := s.pagesRequested() - before; got < c.least || got > c.most {
				t.Errorf("where it can be requested in %s, it is requested %d times in a minute", c.wait, got)
			}
		})
	}
}

// TestTurningDuringARefresh: the response to the refresh does not turn the page back.
func TestTurningDuringARefresh(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		page := s.source.respond
		s.source.respond = func(ctx context.Context, request model.PageRequest) (*model.Page, error) {
			time.Sleep(time.Second)
			return page(ctx, request)
		}
		s.pass(5500 * time.Millisecond)
		s.press("right")
		s.wantMarkets("BTC")
		s.pass(2 * time.Second)
		s.wantMarkets("BTC")
		s.sees("page 2")
	})
}

func TestANewerRequestCancelsTheOlder(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		page := s.source.respond
		cancelled := 0
		s.source.respond = func(ctx context.Context, r model.PageRequest) (*model.Page, error) {
			if r.Turn != model.LastPage {
				return page(ctx, r)
			}
			<-ctx.Done()
			cancelled++
			return page(context.Background(), r) // late, and not wanted
		}
		s.press("G")
		last := s.source.respond
		s.source.respond = func(ctx context.Context, r model.PageRequest) (*model.Page, error) {
			time.Sleep(time.Second)
			return last(ctx, r)
		}
		s.press("g")
		s.wantMarkets("ETH")
		s.pass(2 * time.Second)
		s.wantMarkets("ETH")
		s.sees("page 1")
		if cancelled != 1 {
			t.Errorf("%d requests were cancelled", cancelled)
		}
	})
}

func TestMarginsFollowTheScope(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("tab", "z")
		s.wantMarkets("ETH", "BTC", "LINK", "SOL")
		s.press("p")
		s.write("desk-2")
		_, request := s.m.Update(keyNamed("enter"))
		s.wantMarkets()
		s.start(request)
		s.drain()
		s.wantMarkets("BTC")
	})
}

func TestThePositionOfARecord(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("tab", "down", "down", "enter")
		if line := s.cursorLine(); !strings.Contains(line, "LINK/USDT") {
			t.Errorf("the cursor is on %q", line)
		}
		s.press("/")
		s.write("upnl<0")                // which hides no record
		s.press("enter", "tab", "enter") // the cursor is still on that record
		s.sees("Its position is hidden")
	})
}

// TestTheRecordOfTheSelectedRowIsMarked in the margin levels, if its page has it.
func TestTheRecordOfTheSelectedRowIsMarked(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.sees("\n▸ETH/USDT     desk-1       USDT ")
		s.press("down")
		s.sees("\n▸SOL/USDT     desk-1       USDT ")
		s.press("down") // it has no record
		s.seesNot("\n▸")
	})
}

// TestTheMarginTableIsReadOnBehindAPage, and what was read more than two intervals ago is dim.
func TestTheMarginTableIsReadOnBehindAPage(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(8 * time.Second)
		s.press("h")
		s.pass(40 * time.Second)
		s.press("esc")
		if line := s.lines()[s.lineOf("─ Margin levels")]; !strings.Contains(line, "checked 0s ago") && !strings.Contains(line, "checked 1s ago") &&
			!strings.Contains(line, "checked 2s ago") && !strings.Contains(line, "checked 3s ago") && !strings.Contains(line, "checked 4s ago") {
			t.Errorf("behind the page it was not read: %s", line)
		}
		if s.dimLine("USDT        4,024.87") {
			t.Error("a record that was just read is dim")
		}
	})
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(8 * time.Second)
		s.press("tab")
		s.pass(2 * time.Second)
		if s.dimLine("4,024.87") {
			t.Errorf("a record that was just read is dim:\n%s", s.text())
		}
		s.press("f") // nothing is read
		s.pass(12 * time.Second)
		if !s.dimLine("4,024.87") {
			t.Errorf("an old record is not dim:\n%s", s.text())
		}
	})
}

// lineOf returns the number of the first line with a text.
func (s *screen) lineOf(text string) int {
	_, y := s.cell(text)
	return y
}

// TestABiggerScreenShowsNotLess: what the smaller screens show of the selected row is on the larger ones too.
func TestABiggerScreenShowsNotLess(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}, {160, 50}, {180, 50}, {200, 60}} {
		onScreen(t, size[0], size[1], watchAll, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.pass(2 * time.Second)
			s.sees("1,200.00", "1,320.00", "1,440.00", "1,680.00", "3,455.02", "→ -50%", "→ -100%")
			if size[0] >= 120 { // else there is no room for it
				s.sees("-34,550.2", "no change")
			}
		})
	}
}

// TestANarrowMarginTableSaysItsPage and keeps its keys whole.
func TestANarrowMarginTableSaysItsPage(t *testing.T) {
	marginsScreen(t, func(s *screen) {
		s.send(tea.WindowSizeMsg{Width: 40, Height: 10})
		s.press("right")
		s.sees("─ margins · newest first · page 2 ─", " rows 1–1 of 1 on this page   ← previous\n")
		s.press("G")
		s.press("left")
		s.sees("─ newest first · page 2 from the end ─")
	})
}

// TestTheModeOfMarginsIsNotCut: its column is there if there is room for the whole word.
func TestTheModeOfMarginsIsNotCut(t *testing.T) {
	for _, c := range []struct {
		width int
		has   bool
	}{{80, false}, {100, true}} {
		onScreen(t, c.width, 24, watchAll, func(s *screen) {
			s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
				wide := record(desk1, ethMarket, 4, 12799880, 14504700, 14504800, 14504898)
				wide.MarginTexts[model.MarginMode] = "MARGIN_MODE_ISOLATED_MARGIN"
				return &model.Page{Rows: []model.MarginLevels{wide}, ReadAt: time.Now()}, nil
			}
			s.publish(whole(all, deskRows()...))
			s.pass(8 * time.Second)
			s.press("tab")
			if s.sees("145,048.98"); strings.Contains(s.text(), " isolated\n") != c.has || strings.Contains(s.text(), "i…") {
				t.Errorf("at %d cells:\n%s", c.width, s.text())
			}
		})
	}
}
