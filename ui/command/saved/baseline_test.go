package saved

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// baselineOf returns a baseline of one position.
func baselineOf(profit string) *book.Baseline {
	p := model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1\x1b[2J")}}
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(profit))
	at := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	return book.NewBaseline([]book.BaselinePart{{Of: model.Key{Party: p.Party}, At: at, Positions: []model.Position{p}}})
}

// profitOf returns the profit of the position of a baseline.
func profitOf(b *book.Baseline) string {
	row, is := b.Row(model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1\x1b[2J")})
	if !is {
		return "none"
	}
	return row.Number(model.UnrealisedPnl).String() + " at " + row.At.Format(time.TimeOnly)
}

// TestBaselinesOfServices: each service has its own, until it is removed.
func TestBaselinesOfServices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blotter", "state.json")
	for _, service := range []string{"mainnet", "testnet"} {
		if err := NewStateFile(path, service).RememberBaseline(baselineOf(strconv.Itoa(-len(service)) + "99999999999999999999")); err != nil {
			t.Fatal(err)
		}
	}
	wants := func(service, want string) {
		t.Helper()
		baseline, problem := NewStateFile(path, service).Baseline()
		if got := profitOf(baseline); got != want || problem != nil {
			t.Errorf("that of %s is %s, %v, want %s", service, got, problem, want)
		}
	}
	wants("mainnet", "-799999999999999999999 at 09:00:00")
	wants("other", "none")
	if err := NewStateFile(path, "mainnet").RememberBaseline(nil); err != nil {
		t.Fatal(err)
	}
	wants("mainnet", "none")
	wants("testnet", "-799999999999999999999 at 09:00:00")
	if file := NewStateFile("", "testnet"); file.KeepsBaselines() || file.RememberBaseline(baselineOf("1")) != nil {
		t.Error("without a file of the state, a baseline is kept")
	}
}

// TestOldBaselinesAreRemoved, so that a folder does not grow with each service that was ever watched.
func TestOldBaselinesAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	for i := range maxServiceFiles + 5 {
		file := NewStateFile(path, strconv.Itoa(i))
		if err := file.RememberBaseline(baselineOf("1")); err != nil {
			t.Fatal(err)
		}
		written := time.Unix(int64(1_000_000+i), 0)
		if err := os.Chtimes(file.baselineFile().path, written, written); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if newest, _ := NewStateFile(path, strconv.Itoa(maxServiceFiles+4)).Baseline(); len(files) != maxServiceFiles || newest == nil {
		t.Errorf("there are %d files, and of the newest service %v", len(files), newest)
	}
}

// TestABaselineThatCannotBeRead is one line of words, and the file stays.
func TestABaselineThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"{":                                     "damaged",
		`{"written_by":"somebody","version":1}`: "damaged",
		`{"written_by":"blotter","version":2}`:  "a newer blotter wrote it",
		`{"written_by":"blotter","version":1,"service":"mainnet","parts":[{"at":"9999-12-31T23:59:59Z"}]}`: "damaged: at cannot be of the year 9999",
		`{"written_by":"blotter","version":1,"service":"mainnet","parts":[{}]}`:                            "damaged: at cannot be of the year 1",
		`{"written_by":"blotter","version":1,"service":"mainnet","parts":[{"at":-1}]}`:                     "damaged",
	} {
		file := NewStateFile(filepath.Join(t.TempDir(), "state.json"), "mainnet")
		if err := os.WriteFile(file.baselineFile().path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		baseline, problem := file.Baseline()
		if baseline != nil || problem == nil || !strings.Contains(problem.Error(), "not used: "+want+": ") {
			t.Errorf("%s: %v, %v", text, baseline, problem)
		}
		if kept, _ := os.ReadFile(file.baselineFile().path); string(kept) != text {
			t.Errorf("%s is now %s", text, kept)
		}
	}
}
