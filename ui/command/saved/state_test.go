package saved

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"blotter/model"
	"blotter/ui/alerts"
	"blotter/ui/columns"
	"blotter/ui/persist"
	"blotter/ui/views"
)

var changedState = persist.State{PageSize: 100, Split: -3, Theme: "dark", Remembered: views.Remembered{
	Order: "size", Descending: true, ShowClosed: true,
	Columns: []columns.State{{Column: "age", Pinned: true}, {Column: "size", Hidden: true}, {Column: "party", Width: 20}},
}}

func TestNextRunReadsTheState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blotter", "state.json")
	file := NewStateFile(path, "mainnet")
	if state, problem := file.Open(); state != nil || problem != nil {
		t.Fatalf("before the first run there is %+v, %v", state, problem)
	}
	if err := file.Close(changedState); err != nil {
		t.Fatal(err)
	}
	next := NewStateFile(path, "mainnet")
	state, problem := next.Open()
	if problem != nil || state == nil || !equalStates(*state, changedState) {
		t.Errorf("the next run reads %+v, %v", state, problem)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 2 || entries[1].Name() != "state.json.lock" {
		t.Errorf("beside it is something else: %v", entries)
	}
}

func equalStates(a, b persist.State) bool {
	if len(a.Columns) != len(b.Columns) {
		return false
	}
	for i := range a.Columns {
		if a.Columns[i] != b.Columns[i] {
			return false
		}
	}
	a.Columns, b.Columns = nil, nil
	return a.Order == b.Order && a.Descending == b.Descending && a.ShowClosed == b.ShowClosed && a.PageSize == b.PageSize && a.Split == b.Split && a.Theme == b.Theme
}

// TestUnchangedStateIsNotWritten, so that a run that changes nothing leaves no file behind.
func TestUnchangedStateIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := NewStateFile(path, "mainnet")
	file.Begin(changedState, false)
	if err := file.Close(changedState); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("it was written")
	}
}

// TestFileOfAnotherProgramIsNotReplaced: a path may be mistyped.
func TestFileOfAnotherProgramIsNotReplaced(t *testing.T) {
	for name, text := range map[string]string{
		"another program's": `{"columns": []}`,
		"no JSON":           "export PATH=/bin\n",
		"empty":             "",
		"of a newer blotter": stateMark + `  "version": 3, "screen": {}
}`,
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file := NewStateFile(path, "mainnet")
		state, problem := file.Open()
		if state != nil || problem == nil || !strings.HasPrefix(problem.Error(), "the state is neither used nor replaced: ") {
			t.Errorf("%s: %+v, %v", name, state, problem)
		}
		if err := file.Close(changedState); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(path); string(after) != text {
			t.Errorf("%s was replaced by %s", name, after)
		}
	}
}

