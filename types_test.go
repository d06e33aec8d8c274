package main

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// The largest types. A type that has more does too much, and a struct that has more fields is several things.
const (
	maxMethods = 60
	maxFields  = 25 // of structs of the screen, but for those of options
)

// tooLarge are the types that are still larger, with their methods and fields. They may only become smaller.
var tooLarge = map[string]struct{ methods, fields int }{
	"ui.Model":        {139, 33},
	"model/view.View": {75, 0}, "ui/command.program": {70, 0}, "feed.running": {75, 0}, "feed/follow.Follower": {75, 0}, "feed/sim.Node": {75, 0},
}

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
		limit := struct{ methods, fields int }{maxMethods, maxFields}
		if larger, ok := tooLarge[name]; ok {
			limit = larger
		}
		if methods > limit.methods {
			t.Errorf("%s has %d methods, more than %d", name, methods, limit.methods)
		}
		if isScreen && !strings.HasSuffix(name, "Options") && fields > limit.fields {
			t.Errorf("%s has %d fields, more than %d", name, fields, limit.fields)
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
