package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
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
	"ui/command/credentials ui/command/delivery ui/command/remote ui/command/saved ui/command/watch",
	"ui/command/cli ui/command/remote/admission",
	"ui/command/system ui/command/terminal",
	"ui/command/config",
	"ui",
	"ui/dialog",
	"ui/layout",
	"ui/alertpage ui/analysis ui/events ui/margins ui/persist ui/plain ui/positions ui/replay ui/welcome",
	"ui/detail ui/status ui/topics",
	"ui/keys",
	"ui/pane",
	"ui/export ui/store ui/uitest ui/views",
	"ui/alerts ui/columns ui/history ui/story",
	"ui/input",
	"ui/metrics ui/theme",
	"ui/format ui/table",
	"ui/draw",
	"feed/access",
	"feed/hub",
	"feed/record",
	"feed",
	"feed/doctor",
	"feed/follow feed/margins",
	"feed/endpoint",
	"feed/wire",
	"feed/secrets",
	"feed/feedtest",
	"feed/sim/faulty",
	"feed/sim",
	"feed/sim/market feed/sim/memnet",
	"model/analysis model/modeltest",
	"model/view",
	"model/view/sorting",
	"model/filter",
	"model/event",
	"model/book",
	"model/book/pairs",
	"model",
	"model/match model/view/ordered",
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

// TestImports: each package imports only packages of layers below it. Of ui, only dialogs.go names dialogs.
func TestImports(t *testing.T) {
	eachFile(t, func(file string, source *ast.File, _ *token.FileSet) {
		from := packageOf(file)
		for _, spec := range source.Imports {
			to, isOurs := strings.CutPrefix(strings.Trim(spec.Path.Value, `"`), "blotter/")
			switch {
			case !isOurs:
			case !mayImportFrom(from, to):
				t.Errorf("%s: %s must not import %s", file, from, to)
			case from == "ui" && to == "ui/dialog" && filepath.Base(file) != "dialogs.go":
				t.Errorf("%s imports ui/dialog; dialogs.go registers dialogs", file)
			}
		}
	})
}

// floors are the packages in which files have floors, too.
var floors = strings.Fields(`
	feed feed/access model/book model/view model/view/sorting
	ui/events ui/format ui/history ui/input ui/metrics ui/plain ui/store ui/topics ui/views
	ui/command/cli ui/command/credentials ui/command/saved ui/command/system ui/command/terminal`)

// usesOf has the names that each file of a package uses of each other file.
type usesOf map[string]map[string]map[string]bool

// TestFilesHaveFloors: in these packages, a file uses only files below it, so files do not use each other in a circle.
// What is used of a value that a generic function of another package has returned is not seen.
func TestFilesHaveFloors(t *testing.T) {
	for _, folder := range floors {
		uses := usesInPackage(t, folder)
		for _, file := range slices.Sorted(maps.Keys(uses)) {
			circle := uses.shortestCircle(file)
			if len(circle) == 0 || slices.Min(circle) != file { // it is reported for its first file
				continue
			}
			text := folder + ": files use each other in a circle; move what is used to a file below:"
			for i, from := range circle {
				to := circle[(i+1)%len(circle)]
				names := strings.Join(slices.Sorted(maps.Keys(uses[from][to])), ", ")
				text += "\n\t" + from + " uses " + names + " of " + to
			}
			t.Error(text)
		}
	}
}

func usesInPackage(t *testing.T, folder string) usesOf {
	set, info := token.NewFileSet(), &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	var files []*ast.File
	names, _ := filepath.Glob(folder + "/*.go")
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		t.Fatalf("%s has no files", folder)
	}
	config := types.Config{Importer: emptyPackages{}, Error: func(error) {}}
	here, _ := config.Check(folder, set, files, info) // with errors: the names of other packages are not known
	uses := make(usesOf)
	for name, used := range info.Uses {
		from, to := filepath.Base(set.Position(name.Pos()).Filename), filepath.Base(set.Position(used.Pos()).Filename)
		if used.Pkg() != here || from == to {
			continue
		}
		if uses[from] == nil {
			uses[from] = make(map[string]map[string]bool)
		}
		if uses[from][to] == nil {
			uses[from][to] = make(map[string]bool)
		}
		uses[from][to][used.Name()] = true
	}
	return uses
}

