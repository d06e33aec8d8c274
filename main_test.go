package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// layers are the packages of blotter, a layer in each line: a package may import only packages of lines below its own,
// of the trees that mayImport has.
var layers = []string{
	"blotter",
	"ui/command",
	"ui/command/alertcommands ui/command/credentials ui/command/saved ui/command/watch",
	"ui/command/cli",
	"ui/command/panics ui/command/system ui/command/terminal",
	"ui/command/config",
	"ui",
	"ui/overlay/baseline ui/overlay/columnlist ui/overlay/filterline ui/overlay/names ui/overlay/pick ui/overlay/viewlist",
	"ui/events ui/help ui/margins ui/plain ui/positions ui/replay ui/session ui/totals ui/welcome",
	"ui/clipboard ui/detail ui/status",
	"ui/pane",
	"ui/naming ui/store ui/views",
	"ui/alerts ui/columns ui/history ui/keys",
	"ui/input",
	"ui/export ui/format ui/metrics ui/theme",
	"ui/table",
	"ui/draw",
	"feed/record",
	"feed",
	"feed/doctor",
	"feed/follow feed/margins",
	"feed/endpoint",
	"feed/wire",
	"feed/clock feed/secrets",
	"feed/feedtest",
	"feed/sim",
	"feed/sim/market feed/sim/memnet",
	"model/modeltest model/survey",
	"model/view",
	"model/filter",
	"model/event",
	"model/book",
	"model model/dictionary",
}

// mayImport has the trees that a tree may import. The longest name that a package is in counts.
var mayImport = map[string]string{
	"blotter": "ui/command", "ui/command": "ui feed model", "ui": "ui model", "feed": "feed model", "feed/sim": "feed/sim",
	"feed/feedtest": "feed/sim", "model": "model",
}

// layerOf returns the number of the line that a package is in; -1 if it is in none.
func layerOf(name string) int {
	return slices.IndexFunc(layers, func(line string) bool { return slices.Contains(strings.Fields(line), name) })
}

// isIn reports whether a package is in a tree.
func isIn(tree, name string) bool { return name == tree || strings.HasPrefix(name, tree+"/") }

// mayImportFrom reports whether the trees and the layers let a package import another.
func mayImportFrom(from, to string) bool {
	tree := ""
	for each := range mayImport {
		if isIn(each, from) && len(each) > len(tree) {
			tree = each
		}
	}
	inTree := slices.ContainsFunc(strings.Fields(mayImport[tree]), func(each string) bool { return isIn(each, to) })
	return inTree && layerOf(from) >= 0 && layerOf(from) < layerOf(to)
}

// TestImports: each package imports only packages of layers below it. Only overlays.go names overlays.
func TestImports(t *testing.T) {
	eachFile(t, func(file string, source *ast.File, _ *token.FileSet) {
		from := packageOf(file)
		for _, spec := range source.Imports {
			to, isOurs := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "blotter/")
			switch {
			case !isOurs:
			case !mayImportFrom(from, to):
				t.Errorf("%s: %s must not import %s", file, from, to)
			case from == "ui" && isIn("ui/overlay", to) && filepath.Base(file) != "overlays.go":
				t.Errorf("%s names the overlay %s; overlays.go registers overlays", file, to)
			}
		}
	})
}

// packageOf returns the package of a file as layers has it.
func packageOf(file string) string {
	if folder := filepath.ToSlash(filepath.Dir(file)); folder != "." {
		return folder
	}
	return "blotter"
}

// eachFile calls do for each file that is no test.
func eachFile(t *testing.T, do func(file string, source *ast.File, set *token.FileSet)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		source, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		do(file, source, set)
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
	described := map[string]bool{"blotter": true}
	for line := range strings.Lines(string(page)) {
		if words := strings.Fields(line); strings.HasPrefix(line, "    ") && len(words) > 1 {
			described[strings.TrimSuffix(words[0], "/")] = true
		}
	}
	for _, name := range strings.Fields(strings.Join(layers, " ")) {
		if !described[name] {
			t.Errorf("%s is not in .github/CONTRIBUTING.md", name)
		}
	}
}

// TestSizesOfFilesAndFunctions: a file has at most 350 lines and a function fewer than 70, tests apart.
func TestSizesOfFilesAndFunctions(t *testing.T) {
	eachFile(t, func(file string, source *ast.File, set *token.FileSet) {
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
	})
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