func TestFoldersAndLinksAreNotRead(t *testing.T) {
	folder := t.TempDir()
	link, target := filepath.Join(folder, "link"), filepath.Join(folder, "target")
	if err := os.WriteFile(target, []byte(stateMark+`"version": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, path := range []string{folder, link} {
		if _, problem := NewStateFile(path, "mainnet").Open(); problem == nil || !strings.Contains(problem.Error(), "it is not a regular file") {
			t.Errorf("%s: %v", path, problem)
		}
	}
}

// TestDamagedStateIsReplaced, because only blotter can have written it. What it has is kept beside it.
func TestDamagedStateIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	const damaged = stateMark + `  "version": 1, "scr`
	if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	file := NewStateFile(path, "mainnet")
	if state, problem := file.Open(); state != nil || problem == nil || problem.Error() != "the state is damaged and not used. It is kept: "+path+".damaged" {
		t.Errorf("%+v, %v", state, problem)
	}
	if kept, err := os.ReadFile(path + ".damaged"); string(kept) != damaged {
		t.Errorf("kept is %q, %v", kept, err)
	}
	if err := file.Close(changedState); err != nil {
		t.Fatal(err)
	}
	if state, problem := NewStateFile(path, "mainnet").Open(); problem != nil || !equalStates(*state, changedState) {
		t.Errorf("afterwards: %+v, %v", state, problem)
	}
}

// TestEachDamagedStateIsKept: those of earlier runs, and one that is damaged during a run. Only the last of many is
// replaced.
func TestEachDamagedStateIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	damage := func(n int) {
		if err := os.WriteFile(path, fmt.Append(nil, stateMark, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for n := range maxDamaged + 1 {
		damage(n)
		if _, problem := NewStateFile(path, "mainnet").Open(); problem == nil || !strings.Contains(problem.Error(), "It is kept: "+path+".damaged") {
			t.Errorf("%d: %v", n, problem)
		}
	}
	file := NewStateFile(path, "mainnet")
	damage(maxDamaged + 1)
	if err := file.Close(changedState); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"": 0, "2": 1, "3": 2, "8": 7, "9": maxDamaged + 1}
	for ending, n := range want {
		if kept, _ := os.ReadFile(path + ".damaged" + ending); string(kept) != fmt.Sprint(stateMark, n) {
			t.Errorf(".damaged%s has %q, want %d", ending, kept, n)
		}
	}
	if files, _ := filepath.Glob(path + ".damaged*"); len(files) != maxDamaged {
		t.Errorf("%d files are kept: %v", len(files), files)
	}
}

// TestNothingIsWrittenAfterClose: what is still to be remembered then is older.
func TestNothingIsWrittenAfterClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := NewStateFile(path, "mainnet")
	if err := file.Close(changedState); err != nil {
		t.Fatal(err)
	}
	if err := file.Remember(persist.State{Remembered: views.Remembered{Order: "age"}}); err != nil {
		t.Fatal(err)
	}
	if state, _ := NewStateFile(path, "mainnet").Open(); state == nil || state.Order != "size" {
		t.Errorf("it is %+v", state)
	}
}

func TestErrorNamesTheFileThatCannotBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "state.json")
	if err := NewStateFile(path, "mainnet").Close(changedState); err == nil || !strings.HasPrefix(err.Error(), path+" cannot be ") {
		t.Errorf("the error is %v", err)
	}
}

func TestPathOfTheState(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	for _, test := range []struct {
		environment map[string]string
		want        string
	}{
		{nil, ""},
		{map[string]string{"HOME": "/home/a"}, "/home/a/.local/state/blotter/state.json"},
		{map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "/b"}, "/b/blotter/state.json"},
		{map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "relative"}, "/home/a/.local/state/blotter/state.json"},
		{map[string]string{"HOME": "relative"}, ""},
	} {
		if got := StatePath(func(name string) string { return test.environment[name] }); got != test.want {
			t.Errorf("%v: %q, want %q", test.environment, got, test.want)
		}
	}
}

// TestStateOfTwoProgramsAtOnce: each keeps what the trader has set in the other.
func TestStateOfTwoProgramsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	one, other := NewStateFile(path, "mainnet"), NewStateFile(path, "mainnet")
	one.Begin(persist.State{PageSize: 50}, false)
	other.Begin(persist.State{PageSize: 50}, false)
	own := alerts.Remembered{Own: []alerts.Own{{Name: "distress", Filter: "upnl<0"}}}
	if err := errors.Join(one.Remember(persist.State{PageSize: 50, Alerts: own}), other.Remember(persist.State{PageSize: 50, Split: 2})); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(one.Close(persist.State{PageSize: 100, Alerts: own}), other.Close(persist.State{PageSize: 50})); err != nil {
		t.Fatal(err)
	}
	state, problem := NewStateFile(path, "mainnet").Open()
	if problem != nil || !reflect.DeepEqual(*state, persist.State{PageSize: 100, Alerts: own}) {
		t.Errorf("the next run reads %+v, %v", state, problem)
	}
}