// emptyPackages imports each package without what is in it.
type emptyPackages struct{}

func (emptyPackages) Import(name string) (*types.Package, error) {
	empty := types.NewPackage(name, path.Base(name))
	empty.MarkComplete()
	return empty, nil
}

// shortestCircle returns the files of the shortest way from a file back to it, or nil if there is none.
func (uses usesOf) shortestCircle(file string) []string {
	cameFrom := make(map[string]string)
	for next := []string{file}; len(next) > 0; next = next[1:] {
		for _, to := range slices.Sorted(maps.Keys(uses[next[0]])) {
			if _, isKnown := cameFrom[to]; isKnown {
				continue
			}
			cameFrom[to] = next[0]
			if next = append(next, to); to != file {
				continue
			}
			circle := []string{file}
			for at := cameFrom[file]; at != file; at = cameFrom[at] {
				circle = append(circle, at)
			}
			slices.Reverse(circle[1:])
			return circle
		}
	}
	return nil
}

// TestOnlyGetRequests: one package makes and sends requests, all of them with the method GET.
func TestOnlyGetRequests(t *testing.T) {
	sending := []string{"Client", "DefaultClient", "Transport", "DefaultTransport", "NewRequestWithContext"}
	other := []string{"Get", "Head", "Post", "PostForm", "NewRequest", "MethodPost", "MethodPut", "MethodPatch", "MethodDelete"}
	eachFile(t, func(file string, source *ast.File, _ *token.FileSet) {
		for _, spec := range source.Imports {
			if spec.Path.Value == `"net/http"` && spec.Name != nil {
				t.Errorf("%s: net/http has another name, so this test does not see what is sent", file)
			}
		}
		ast.Inspect(source, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				isHTTP := types.ExprString(n.X) == "http"
				if isHTTP && slices.Contains(other, n.Sel.Name) || isHTTP && slices.Contains(sending, n.Sel.Name) && packageOf(file) != "feed/endpoint" {
					t.Errorf("%s uses http.%s: feed/endpoint sends all requests, with GET; a webhook is the command of an alert", file, n.Sel.Name)
				}
			case *ast.CompositeLit:
				if n.Type != nil && types.ExprString(n.Type) == "http.Request" {
					t.Errorf("%s makes a http.Request without http.NewRequestWithContext", file)
				}
			case *ast.CallExpr:
				if name := types.ExprString(n.Fun); name == "http.NewRequestWithContext" && types.ExprString(n.Args[1]) != "http.MethodGet" {
					t.Errorf("%s sends %s", file, types.ExprString(n.Args[1]))
				} else if packageOf(file) == "feed/endpoint" && (strings.HasSuffix(name, ".Post") || strings.HasSuffix(name, ".PostForm") || strings.HasSuffix(name, ".Head")) {
					t.Errorf("%s calls %s", file, name)
				}
			}
			return true
		})
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
		source, err := parser.ParseFile(set, file, nil, parser.ParseComments)
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

// TestEveryPackageIsDescribed: go doc says what a package is for. Exactly one file has the comment.
func TestEveryPackageIsDescribed(t *testing.T) {
	comments := make(map[string]int)
	eachFile(t, func(file string, source *ast.File, _ *token.FileSet) {
		comments[packageOf(file)] += 0
		if source.Doc != nil {
			comments[packageOf(file)]++
		}
	})
	for name, count := range comments {
		if count != 1 {
			t.Errorf("%s: %d files have a comment of the package", name, count)
		}
		if layerOf(name) < 0 {
			t.Errorf("%s is not in layers", name)
		}
	}
}

// TestFilesOfChangesExist: the page for contributors names files that exist. After the first one in a row of a table or
// an item of a list, a file may be named without its folder.
func TestFilesOfChangesExist(t *testing.T) {
	page, err := os.ReadFile(".github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, found := strings.Cut(string(page), "## Where to change what")
	if !found {
		t.Fatal("there is no table of changes")
	}
	rows, _, _ = strings.Cut(rows, "\n## ")
	exists := func(file string) bool { _, err := os.Stat(file); return err == nil }
	var folders []string // of the files of the row or item
	for row := range strings.Lines(rows) {
		if !strings.HasPrefix(row, " ") {
			folders = nil
		}
		for i, name := range strings.Split(row, "`") {
			isFile := strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "/") || strings.HasSuffix(name, ".txt")
			if i%2 == 0 || !isFile {
				continue
			}
			isBeside := slices.ContainsFunc(folders, func(folder string) bool { return exists(filepath.Join(folder, name)) })
			if !isBeside && !exists(name) {
				t.Errorf("%.60s... names %s", row, name)
			}
			folders = append(folders, filepath.Dir(name))
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

// TestLinesAreWrapped: a line that is only a comment has at most 120 columns, of which a tab takes four, and a line of
// code without a text 140, tests apart. Samples in comments, which begin with a tab, are not wrapped.
func TestLinesAreWrapped(t *testing.T) {
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
			isText := strings.ContainsAny(line, "\"`")
			if columns > 140 && !isComment && !isText && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s:%d: the line has %d columns", file, i+1, columns)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The largest types. A type that has more does too much, and a struct that has more fields is several things.
const (
	maxMethods = 45 // of its own
	maxWithAll = 60 // with those that embedded types of the screen promote
	maxFields  = 25 // of structs of the screen, but for those of options
)

// declared is what is declared of a type.
type declared struct {
	methods, fields int
	embedded        []string // the names of types
}

// TestNoTypeIsTooLarge: functions that take the shell count as methods, and so do promoted methods and fields of the
// screen.
func TestNoTypeIsTooLarge(t *testing.T) {
	types := declaredTypes(t)
	for name, of := range types {
		methods, fields := of.methods, of.fields
		isScreen := strings.HasPrefix(name, "ui.") || strings.HasPrefix(name, "ui/") && !strings.HasPrefix(name, "ui/command")
		for _, promoted := range of.embedded {
			if !isScreen {
				continue
			}
			m, f := promotedOf(types, promoted, 0)
			methods, fields = methods+m, fields+f
		}
		if of.methods > maxMethods {
			t.Errorf("%s has %d methods, more than %d", name, of.methods, maxMethods)
		}
		if methods > maxWithAll {
			t.Errorf("%s has %d methods with those of its parts, more than %d", name, methods, maxWithAll)
		}
		if isScreen && !strings.HasSuffix(name, "Options") && fields > maxFields {
			t.Errorf("%s has %d fields, more than %d", name, fields, maxFields)
		}
	}
}

// promotedOf returns how many methods and fields an embedded type promotes.
func promotedOf(types map[string]*declared, name string, depth int) (methods, fields int) {
	of := types[name]
	if of == nil || depth > 5 {
		return 0, 0
	}
	methods, fields = of.methods, of.fields
	for _, each := range of.embedded {
		m, f := promotedOf(types, each, depth+1)
		methods, fields = methods+m, fields+f
	}
	return methods, fields
}

// declaredTypes returns the types of all packages by their names: "ui.Model".
func declaredTypes(t *testing.T) map[string]*declared {
	types := make(map[string]*declared)
	of := func(name string) *declared {
		if types[name] == nil {
			types[name] = new(declared)
		}
		return types[name]
	}
	eachFile(t, func(file string, source *ast.File, _ *token.FileSet) {
		here := packageOf(file)
		imported := make(map[string]string)
		for _, spec := range source.Imports {
			to := strings.TrimPrefix(strings.Trim(spec.Path.Value, `"`), "blotter/")
			imported[path.Base(to)] = to
		}
		for _, d := range source.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				for _, list := range []*ast.FieldList{d.Recv, d.Type.Params} {
					if list != nil && len(list.List) > 0 && (list == d.Recv || takesShell(list)) {
						of(typeName(list.List[0].Type, here, imported)).methods++
					}
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						addFields(of(here+"."+spec.Name.Name), spec, here, imported)
					}
				}
			}
		}
	})
	return types
}

// takesShell reports whether the first parameter is the shell of the screen.
func takesShell(params *ast.FieldList) bool {
	pointer, ok := params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	name, ok := pointer.X.(*ast.Ident)
	return ok && name.Name == "Model"
}

func addFields(to *declared, spec *ast.TypeSpec, here string, imported map[string]string) {
	of, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range of.Fields.List {
		if to.fields += max(len(field.Names), 1); len(field.Names) == 0 {
			to.embedded = append(to.embedded, typeName(field.Type, here, imported))
		}
	}
}

// typeName returns the name of a type with its package, without pointers and type arguments.
func typeName(of ast.Expr, here string, imported map[string]string) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X, here, imported)
	case *ast.IndexExpr:
		return typeName(of.X, here, imported)
	case *ast.IndexListExpr:
		return typeName(of.X, here, imported)
	case *ast.SelectorExpr:
		if name, ok := of.X.(*ast.Ident); ok {
			return imported[name.Name] + "." + of.Sel.Name
		}
	case *ast.Ident:
		return here + "." + of.Name
	}
	return ""
}

