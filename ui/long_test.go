package ui

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
	"blotter/model/view"
)

// longNumber is a loss of the given number of digits.
func longNumber(digits int) model.Amount { return model.ParseAmount("-" + strings.Repeat("9", digits)) }

// TestLongNumbersAreNeverCut looks for a digit with a mark of a cut behind it, wherever numbers stand.
func TestLongNumbersAreNeverCut(t *testing.T) {
	cut := regexp.MustCompile(`[0-9.,]…`)
	step := 7
	if modeltest.IsThorough {
		step = 3
	}
	for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, size[0], size[1], watchAll, func(s *screen) {
			for digits := 20; digits < 80; digits += step {
				number := longNumber(digits)
				s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
					page := deskPage(request)
					for i := range page.Rows {
						page.Rows[i].Maintenance, page.Rows[i].Initial = number, number
					}
					return page, nil
				}
				rows := deskRows()
				rows[0].SetNumber(model.UnrealisedPnl, number)
				s.publish(whole(all, rows...))
				for _, key := range []string{"esc", "tab", "esc", "enter"} {
					s.pass(6 * time.Second) // for the margin levels
					if found := cut.FindString(strings.ReplaceAll(s.text(), "a3f9…81c2", "")); found != "" {
						t.Errorf("at %v a number of %d digits is cut:\n%s", size, digits, s.text())
					}
					s.press(key)
				}
			}
		})
	}
}

func TestTheDetailBesideHasEveryDigit(t *testing.T) {
	onScreen(t, 200, 60, watchAll, func(s *screen) {
		rows := deskRows()
		rows[0].SetNumber(model.UnrealisedPnl, longNumber(60))
		s.publish(whole(all, rows...))
		beside := ""
		for _, line := range s.lines() {
			if _, detail, ok := strings.Cut(line, "│"); ok {
				beside += strings.TrimSpace(detail)
			}
		}
		if want := longNumber(60).Scaled(2, true); !strings.Contains(beside, want) {
			t.Errorf("%s is not whole:\n%s", want, s.text())
		}
	})
}

func TestLongLevelsHaveLinesOfTheirOwn(t *testing.T) {
	deskScreen(t, func(s *screen) {
		long := model.ParseAmount(strings.Repeat("9", 45))
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
			page := deskPage(request)
			page.Rows[0].Maintenance, page.Rows[0].Search = long, long
			return page, nil
		}
		s.pass(6 * time.Second)
		s.sees("\n M "+long.Scaled(2, false), "\n S "+long.Scaled(2, false), "\n I 1,440.00", "\n R 1,680.00")
	})
}

// TestWhatIsTooLongIsCutBeforeItIsFormatted: a service may send numbers, names and statuses of a million characters. To
// format them for each frame would stop the screen.
func TestWhatIsTooLongIsCutBeforeItIsFormatted(t *testing.T) {
	const enough = 1 << 10 // bytes
	for _, text := range []string{strings.Repeat("9", 1_000_000), "-" + strings.Repeat("9", 999_999), strings.Repeat("世", 333_333) + "x"} {
		onScreen(t, 80, 24, watchAll, func(s *screen) {
			id := model.MakeID(text)
			p := position(id, id, text, text, text, text, 0, 0)
			p.SetNumber(model.UpdatedAt, model.ParseAmount(text))
			p.SetStatus([]byte("S" + text))
			s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
				r := record(id, id, 1, 1, 2, 3, 4)
				r.Asset, r.Maintenance, r.Timestamp = id, model.ParseAmount(text), model.ParseAmount(text)
				return &model.Page{Rows: []model.MarginLevels{r}, ReadAt: time.Now()}, nil
			}
			s.publish(whole(all, p))
			s.pass(time.Second)
			row, _ := s.m.store.View().At(0)
			detail := s.m.detail.Of(s.m.context(), &row)
			facts, others := detail.Facts()
			for _, f := range slices.Concat(facts, others, detail.SentFacts()) {
				if len(f.Value)+len(f.Note) > 4*enough {
					t.Errorf("%s is %d bytes on the screen", f.Name, len(f.Value)+len(f.Note))
				}
			}
			for i, c := range s.m.positions.Cells(s.m.context(), &row, view.Columns(), s.m.store.Now()) {
				if len(c.Text) > enough {
					t.Errorf("the cell of %s is %d bytes", view.Column(i).Key(), len(c.Text))
				}
			}
			s.press("enter")
			s.sees("… (1,000,000 bytes)")
			s.fits(80, 24)
		})
	}
}
