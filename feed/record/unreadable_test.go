package record_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
)

// TestAFileThatIsCutWhileItIsPlayed shows at each time what it showed then, or what it showed last, with that time and
// what is wrong. If the file is there again, it can be played.
func TestAFileThatIsCutWhileItIsPlayed(t *testing.T) {
	for _, name := range []string{"plain", "x.zst", "x.gz"} {
		path := filepath.Join(t.TempDir(), name)
		recorded(t, path, 20)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []int{0, 1, len(text) / 4, len(text) / 2, len(text) - 1} {
			synctest.Test(t, func(t *testing.T) {
				good, player, s := open(t, path, model.Scope{}), open(t, path, model.Scope{}), newScreen()
				oldest, newest := good.Range()
				s.follow(t, player, time.Second)
				write(t, path, text[:left])
				problems := 0
				for _, act := range []func(){
					func() { player.Jump(oldest.Add(newest.Sub(oldest) / 8)) }, func() { player.Jump(newest) }, func() { player.Step(-1) },
					func() { player.Step(1) }, func() { player.Pause(false) }, func() { player.Jump(newest) },
				} {
					act()
					s.follow(t, player, 30*time.Second)
					_, paused, _, problem := player.State()
					if problem != nil {
						problems++
						if !paused || strings.Contains(problem.Error(), "\n") || !strings.Contains(problem.Error(), name+", byte ") {
							t.Errorf("%s, %d bytes left: paused %t, and the problem is %q", name, left, paused, problem)
						}
					}
					if player.IsJumping() {
						t.Errorf("%s, %d bytes left: it is still jumping", name, left)
					}
					write(t, path, text)
					hasRows(t, s.rows(), shown(t, good, player.Now()))
					write(t, path, text[:left])
				}
				if problems < 3 {
					t.Errorf("%s, %d bytes left: only %d times a problem", name, left, problems)
				}
				for what, goOn := range map[string]func(){"step": func() { player.Step(1) }, "start of the clock": func() { player.Pause(false) }} {
					if left == len(text)-1 {
						continue // only the end of the recording is missing
					}
					player.Jump(newest)
					s.follow(t, player, time.Second)
					_, _, _, before := player.State()
					for range 10 { // the rest of a block can be there still
						goOn()
						s.follow(t, player, time.Second)
					}
					if _, _, _, problem := player.State(); problem == nil || problem == before {
						t.Errorf("%s, %d bytes left: after a %s the problem is not a new one: %v", name, left, what, problem)
					}
					write(t, path, text)
					at := player.Now()
					goOn()
					s.follow(t, player, time.Second)
					player.Pause(true)
					s.follow(t, player, time.Second)
					hasRows(t, s.rows(), shown(t, good, player.Now()))
					if _, _, _, problem := player.State(); problem != nil || !player.Now().After(at) {
						t.Errorf("%s, the file is there again: a %s goes from %s to %s: %v", name, what, at, player.Now(), problem)
					}
					write(t, path, text[:left])
				}
				write(t, path, text)
				player.Jump(newest)
				s.follow(t, player, time.Second)
				hasRows(t, s.rows(), shown(t, good, newest))
				if _, _, _, problem := player.State(); problem != nil {
					t.Errorf("%s, the file is there again: %v", name, problem)
				}
			})
		}
	}
}

// TestAWholeStateThatCannotBeReadAnyMoreIsAnError: one of its bytes has changed, and a jump that begins with it shows
// nothing.
func TestAWholeStateThatCannotBeReadAnyMoreIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "parts")
	synctest.Test(t, func(t *testing.T) {
		play(t, sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 10}, feed.Config{}, record.Options{Path: path, Size: 10_000}, func(s *session) {
			s.follow(t, s.tap, 30*time.Second)
		})
	})
	player := open(t, path, model.Scope{})
	parts, err := filepath.Glob(path + ".*")
	if err != nil || len(parts) == 0 {
		t.Fatal(parts, err)
	}
	for _, part := range parts {
		text, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		write(t, part, bytes.Replace(text, []byte(`"snapshot"`), []byte(`"snapshoT"`), 1))
	}
	_, newest := player.Range()
	delta, err := player.At(newest)
	if err == nil || !strings.Contains(err.Error(), "the recording cannot be read any more") {
		t.Errorf("it shows %+v, %v", delta, err)
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