// TestLicencesOfAllModules: a release has the licence texts of all modules in the program. Those of the system that the
// test runs on are checked here, and those of all systems by .ci/run.
func TestLicencesOfAllModules(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	command := exec.Command(".ci/licences", runtime.GOOS)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", ".")
	modules, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for part := range strings.SplitSeq(string(output), "\n=== ") {
		heading, text, _ := strings.Cut(part, "\n")
		texts[heading] = text
	}
	for module := range strings.Lines("Go " + runtime.Version() + "\n" + string(modules)) {
		module = strings.TrimSpace(module)
		if text := texts[module]; module != "" && (len(text) < 500 || !strings.Contains(text, "WARRANT")) {
			t.Errorf("the licence text of %s is %q", module, text)
		}
	}
	if len(texts) < 20 {
		t.Errorf("there are %d texts", len(texts))
	}
	if text := texts["github.com/klauspost/compress "+version(t, "github.com/klauspost/compress")]; !strings.Contains(text, "--- zstd/internal/xxhash/LICENSE.txt") {
		t.Error("the licence of a folder in a module is missing")
	}
}

// version returns the version of a module in this test program.
func version(t *testing.T, module string) string {
	t.Helper()
	info, _ := debug.ReadBuildInfo()
	for _, used := range info.Deps {
		if used.Path == module {
			return used.Version
		}
	}
	t.Fatalf("%s is not used", module)
	return ""
}

