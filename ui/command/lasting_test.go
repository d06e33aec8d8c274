//go:build unix

package command

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed/record"
	"blotter/model"
	"blotter/ui/command/config"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/uitest"
)

// lastingAlert is a rule whose condition must last, and that is reported again.
const lastingAlert = `
[[alert]]
name = "distress"
filter = "status:distressed"
for = "5s"
again = "20s"
command = ["sh", "-c", "cat >> FILE"]
`

// playing shows a recording to a Store with alerts, without a screen.
type playing struct {
	*store.Store
	player   *record.Player
	stop     func()
	messages chan tea.Msg
	logged   int // lines of the log that were returned
}

func play(t *testing.T, path string, file *config.File) *playing {
	player, err := record.Open(path, 1000)
	if err != nil {
		t.Fatal(err)
	}
	in := model.NewInstruments(nil, nil, nil)
	ctx, stop := context.WithCancel(t.Context())
	p := &playing{player: player, stop: stop, messages: make(chan tea.Msg, 1000), Store: store.New(ctx, player, store.Options{
		Instruments: in, Extent: store.Whole(0), Location: time.UTC, Now: player.Now, Events: player.TakeEvents, IsJumping: player.IsJumping,
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Alerts: file.ScreenAlerts(),
		Format: func(in *model.Instruments) *format.Formatter {
			return format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
		},
	})}
	p.Start()
	uitest.Run(p.Advance(), p.messages)
	return p
}

// pass plays for a time of the clock, as a screen does.
func (p *playing) pass(d time.Duration) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for end := time.After(d); ; {
		select {
		case msg := <-p.messages:
			uitest.Run(p.Handle(msg), p.messages)
		case <-tick.C:
			uitest.Run(p.Tick(nil, store.NoSurveys), p.messages)
		case <-end:
			return
		}
		uitest.Run(p.Advance(), p.messages)
	}
}

// changes returns what alerts have done since the last call: "begin eth".
func (p *playing) changes() (words []string, at []time.Time) {
	log := p.Alerts().Log()
	if len(log) < p.logged { // a jump has begun a new log
		p.logged = 0
	}
	for _, e := range log[p.logged:] {
		word := map[bool]string{true: "begin", false: "end"}[e.Alert.Begins]
		if e.Alert.IsAgain {
			word = "again"
		}
		words, at = append(words, word+" "+e.Market.String()), append(at, e.SeenAt())
	}
	p.logged = len(log)
	return words, at
}

