package saved

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/history"
)

func dayLine(party string, days ...string) history.DayLine {
	line := history.DayLine{DayKey: history.DayKey{Scope: "all", Party: model.MakeID(party), Asset: model.MakeID("usdt"), Decimals: 2}}
	for i, date := range days {
		at := time.Date(2026, 11, 27+i, 9, 0, 0, 0, time.UTC)
		total := history.DayTotal{At: at, Total: model.ParseAmount("-12345678901234567890123456789012345678901234567890")}
		day := &history.Day{Date: date, First: total, Last: total}
		if i == 0 {
			day.PnL, day.HasPnL = model.ParseAmount("-0.05"), true
		}
		line.Days = append(line.Days, day)
	}
	return line
}

// TestDaysAreKept exactly, for the next run of the same service only, together with those of another program.
func TestDaysAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := NewStateFile(path, "mainnet")
	want := dayLine("", "2026-11-27", "2026-11-28")
	if err := file.RememberDays(history.Kept{Lines: []history.DayLine{want}}); err != nil {
		t.Fatal(err)
	}
	if err := NewStateFile(path, "mainnet").RememberDays(history.Kept{Lines: []history.DayLine{dayLine("desk-1", "2026-11-27")}}); err != nil {
		t.Fatal(err)
	}
	kept, problem := NewStateFile(path, "mainnet").Days()
	lines := kept.Lines
	if problem != nil || len(lines) != 2 || !reflect.DeepEqual(lines[0], want) {
		t.Errorf("the lines are %+v, %v", lines, problem)
	}
	if kept, problem := NewStateFile(path, "testnet").Days(); kept.Lines != nil || problem != nil {
		t.Errorf("another service has %+v, %v", lines, problem)
	}
	if kept, problem := NewStateFile("", "mainnet").Days(); kept.Lines != nil || problem != nil {
		t.Errorf("without a state there is %+v, %v", lines, problem)
	}
}

// TestDaysOfAnEarlierVersion, which has no parties, are read as they are.
func TestDaysOfAnEarlierVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := NewStateFile(path, "s")
	const at = `{"at":"2026-11-28T00:00:00Z","total":"12"}`
	text := `{"written_by":"blotter","version":1,"service":"s","lines":[{"scope":"5a","asset":"usdt","decimals":2,"days":[{"date":"2026-11-28","first":` + at + `,"last":` + at + `}]}]}`
	if err := os.WriteFile(file.daysFile().path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	total := history.DayTotal{At: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC), Total: model.AmountOf(12)}
	want := []history.DayLine{{DayKey: history.DayKey{Scope: "5a", Asset: model.MakeID("usdt"), Decimals: 2},
		Days: []*history.Day{{Date: "2026-11-28", First: total, Last: total}}}}
	for range 2 { // once more after a new version has written it
		kept, problem := file.Days()
		if problem != nil || !reflect.DeepEqual(kept.Lines, want) {
			t.Errorf("the lines are %+v, want %+v; %v", kept.Lines, want, problem)
		}
		if err := file.RememberDays(kept); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDaysThatCannotBeUsed are not replaced, or kept under another name, and the reason is one line.
func TestDaysThatCannotBeUsed(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"cut":      {`{"written_by":"blotter","lines":[`, "damaged"},
		"a date":   {`{"written_by":"blotter","version":1,"service":"s","lines":[{"days":[{"date":"today"}]}]}`, "damaged"},
		"a number": {`{"written_by":"blotter","version":1,"service":"s","lines":[{"days":[{"date":"2026-11-28","first":{"at":"2026-11-28T00:00:00Z","total":"1"},"last":{"at":"2026-11-28T00:00:00Z","total":"much"}}]}]}`, "damaged"},
		"decimals": {`{"written_by":"blotter","version":1,"service":"s","lines":[{"asset":"usdt","decimals":1000000000}]}`, "damaged"},
		"newer":    {`{"written_by":"blotter","version":99,"service":"s"}`, "newer"},
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		file := NewStateFile(path, "s")
		if err := os.WriteFile(file.daysFile().path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		kept, problem := file.Days()
		lines := kept.Lines
		if lines != nil || problem == nil || !strings.Contains(problem.Error(), c.want) || strings.Contains(problem.Error(), "\n") {
			t.Errorf("%s: %v, %v", name, lines, problem)
		}
		err := file.RememberDays(history.Kept{Lines: []history.DayLine{dayLine("all", "2026-11-28")}})
		if isNewer := c.want == "newer"; (err != nil) != isNewer {
			t.Errorf("%s: what replaces it ends with %v", name, err)
		}
	}
}

// TestNumbersOfADayAreKept, exactly, until there are none.
func TestNumbersOfADayAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := NewStateFile(path, "mainnet")
	began := time.Date(2026, 11, 28, 17, 0, 0, 0, time.UTC)
	want := history.Kept{Numbers: &book.DayNumbers{Began: began, Day: baselineOf("-99999999999999999999"), Last: baselineOf("1.25")}}
	if err := file.RememberDays(want); err != nil {
		t.Fatal(err)
	}
	kept, problem := NewStateFile(path, "mainnet").Days()
	if n := kept.Numbers; problem != nil || n == nil || !n.Began.Equal(began) ||
		profitOf(n.Day) != "-99999999999999999999 at 09:00:00" || profitOf(n.Last) != "1.25 at 09:00:00" {
		t.Fatalf("what is kept is %+v, %v", n, problem)
	}
	if hidden := kept.Numbers.Only(func(model.Key) bool { return false }); profitOf(hidden.Day) != "0 at 09:00:00" {
		t.Errorf("a position that must not be seen has %s", profitOf(hidden.Day))
	}
	for _, service := range []string{"testnet", "mainnet"} {
		if err := NewStateFile(path, service).RememberDays(history.Kept{}); err != nil {
			t.Fatal(err)
		}
		if kept, problem = file.Days(); (kept.Numbers != nil) != (service == "testnet") || problem != nil {
			t.Errorf("after none of %s were kept: %+v, %v", service, kept.Numbers, problem)
		}
	}
}
