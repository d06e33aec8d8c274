package system

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestPanicEndsTheContext(t *testing.T) {
	var h PanicHandler
	var log bytes.Buffer
	ctx, stop := h.Start(t.Context())
	defer stop()
	h.LogTo(&log, "a.log")
	var all sync.WaitGroup
	all.Go(func() {
		defer h.Recover()
		panic("first")
	})
	all.Wait()
	h.Handle("second", nil)
	if err := PanicOf(ctx); err == nil || err.Error() != "internal error, please report it: first; the stack trace is in a.log" {
		t.Errorf("the error is %v", err)
	}
	if text := log.String(); !strings.Contains(text, " panic: first\n") || !strings.Contains(text, "panics_test.go:") || strings.Contains(text, "second") {
		t.Errorf("the log has %s", text)
	}
}

func TestNoPanic(t *testing.T) {
	var h PanicHandler
	ctx, stop := h.Start(t.Context())
	func() { defer h.Recover() }()
	if ctx.Err() != nil {
		t.Error("the context has ended")
	}
	stop()
	if err := PanicOf(ctx); ctx.Err() != context.Canceled || err != nil {
		t.Errorf("%v, %v", ctx.Err(), err)
	}
}

// elsewhere is a panic that another goroutine has passed on.
type elsewhere struct{}

func (elsewhere) String() string { return "broken" }
func (elsewhere) Stack() []byte  { return []byte("another goroutine") }

func TestTheStackTraceOfAnotherGoroutineIsKept(t *testing.T) {
	var h PanicHandler
	var log bytes.Buffer
	ctx, stop := h.Start(t.Context())
	defer stop()
	h.LogTo(&log, "a.log")
	func() {
		defer h.Recover()
		panic(elsewhere{})
	}()
	if err := PanicOf(ctx); err == nil || !strings.Contains(err.Error(), ": broken; ") || !strings.Contains(log.String(), "\n\nanother goroutine\n") {
		t.Errorf("the error is %v, the log has %s", err, log.String())
	}
}

// breaking panics in the part that it names.
type breaking struct{ part string }

func (b breaking) Init() tea.Cmd {
	if b.part == "init" {
		panic(b.part)
	}
	return nil
}

func (b breaking) Update(tea.Msg) (tea.Model, tea.Cmd) {
	switch b.part {
	case "update":
		panic(b.part)
	case "command":
		return b, func() tea.Msg { panic(b.part) }
	case "batch":
		return b, func() tea.Msg { return tea.BatchMsg{func() tea.Msg { panic(b.part) }} }
	}
	return b, nil
}

func (b breaking) View() tea.View {
	if b.part == "view" {
		panic(b.part)
	}
	return tea.View{}
}

func TestPanicsOfAScreen(t *testing.T) {
	for _, part := range []string{"init", "update", "view", "command", "batch"} {
		var h PanicHandler
		ctx, stop := h.Start(t.Context())
		screen := h.Screen(breaking{part})
		screen.Init()
		screen, command := screen.Update(nil)
		if command != nil {
			if batch, ok := command().(tea.BatchMsg); ok {
				batch[0]()
			}
		}
		screen.View()
		if err := PanicOf(ctx); err == nil || !strings.HasPrefix(err.Error(), "internal error, please report it: "+part+"; run it again with --log-file") {
			t.Errorf("%s: the error is %v", part, err)
		}
		stop()
	}
}