// TestAlertsOfARecording: a rule with for and again begins and ends at the same times when the recording is played
// again, at any speed, and after a jump back. A jump begins nothing by itself.
func TestAlertsOfARecording(t *testing.T) {
	folder := t.TempDir()
	path, recording := filepath.Join(folder, "events"), filepath.Join(folder, "day.zst")
	text := strings.ReplaceAll(lastingAlert, "FILE", path)
	written, file := writtenConfig(t, folder, text)
	withService(t, func(s *service) {
		s.Put(btc, eth)
		run := s.start("--plain", "--config", written, "--record", recording)
		s.after(5 * time.Second)
		began := time.Now()
		for range 5 {
			s.Update(distressed(btc))
			s.after(1300 * time.Millisecond)
			s.Update(btc)
			s.after(3300 * time.Millisecond)
		}
		s.Update(distressed(eth))
		s.after(52 * time.Second)
		s.Update(eth)
		s.after(10 * time.Second)
		run.interrupt()
		run.result().exits(130)
		s.after(2 * time.Second)
		content, _ := os.ReadFile(path)
		var words []string
		var at []time.Time
		for _, e := range eventsIn(t, string(content)) {
			when, err := time.Parse(time.RFC3339Nano, e.At)
			if err != nil {
				t.Fatal(err)
			}
			words, at = append(words, e.Direction+" "+e.Positions[0]["marketId"]), append(at, when)
		}
		if got, want := strings.Join(words, ", "), "begin b2, again b2, again b2, end b2"; got != want || at[0].Sub(began) < 28*time.Second {
			t.Fatalf("it was %q, want %q", got, want)
		}
		same := func(why string, p *playing, precision time.Duration) {
			t.Helper()
			gotWords, gotAt := p.changes()
			if fmt.Sprint(gotWords) != fmt.Sprint(words) {
				t.Fatalf("%s it is %q, want %q", why, gotWords, words)
			}
			for i := range at {
				if gotAt[i].Sub(at[i]).Abs() > precision {
					t.Errorf("%s, %s is at %s, want %s", why, words[i], gotAt[i], at[i])
				}
			}
		}
		for _, speed := range []float64{1, 0.5, 16} {
			p := play(s.t, recording, file)
			p.player.SetSpeed(speed)
			p.pass(time.Duration(100 / speed * float64(time.Second)))
			precision := max(time.Duration(40*speed)*time.Millisecond, 100*time.Millisecond)
			same(fmt.Sprintf("at speed %g", speed), p, precision)
			jump := func(to time.Time) {
				p.player.Jump(to)
				p.Jump()
				p.pass(100 * time.Millisecond)
			}
			jump(began)
			if got, _ := p.changes(); got != nil {
				t.Errorf("a jump back makes %q", got)
			}
			p.pass(time.Duration(80 / speed * float64(time.Second)))
			same("after a jump back", p, precision)
			p.player.SetSpeed(1)
			jump(at[1]) // in the middle: since when it matches is not known
			if got, _ := p.changes(); got != nil {
				t.Errorf("a jump into a match makes %q", got)
			}
			p.pass(4 * time.Second)
			if got, _ := p.changes(); got != nil {
				t.Errorf("a jump into a match makes %q too early", got)
			}
			p.pass(2 * time.Second)
			if got, _ := p.changes(); fmt.Sprint(got) != "[begin b2]" {
				t.Errorf("5 seconds after a jump into a match it is %q", got)
			}
			p.stop()
			p.player.Close()
			s.after(time.Second)
		}
	})
}

// writtenConfig writes a configuration to a file in a folder, and reads it.
func writtenConfig(t *testing.T, folder, text string) (path string, file *config.File) {
	t.Helper()
	path = filepath.Join(folder, "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := config.Parse("a.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return path, file
}

// TestAlertsOfDecimals: an alert begins and ends by numbers with a decimal point, without known decimals, and in a
// recording that is played again too. Its program gets them as they were sent.
func TestAlertsOfDecimals(t *testing.T) {
	folder := t.TempDir()
	path, recording := filepath.Join(folder, "events"), filepath.Join(folder, "day.zst")
	text := fmt.Sprintf("[[alert]]\nname = 'loss'\nfilter = 'upnl<-0.5'\nclear = 'upnl>-0.25'\ncommand = ['sh', '-c', 'cat >> %s']\n", path)
	written, file := writtenConfig(t, folder, text)
	withService(t, func(s *service) {
		p := btc
		p.UnrealisedPnl = "-0.50"
		s.Put(p)
		run := s.start("--plain", "--config", written, "--record", recording)
		s.after(5 * time.Second)
		for _, profit := range []string{"-0.500", "-0.75", "-0.3", "-5e-1", "-0.2"} {
			p.UnrealisedPnl = profit
			s.Update(p)
			s.after(5 * time.Second)
		}
		run.interrupt()
		run.result().exits(130)
		s.after(2 * time.Second)
		content, _ := os.ReadFile(path)
		var words []string
		for _, e := range eventsIn(t, string(content)) {
			words = append(words, e.Direction+" "+e.Positions[0]["unrealisedPnl"])
		}
		if got, want := strings.Join(words, ", "), "begin -0.75, end -0.2"; got != want {
			t.Errorf("it was %q, want %q", got, want)
		}
		again := play(s.t, recording, file)
		defer again.player.Close()
		defer again.stop()
		again.pass(40 * time.Second)
		words = nil
		for _, e := range again.Alerts().Log() {
			words = append(words, map[bool]string{true: "begin ", false: "end "}[e.Alert.Begins]+e.After().Number(model.UnrealisedPnl).String())
		}
		if got, want := strings.Join(words, ", "), "begin -0.75, end -0.2"; got != want {
			t.Errorf("in the recording it was %q, want %q", got, want)
		}
	})
}
