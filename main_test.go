package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport says, for each room of the house, which other rooms it may know. Tests may also know the service
// that they script.
var mayImport = map[string][]string{
	".":          {"ui/command"},
	"ui/command": {"ui", "ui/plain", "feed", "feed/sim", "model"},
	"ui":         {"model"},
	"ui/plain":   {"model"},
	"feed":       {"model"},
	"feed/sim":   {},
	"model":      {},
}

func TestRoomsKnowOnlyWhomTheyMay(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		room := filepath.ToSlash(filepath.Dir(path))
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s is in a room that the house does not have", path)
		}
		if strings.HasSuffix(path, "_test.go") {
			allowed = append([]string{"feed/sim", room}, allowed...)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			other, ours := strings.CutPrefix(imported, "blotter/")
			if ours && !slices.Contains(allowed, other) {
				t.Errorf("%s imports %s, which %s must not know", path, imported, room)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The top level is what a newcomer sees first: it stays as small as it was drawn.
func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"main.go", "main_test.go", "ui", "feed", "model", "config.example.toml", "go.mod", "go.sum", "README.md"}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(want, name) && name != "blotter" {
			t.Errorf("%s stands at the top level", name)
		}
	}
}
