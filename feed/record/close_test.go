package record

import (
	"errors"
	"fmt"
	"testing"
)

// openFunc is a block that is opened by a function.
type openFunc func(*reader) error

func (f openFunc) open(r *reader) error { return f(r) }

// TestCloseDoesNotWaitForAJump: of a jump under way, the block that is open is the last one.
func TestCloseDoesNotWaitForAJump(t *testing.T) {
	for _, isState := range []bool{false, true} {
		const all, last = 1000, 10
		var player *Player
		opened, closed := 0, make(chan struct{})
		tape := &tape{to: all, starts: []start{{}}}
		for i := range all {
			tape.blocks = append(tape.blocks, openFunc(func(r *reader) error {
				if opened++; opened == last {
					go func() {
						player.Close()
						close(closed)
					}()
					<-player.ctx.Done()
				}
				r.data = fmt.Appendf(nil, "{\"at\":%d}\n", i)
				return nil
			}))
		}
		if isState {
			tape.starts = append(tape.starts, start{at: all, whole: tape.blocks, block: all})
		}
		var err error
		player, err = newPlayer(tape)
		if err != nil {
			t.Fatal(err)
		}
		player.Jump(tape.header.Start.Add(all))
		_, err = player.Next(t.Context())
		if <-closed; !errors.Is(err, errClosed) || opened != last {
			t.Errorf("a whole state: %t; %d blocks were opened, and Next returns: %v", isState, opened, err)
		}
	}
}
