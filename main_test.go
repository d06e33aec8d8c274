package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// imports are the packages of blotter that each package may import. A package that is not here may import none.
var imports = map[string][]string{
	"blotter": {"blotter/ui/command"},
	"blotter/feed": {
		"blotter/model", "blotter/model/book", "blotter/feed/doctor", "blotter/feed/margins", "blotter/feed/follow",
		"blotter/feed/endpoint", "blotter/feed/wire", "blotter/feed/clock", "blotter/feed/secrets",
	},
	"blotter/feed/doctor": {
		"blotter/model", "blotter/feed/follow", "blotter/feed/endpoint", "blotter/feed/wire",
	},
	"blotter/feed/margins": {"blotter/model", "blotter/feed/endpoint", "blotter/feed/wire"},
	"blotter/feed/follow": {
		"blotter/model", "blotter/model/book", "blotter/feed/endpoint", "blotter/feed/wire", "blotter/feed/clock",
	},
	"blotter/feed/endpoint": {
		"blotter/model", "blotter/feed/wire", "blotter/feed/clock", "blotter/feed/secrets",
	},
	"blotter/feed/wire": {"blotter/model"},
	"blotter/feed/record": {
		"blotter/feed", "blotter/feed/clock", "blotter/feed/endpoint", "blotter/feed/secrets", "blotter/feed/wire",
		"blotter/model", "blotter/model/book",
	},
	"blotter/feed/feedtest": {"blotter/feed/sim"},
	"blotter/feed/sim":      {"blotter/feed/sim/market", "blotter/feed/sim/memnet"},
	"blotter/ui": {
		"blotter/model", "blotter/model/book", "blotter/model/event", "blotter/model/filter", "blotter/model/survey",
		"blotter/model/view", "blotter/ui/alerts", "blotter/ui/clipboard", "blotter/ui/columns", "blotter/ui/detail",
		"blotter/ui/draw", "blotter/ui/events", "blotter/ui/format", "blotter/ui/history", "blotter/ui/input",
		"blotter/ui/keys", "blotter/ui/margins", "blotter/ui/naming", "blotter/ui/pane", "blotter/ui/picker",
		"blotter/ui/plain", "blotter/ui/session", "blotter/ui/status", "blotter/ui/store", "blotter/ui/table",
		"blotter/ui/theme", "blotter/ui/totals", "blotter/ui/views",
	},
	"blotter/ui/store": {
		"blotter/model", "blotter/model/book", "blotter/model/event", "blotter/model/filter", "blotter/model/survey",
		"blotter/model/view", "blotter/ui/alerts", "blotter/ui/format", "blotter/ui/history",
	},
	"blotter/ui/clipboard": {
		"blotter/model", "blotter/model/event", "blotter/model/view", "blotter/ui/columns", "blotter/ui/format",
	},
	"blotter/ui/margins": {
		"blotter/model", "blotter/model/book", "blotter/model/filter", "blotter/ui/draw", "blotter/ui/format",
		"blotter/ui/pane", "blotter/ui/store", "blotter/ui/table", "blotter/ui/theme",
	},
	"blotter/ui/naming": {
		"blotter/model", "blotter/model/view", "blotter/ui/draw", "blotter/ui/format", "blotter/ui/input",
		"blotter/ui/theme",
	},
	"blotter/ui/views": {
		"blotter/model", "blotter/model/filter", "blotter/model/view", "blotter/ui/columns", "blotter/ui/draw",
		"blotter/ui/format", "blotter/ui/input", "blotter/ui/pane", "blotter/ui/theme",
	},
	"blotter/ui/columns": {
		"blotter/model", "blotter/model/book", "blotter/model/view", "blotter/ui/draw", "blotter/ui/format",
		"blotter/ui/pane", "blotter/ui/table", "blotter/ui/theme",
	},
	"blotter/ui/status": {
		"blotter/model", "blotter/model/book", "blotter/ui/draw", "blotter/ui/format", "blotter/ui/store",
		"blotter/ui/theme",
	},
	"blotter/ui/session": {
		"blotter/model", "blotter/model/survey", "blotter/model/view", "blotter/ui/draw", "blotter/ui/format",
		"blotter/ui/history", "blotter/ui/theme",
	},
	"blotter/ui/events": {
		"blotter/model", "blotter/model/event", "blotter/model/filter", "blotter/model/view", "blotter/ui/draw",
		"blotter/ui/format", "blotter/ui/pane", "blotter/ui/table", "blotter/ui/theme",
	},
	"blotter/ui/detail": {
		"blotter/model", "blotter/model/book", "blotter/model/view", "blotter/ui/columns", "blotter/ui/draw",
		"blotter/ui/format", "blotter/ui/history", "blotter/ui/theme",
	},
	"blotter/ui/alerts": {"blotter/model", "blotter/model/view", "blotter/ui/draw", "blotter/ui/format"},
	"blotter/ui/totals": {
		"blotter/model", "blotter/model/view", "blotter/ui/draw", "blotter/ui/format", "blotter/ui/theme",
	},
	"blotter/ui/pane":    {},
	"blotter/ui/table":   {"blotter/ui/draw"},
	"blotter/ui/format":  {"blotter/model", "blotter/ui/draw", "blotter/ui/table"},
	"blotter/ui/input":   {"blotter/model", "blotter/ui/draw", "blotter/ui/format"},
	"blotter/ui/keys":    {"blotter/ui/draw", "blotter/ui/input", "blotter/ui/theme"},
	"blotter/ui/welcome": {"blotter/ui/draw", "blotter/ui/format", "blotter/ui/input", "blotter/ui/theme"},
	"blotter/ui/picker":  {"blotter/model", "blotter/ui/draw", "blotter/ui/input", "blotter/ui/pane", "blotter/ui/theme"},
	"blotter/ui/history": {"blotter/model", "blotter/model/view"},
	"blotter/ui/theme":   {"blotter/model", "blotter/ui/draw", "blotter/ui/table"},
	"blotter/ui/export": {
		"blotter/model", "blotter/model/book", "blotter/model/event", "blotter/model/view", "blotter/ui/draw",
		"blotter/ui/table",
	},
	"blotter/ui/metrics": {"blotter/model"},
	"blotter/ui/plain": {
		"blotter/model", "blotter/model/view", "blotter/ui/draw", "blotter/ui/format", "blotter/ui/status",
	},
	"blotter/ui/command": {
		"blotter/feed", "blotter/feed/doctor", "blotter/feed/endpoint", "blotter/feed/margins",
		"blotter/feed/record", "blotter/feed/secrets", "blotter/feed/sim", "blotter/model", "blotter/model/book", "blotter/model/event",
		"blotter/model/filter", "blotter/model/view", "blotter/ui", "blotter/ui/alerts", "blotter/ui/columns",
		"blotter/ui/command/alertcommands", "blotter/ui/command/config", "blotter/ui/command/credentials",
		"blotter/ui/command/exit", "blotter/ui/command/files", "blotter/ui/command/panics",
		"blotter/ui/command/saved", "blotter/ui/command/stdout", "blotter/ui/command/terminal",
		"blotter/ui/command/version", "blotter/ui/command/watch", "blotter/ui/export", "blotter/ui/keys",
		"blotter/ui/metrics", "blotter/ui/store", "blotter/ui/theme", "blotter/ui/views", "blotter/ui/welcome",
	},
	"blotter/ui/command/alertcommands": {
		"blotter/model", "blotter/model/view", "blotter/ui/command/programs", "blotter/ui/export",
	},
	"blotter/ui/command/config": {
		"blotter/feed", "blotter/feed/endpoint", "blotter/feed/margins", "blotter/model", "blotter/model/filter",
		"blotter/model/view", "blotter/ui/theme",
	},
	"blotter/ui/command/credentials": {
		"blotter/ui/command/config", "blotter/ui/command/exit", "blotter/ui/command/files",
		"blotter/ui/command/programs",
	},
	"blotter/ui/command/exit":     {"blotter/feed/endpoint", "blotter/model", "blotter/ui/command/config"},
	"blotter/ui/command/files":    {"blotter/model"},
	"blotter/ui/command/programs": {"blotter/ui/command/files"},
	"blotter/ui/command/saved": {
		"blotter/ui", "blotter/ui/command/config", "blotter/ui/command/files", "blotter/ui/naming",
	},
	"blotter/ui/command/stdout": {"blotter/ui/command/exit", "blotter/ui/command/files"},
	"blotter/ui/command/watch": {
		"blotter/model", "blotter/model/book", "blotter/model/filter", "blotter/model/view",
		"blotter/ui/command/exit", "blotter/ui/command/stdout", "blotter/ui/export", "blotter/ui/metrics",
	},
	"blotter/model/book":      {"blotter/model", "blotter/model/dictionary"},
	"blotter/model/modeltest": {"blotter/model"},
	"blotter/model/event":     {"blotter/model", "blotter/model/book"},
	"blotter/model/filter":    {"blotter/model", "blotter/model/book", "blotter/model/event"},
	"blotter/model/view": {
		"blotter/model", "blotter/model/book", "blotter/model/dictionary", "blotter/model/event",
		"blotter/model/filter",
	},
	"blotter/model/survey": {"blotter/model", "blotter/model/book", "blotter/model/view"},
}