// TestViewsAndAlertsOfTwoPrograms: each one that was saved stays, and each that was removed is gone, whichever program
// did it, also if they began when the file had none of the others'.
func TestViewsAndAlertsOfTwoPrograms(t *testing.T) {
	state := func(off []string, alert string, names ...string) (s persist.State) {
		for i, name := range names {
			if name != "" {
				s.Views = append(s.Views, views.Saved{Number: i + 1, Name: name})
			}
		}
		s.Alerts = alerts.Remembered{Own: []alerts.Own{{Name: "distress", Filter: "upnl<0"}}, Off: off}
		if alert != "" {
			s.Alerts.Own = append(s.Alerts.Own, alerts.Own{Name: alert, Filter: "upnl<0"})
		}
		return s
	}
	path := filepath.Join(t.TempDir(), "state.json")
	first := state([]string{"distress"}, "", "both", "removed", "changed")
	if err := NewStateFile(path, "mainnet").Close(first); err != nil {
		t.Fatal(err)
	}
	one, other := NewStateFile(path, "mainnet"), NewStateFile(path, "mainnet")
	one.Begin(first, false)
	other.Begin(first, false)
	if err := errors.Join(
		one.Remember(state([]string{"distress", "one"}, "one", "both", "", "changed", "of one")),
		other.Remember(state(nil, "other", "both", "removed", "changed by the other", "", "of the other")),
		one.Close(state([]string{"distress", "one"}, "one", "both", "", "changed", "of one")),
		other.Close(state(nil, "other", "both", "removed", "changed by the other", "", "of the other")),
	); err != nil {
		t.Fatal(err)
	}
	want := state([]string{"one"}, "one", "both", "", "changed by the other", "of one", "of the other")
	want.Alerts.Own = append(want.Alerts.Own, alerts.Own{Name: "other", Filter: "upnl<0"})
	if got, problem := NewStateFile(path, "mainnet").Open(); problem != nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("the next run reads %+v, %v, not %+v", got, problem, want)
	}
}

// TestGroupsOfTwoPrograms: those of both are kept, and the one of another program is not lost.
func TestGroupsOfTwoPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	group := func(name string) persist.Group {
		return persist.Group{Name: name, Positions: []model.Key{{Party: model.MakeID("p"), Market: model.MakeID(name)}}}
	}
	one, other := NewStateFile(path, "mainnet"), NewStateFile(path, "mainnet")
	if err := errors.Join(one.Close(persist.State{Groups: []persist.Group{group("a")}}), other.Close(persist.State{Groups: []persist.Group{group("b")}})); err != nil {
		t.Fatal(err)
	}
	state, problem := NewStateFile(path, "mainnet").Open()
	if want := []persist.Group{group("a"), group("b")}; problem != nil || !reflect.DeepEqual(state.Groups, want) {
		t.Errorf("the next run reads %+v, %v", state, problem)
	}
}

// TestACopiedStateIsWritten, unless another program has written one of the service meanwhile: of that, only what has
// changed on the screen is replaced.
func TestACopiedStateIsWritten(t *testing.T) {
	copied, changed := persist.State{PageSize: 50, Split: 2}, persist.State{PageSize: 50, Split: 3}
	for _, c := range []struct{ others, last, want persist.State }{
		{persist.State{}, copied, copied},
		{persist.State{}, changed, changed},
		{persist.State{PageSize: 100}, copied, persist.State{PageSize: 100}},
		{persist.State{PageSize: 100}, changed, persist.State{PageSize: 100, Split: 3}},
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		file := NewStateFile(path, "testnet")
		file.Begin(copied, true)
		if err := errors.Join(NewStateFile(path, "testnet").Close(c.others), file.Close(c.last)); err != nil {
			t.Fatal(err)
		}
		if state, problem := NewStateFile(path, "testnet").Open(); problem != nil || state == nil || !reflect.DeepEqual(*state, c.want) {
			t.Errorf("beside %+v, the next run reads %+v, %v", c.others, state, problem)
		}
	}
}