// TestReleaseHasLicences: each archive and each package has the texts.
func TestReleaseHasLicences(t *testing.T) {
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"archives:", "nfpms:"} {
		_, section, _ := strings.Cut(string(text), "\n"+part)
		section, _, _ = strings.Cut(section, "\n\n")
		if !strings.Contains(section, "- src: .release/licences.txt") {
			t.Errorf("%s have no licence texts", part)
		}
	}
}

// TestSigning: without a key nothing is signed, and that is no error; with one, the signature is beside the file.
func TestSigning(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash")
	}
	folder := t.TempDir()
	file, signature := filepath.Join(folder, "checksums.txt"), filepath.Join(folder, "checksums.txt.asc")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	// In place of gpg, a program that writes its arguments into the signature.
	fake := "#!/usr/bin/env bash\nwhile [ $# -gt 1 ]; do [ \"$1\" = --output ] && to=$2; [ \"$1\" = --local-user ] && key=$2; shift; done; echo \"$key signed $1\" >\"$to\"\n"
	if err := os.WriteFile(filepath.Join(folder, "gpg"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"": "", "key-1": "key-1 signed " + file + "\n"} {
		command := exec.Command(".ci/sign", file, signature)
		command.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "SIGNING_KEY="+key)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Errorf("key %q: %v: %s", key, err, output)
		}
		got, _ := os.ReadFile(signature)
		if string(got) != want || (key == "") != strings.Contains(string(output), "is not signed") {
			t.Errorf("key %q: the signature is %q, and it says %q", key, got, output)
		}
		os.Remove(signature)
	}
}