// TestImports: each package imports only those packages of blotter that the table allows.
func TestImports(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from := path.Join("blotter", filepath.ToSlash(filepath.Dir(file)))
		for _, spec := range source.Imports {
			to := strings.Trim(spec.Path.Value, `"`)
			if strings.HasPrefix(to, "blotter/") && !slices.Contains(imports[from], to) {
				t.Errorf("%s: %s must not import %s", file, from, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryPackageIsDescribed in the page for contributors.
func TestEveryPackageIsDescribed(t *testing.T) {
	page, err := os.ReadFile(".github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	described := make(map[string]bool)
	for line := range strings.Lines(string(page)) {
		if words := strings.Fields(line); strings.HasPrefix(line, "    ") && len(words) > 1 {
			described[strings.TrimSuffix(words[0], "/")] = true
		}
	}
	for name := range imports {
		if folder := strings.TrimPrefix(name, "blotter/"); folder != "blotter" && !described[folder] {
			t.Errorf("%s is not in .github/CONTRIBUTING.md", folder)
		}
	}
}

// TestSizesOfFilesAndFunctions: a file has at most 350 lines and a function fewer than 70, tests apart.
func TestSizesOfFilesAndFunctions(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		source, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		if lines := set.Position(source.FileEnd).Line; lines > 350 {
			t.Errorf("%s has %d lines", file, lines)
		}
		for _, d := range source.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines >= 70 {
					t.Errorf("%s: %s has %d lines", file, f.Name, lines)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCommentsAreWrapped: a line that is only a comment has at most 120 columns, of which a tab takes four. Samples in
// comments, which begin with a tab, are not wrapped.
func TestCommentsAreWrapped(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(source), "\n") {
			comment, isComment := strings.CutPrefix(strings.TrimSpace(line), "//")
			columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
			if isComment && columns > 120 && !strings.HasPrefix(comment, "\t") {
				t.Errorf("%s:%d: the comment has %d columns", file, i+1, columns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
