package ui

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"blotter/model"
	"blotter/ui/dialog"
	"blotter/ui/pane"
)

// handledDialogs returns the types that dialogMaker handles, as %T prints them.
func handledDialogs(t *testing.T) []string {
	t.Helper()
	source, err := parser.ParseFile(token.NewFileSet(), "dialogs.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(source, func(n ast.Node) bool {
		if of, ok := n.(*ast.CaseClause); ok {
			for _, each := range of.List {
				name := types.ExprString(each)
				if !strings.Contains(name, ".") {
					name = "ui." + name
				}
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

// TestEveryDialogCanBeLeft: it has the keys of a group, esc ends it, and ctrl+c says how to quit.
func TestEveryDialogCanBeLeft(t *testing.T) {
	opened := map[string]func(s *screen) pane.Dialog{ // by their types; those that need other keys first
		"pane.BaselineDialog": func(s *screen) pane.Dialog {
			s.press("B")
			return pane.BaselineDialog{}
		},
		"dialog.ViewNameDialog": func(s *screen) pane.Dialog {
			s.press("v")
			return dialog.ViewNameDialog{Over: s.m.overlays.top().(*dialog.ViewList)}
		},
		"pane.SearchDialog": func(s *screen) pane.Dialog {
			s.press("?")
			return pane.SearchDialog{Page: s.m.steps.topPage().opened.(pane.TextPage).AsPage()}
		},
	}
	for _, of := range []pane.Dialog{
		pane.FilterDialog{}, pane.EventFilterDialog{}, partiesDialog{}, marketsDialog{}, columnsDialog{}, viewsDialog{}, pane.RuleDialog{},
		pane.WhatIfDialog{}, pane.TimeDialog{}, pane.SaveDialog{}, pane.FileDialog{}, pane.GroupDialog{}, paletteDialog{}, pane.OrderDialog{},
		pane.NamesDialog{Named: pane.Named{MarginKey: model.MarginKey{Key: model.Key{Party: desk1, Market: ethMarket}}}},
	} {
		opened[fmt.Sprintf("%T", of)] = func(*screen) pane.Dialog { return of }
	}
	for _, name := range handledDialogs(t) {
		t.Run(name, func(t *testing.T) {
			made := opened[name]
			if made == nil {
				t.Fatal("this test does not open it")
			}
			deskScreen(t, func(s *screen) {
				of := made(s)
				before := len(s.m.overlays.open)
				open := func() {
					s.start(s.m.apply(pane.Open{Dialog: of}))
					s.drain()
					if len(s.m.overlays.open) != before+1 {
						t.Fatalf("it is not open:\n%s", s.text())
					}
				}
				open()
				s.press("esc")
				if len(s.m.overlays.open) != before {
					t.Errorf("esc does not end it: is its group in dialogKeys, with its key esc?\n%s", s.text())
				}
				open()
				if s.press("ctrl+c"); s.m.notice.QuitsNext != "interrupt" {
					t.Errorf("ctrl+c does nothing: dialogKeys adds interrupt to each group")
				}
			})
		})
	}
}