// TestStatesThatAreWrittenAtTheSameTime: none is lost.
func TestStatesThatAreWrittenAtTheSameTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				if err := NewStateFile(path, fmt.Sprint(i)).Close(changedState); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
	for i := range 20 {
		if state, problem := NewStateFile(path, fmt.Sprint(i)).Open(); state == nil || problem != nil {
			t.Errorf("the state of service %d is lost (%v)", i, problem)
		}
	}
}

// TestStatesOfServices: each service has its own. Before it has one, the one of an earlier version counts.
func TestStatesOfServices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, []byte(stateMark+`  "version": 1, "screen": {"order": "age", "page_size": 0}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	order := func(service string) string {
		state, problem := NewStateFile(path, service).Open()
		if problem != nil || state == nil {
			t.Fatalf("%s: %+v, %v", service, state, problem)
		}
		return state.Order
	}
	if mainnet, testnet := order("mainnet"), order("testnet"); mainnet != "age" || testnet != "age" {
		t.Errorf("the orders are %s and %s", mainnet, testnet)
	}
	if err := NewStateFile(path, "testnet").Close(changedState); err != nil {
		t.Fatal(err)
	}
	if mainnet, testnet := order("mainnet"), order("testnet"); mainnet != "age" || testnet != "size" {
		t.Errorf("the orders are %s and %s", mainnet, testnet)
	}
	for i := range 2 * maxServices {
		if err := NewStateFile(path, fmt.Sprint(i)).Close(changedState); err != nil {
			t.Fatal(err)
		}
	}
	if oldest, newest := order("0"), order(fmt.Sprint(2*maxServices-1)); oldest != "age" || newest != "size" {
		t.Errorf("the orders are %s and %s", oldest, newest)
	}
}

// TestWrongValuesOfAState are named and not used; the others are.
func TestWrongValuesOfAState(t *testing.T) {
	for part, want := range map[string]string{
		`"page_size": -1`:                                            "page_size cannot be -1",
		`"page_size": 9223372036854775807`:                           "page_size cannot be 9223372036854775807",
		`"page_size": 0, "split": -9223372036854775808`:              "split cannot be -9223372036854775808",
		`"order": "luck"`:                                            `order cannot be "luck"`,
		`"group": "moon"`:                                            `group cannot be "moon"`,
		`"columns": [{"column": "size", "width": -5}]`:               "the width of a column cannot be -5",
		`"groups": [{"name": "a"}]`:                                  "a group cannot be without positions",
		`"groups": [{"name": " a"}]`:                                 "a group cannot be the name \" a\": it must be a text of at most 40 characters, without quotes and without space around it",
		`"groups": [{"name": "a", "positions": [{"partyId": "p"}]}]`: "a group cannot be with a position without a party or a market",
		`"alerts": {"own": [{"name": "loss", "filter": "x:1"}]}`:     `the rule "loss" cannot be "x:1"`,
		`"views": [{"number": 0}, {"number": 10}]`:                   "the number of a view cannot be 0",
		`"views": [{"number": -9223372036854775808}]`:                "the number of a view cannot be -9223372036854775808",
		`"page_size": 100, "split": 3, "order": "party"`:             "",
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		text := stateMark + `  "version": 2, "services": [{"service": "mainnet", "screen": {` + part + `, "show_closed": true}}]}`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		state, problem := NewStateFile(path, "mainnet").Open()
		words := ""
		if want != "" {
			words = "a part of the state is not used: " + want + ": " + path
		}
		if state == nil || !state.ShowClosed || len(state.Views)+len(state.Groups)+len(state.Alerts.Own) > 0 || fmt.Sprint(problem) != cmp.Or(words, "<nil>") {
			t.Errorf("%s: %+v, %v", part, state, problem)
		}
	}
}
