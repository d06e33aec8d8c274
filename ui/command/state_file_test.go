package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"blotter/ui"
)

var changedState = ui.State{Order: "size", Descending: true, ShowClosed: true, PageSize: 100, Split: -3,
	Columns: []ui.ColumnState{{Column: "age", Pinned: true}, {Column: "size", Hidden: true}, {Column: "party", Width: 20}}}

func TestStateIsWhatTheNextRunReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "blotter", "state.json")
	file := &stateFile{path: path}
	if state, problem := file.open(); state != nil || problem != nil {
		t.Fatalf("before the first run there is %+v, %v", state, problem)
	}
	if err := file.close(changedState); err != nil {
		t.Fatal(err)
	}
	next := &stateFile{path: path}
	state, problem := next.open()
	if problem != nil || state == nil || !equalStates(*state, changedState) {
		t.Errorf("the next run reads %+v, %v", state, problem)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("its mode is %v, %v", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("beside it is something else: %v", entries)
	}
}

func equalStates(a, b ui.State) bool {
	if len(a.Columns) != len(b.Columns) {
		return false
	}
	for i := range a.Columns {
		if a.Columns[i] != b.Columns[i] {
			return false
		}
	}
	a.Columns, b.Columns = nil, nil
	return a.Order == b.Order && a.Descending == b.Descending && a.ShowClosed == b.ShowClosed && a.PageSize == b.PageSize && a.Split == b.Split
}

// TestStateThatDidNotChangeIsNotWritten: who only looks leaves nothing behind.
func TestStateThatDidNotChangeIsNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := &stateFile{path: path, state: changedState}
	if err := file.close(changedState); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("it was written")
	}
}

// TestWhatIsNotAStateIsLeftAlone: a path may be mistyped.
func TestWhatIsNotAStateIsLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"another program's": `{"columns": []}`,
		"no JSON":           "export PATH=/bin\n",
		"empty":             "",
		"of a newer blotter": stateMark + `  "version": 2, "screen": {}
}`,
	} {
		path := filepath.Join(t.TempDir(), "state.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file := &stateFile{path: path}
		state, problem := file.open()
		if state != nil || problem == nil || !strings.HasPrefix(problem.Error(), "the state is neither used nor replaced: ") {
			t.Errorf("%s: %+v, %v", name, state, problem)
		}
		if err := file.close(changedState); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(path); string(after) != text {
			t.Errorf("%s was replaced by %s", name, after)
		}
	}
}

func TestStateIsNoFolderAndNoLink(t *testing.T) {
	folder := t.TempDir()
	link, target := filepath.Join(folder, "link"), filepath.Join(folder, "target")
	if err := os.WriteFile(target, []byte(stateMark+`"version": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here: ", err)
	}
	for _, path := range []string{folder, link} {
		if _, problem := (&stateFile{path: path}).open(); problem == nil || !strings.Contains(problem.Error(), "it is not a regular file") {
			t.Errorf("%s: %v", path, problem)
		}
	}
}

// TestADamagedStateIsReplaced, because only blotter can have written it.
func TestADamagedStateIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, []byte(stateMark+`  "version": 1, "scr`), 0o600); err != nil {
		t.Fatal(err)
	}
	file := &stateFile{path: path}
	if state, problem := file.open(); state != nil || problem == nil || problem.Error() != "the state is damaged and not used: "+path {
		t.Errorf("%+v, %v", state, problem)
	}
	if err := file.close(changedState); err != nil {
		t.Fatal(err)
	}
	if state, problem := (&stateFile{path: path}).open(); problem != nil || !equalStates(*state, changedState) {
		t.Errorf("afterwards: %+v, %v", state, problem)
	}
}

// TestAnOlderStateDoesNotReplaceTheLast one, where the command that remembers it is late.
func TestAnOlderStateDoesNotReplaceTheLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	file := &stateFile{path: path}
	if err := file.close(changedState); err != nil {
		t.Fatal(err)
	}
	if err := file.remember(ui.State{Order: "age"}); err != nil {
		t.Fatal(err)
	}
	if state, _ := (&stateFile{path: path}).open(); state == nil || state.Order != "size" {
		t.Errorf("it is %+v", state)
	}
}

func TestAStateThatCannotBeWrittenIsNamed(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(folder, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "state.json")
	if err := (&stateFile{path: path}).close(changedState); err == nil || !strings.HasPrefix(err.Error(), path+" cannot be ") {
		t.Errorf("the error is %v", err)
	}
}

func TestWhereTheStateIs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders are those of Linux")
	}
	for _, c := range []struct {
		environment map[string]string
		flags       stateFlags
		want        string
	}{
		{nil, stateFlags{}, ""},
		{map[string]string{"HOME": "/home/a"}, stateFlags{}, "/home/a/.local/state/blotter/state.json"},
		{map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "/b"}, stateFlags{}, "/b/blotter/state.json"},
		{map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "relative"}, stateFlags{}, "/home/a/.local/state/blotter/state.json"},
		{map[string]string{"HOME": "relative"}, stateFlags{}, ""},
		{map[string]string{"HOME": "/home/a"}, stateFlags{path: "c.json"}, "c.json"},
		{map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "/b"}, stateFlags{none: true}, ""},
	} {
		p := &program{Process: Process{Getenv: func(name string) string { return c.environment[name] }}}
		if got := p.statePath(c.flags); got != c.want {
			t.Errorf("%v %+v: %q, want %q", c.environment, c.flags, got, c.want)
		}
	}
}
