package remote

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// counted is a screen that counts messages, and how often it was drawn.
type counted struct{ messages, drawn int }

func (c *counted) Init() tea.Cmd { return nil }

func (c *counted) Update(tea.Msg) (tea.Model, tea.Cmd) {
	c.messages++
	return c, nil
}

func (c *counted) View() tea.View {
	c.drawn++
	return tea.NewView(fmt.Sprint(c.messages))
}

// TestMessagesThatComeTogetherAreDrawnOnce, and a key at once, with what came before it.
func TestMessagesThatComeTogetherAreDrawnOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		screen := new(counted)
		d := newDrawnTogether(screen)
		messages := make(chan tea.Msg)
		ctx, cancel := context.WithCancel(t.Context())
		var task sync.WaitGroup
		task.Go(func() { d.run(ctx, func(message tea.Msg) { messages <- message }) })
		defer task.Wait()
		defer cancel()
		send := func(messages ...tea.Msg) {
			for _, message := range messages {
				d.Update(message)
				d.View()
			}
		}
		// draw takes the message that draws the screen, which comes after the usual time.
		draw := func() {
			t.Helper()
			began := time.Now()
			send(<-messages)
			if took := time.Since(began); took != drawAfter {
				t.Errorf("it is drawn after %s", took)
			}
		}
		shows := func(messages string, drawn int) {
			t.Helper()
			if got := d.View().Content; got != messages || screen.drawn != drawn {
				t.Errorf("the screen has %s messages and was drawn %d times, want %s and %d", got, screen.drawn, messages, drawn)
			}
		}
		shows("0", 1)
		send("rows", "margin levels", "clock")
		shows("0", 1)
		draw()
		shows("3", 2)
		shows("3", 2)
		send("rows", tea.KeyPressMsg{Code: 'j'})
		shows("5", 3)
		draw()
		shows("5", 3)
		send("rows")
		draw()
		shows("6", 4)
	})
}
