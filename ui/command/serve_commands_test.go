package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"blotter/feed/sim"
)

// ran is a command that a trader runs.
type ran struct {
	d              *servedTest
	client         *ssh.Client
	session        *ssh.Session
	output, errors *lockedBuffer
}

// lockedBuffer may be read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// exec starts a command of a trader.
func (d *servedTest) exec(seed byte, line string) *ran {
	d.t.Helper()
	client, err := d.dial(seed)
	if err != nil {
		d.t.Fatal(err)
	}
	session, err := client.NewSession()
	if err != nil {
		d.t.Fatal(err)
	}
	r := &ran{d: d, client: client, session: session, output: new(lockedBuffer), errors: new(lockedBuffer)}
	session.Stdout, session.Stderr = r.output, r.errors
	if err := session.Start(line); err != nil {
		d.t.Fatal(err)
	}
	return r
}

// code waits for the end of the command and returns its exit code.
func (r *ran) code() int {
	r.d.t.Helper()
	err := r.session.Wait()
	r.client.Close()
	r.d.after(time.Second)
	if exit, ok := errors.AsType[*ssh.ExitError](err); ok {
		return exit.ExitStatus()
	}
	if err != nil {
		r.d.t.Error(err)
	}
	return 0
}

// ends checks how a command ends: its exit code, and texts of both outputs.
func (d *servedTest) ends(seed byte, line string, code int, output, errors string) {
	d.t.Helper()
	r := d.exec(seed, line)
	got := r.code()
	if got != code || !strings.Contains(r.output.String(), output) || !strings.Contains(r.errors.String(), errors) {
		d.t.Errorf("%s ended with %d, and printed %q and %q", line, got, r.output, r.errors)
	}
	if seed != 1 {
		return
	}
	for _, hidden := range []string{"c0ffee,", "77777", "88888", "66666", "555555", "sim.test"} {
		if strings.Contains(r.output.String()+r.errors.String(), hidden) {
			d.t.Errorf("%s of a trader who may not see it printed %q: %q and %q", line, hidden, r.output, r.errors)
		}
	}
}

// TestATraderRunsCommands, of which each is that of the program, on what the trader may see.
func TestATraderRunsCommands(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.PutMargins(
			sim.MarginLevels{Party: "a1", Market: "b1", Asset: "d1", Maintenance: "100", Search: "110", Initial: "120", Release: "130"},
			sim.MarginLevels{Party: "c0ffee", Market: "b1", Asset: "d1", Maintenance: "555555", Search: "555556", Initial: "555557", Release: "555558"},
		)
		d.ends(1, "positions -o csv --columns party,market,size", 0, "a1,b1,5\na1,b2,-8\n", "")
		d.ends(2, "positions -o csv --columns party,size", 0, "c0ffee,77777\n", "")
		d.ends(1, "positions --party 'desk-1' --market b2 -o csv --columns \"market,size\"", 0, "b2,-8\n", "")
		d.ends(1, "positions --totals -o csv", 0, "", "")
		d.ends(1, "positions --until upnl<-300r --timeout 5s -o csv --columns market", 0, "b1\n", "")
		d.ends(1, "positions --until upnl<-9999r --timeout 5s", 5, "", "no position has matched")
		d.ends(1, "margins -o csv --timeout 1m", 0, ",100,", "the margin levels were read")
		d.ends(1, "positions --party desk-1 --sort m% -o csv --columns market,m% --timeout 1m", 0, "b1,", "")
		for _, party := range []string{"c0ffee", "abcd"} { // a hidden party is one that is not there
			d.ends(1, "positions --party "+party, 4, "", "this desk does not show you that")
		}
		for _, line := range []string{"rm -rf /", "", "doctor", "positions --record x", "positions --config /etc/passwd", "serve", "margins --help",
			"__complete positions", "positions --base-url http://x.example", "positions --replay x"} {
			d.ends(1, line, 2, "", "cannot be used on a desk")
		}
		d.ends(1, "margins --limit 1 -o csv --columns maintenance --timeout 1m", 0, "maintenance", "")
		d.ends(1, "positions --limit 1", 2, "", "unknown flag: --limit") // as in the program
		for _, name := range []string{"secret-fund", "no-such-fund"} {
			d.ends(1, "positions --party "+name, 4, "", "\""+name+"\" is not in the configuration; sent as typed\nblotter: this desk does not show you that")
		}
		d.ends(1, "positions; rm", 2, "", "cannot be used on a desk")
		d.ends(1, "positions > x", 2, "", "unexpected argument")
		d.ends(1, "positions 'x", 2, "", "is not closed")
	})
}

// TestACommandFollowsUntilTheRightsBecomeFewer. Then it ends with 1 and a line.
func TestACommandFollowsUntilTheRightsBecomeFewer(t *testing.T) {
	withServe(t, func(d *servedTest) {
		events, rows := d.exec(2, "events --follow -o csv"), d.exec(1, "positions -o ndjson --follow")
		d.after(3 * time.Second)
		d.Update(
			sim.Position{Party: "a1", Market: "b1", OpenVolume: 6, AverageEntryPrice: "1000", UnrealisedPnl: "-412"},
			sim.Position{Party: "c0ffee", Market: "b1", OpenVolume: 99999, AverageEntryPrice: "3000", UnrealisedPnl: "-44444"},
		)
		d.after(3 * time.Second)
		if !strings.Contains(events.output.String(), "99999") || !strings.Contains(rows.output.String(), "-412") {
			t.Errorf("printed %q, %q and %q, %q", events.output, events.errors, rows.output, rows.errors)
		}
		if strings.Contains(rows.output.String(), "99999") {
			t.Error("a hidden row was printed")
		}
		d.writeConfig(strings.Replace(tradersFile(t), "parties = ['*']", "parties = ['secret-fund']", 1))
		d.hangUp()
		if code := events.code(); code != 1 || !strings.Contains(events.errors.String(), "the rights or the key of the trader have changed") {
			t.Errorf("it ended with %d and %q", code, events.errors)
		}
		if rows.client.Close(); strings.Contains(rows.errors.String(), "rights") {
			t.Error("the command of another trader has ended")
		}
		d.after(time.Second)
	})
}

// TestACommandPrintsNoRowsThatMayBeOutOfDate: it ends with 3 and the reason, also if a screen shows these rows. Rows
// that become LIVE again in time are printed.
func TestACommandPrintsNoRowsThatMayBeOutOfDate(t *testing.T) {
	many := func(d *servedTest) {
		for i := range 3000 {
			d.Put(sim.Position{Party: "a1", Market: fmt.Sprintf("f%04d", i), OpenVolume: 1})
		}
	}
	for name, test := range map[string]struct {
		before, begin func(*servedTest)
		line, reason  string
		heal          func(*servedTest)
	}{
		"silent": {
			begin: func(d *servedTest) { d.Silence(); d.after(2 * time.Minute) },
			line:  "positions", reason: "STALE", heal: func(d *servedTest) { d.EndSilence() },
		},
		"silent, and the command follows": {
			begin: func(d *servedTest) { d.Silence(); d.after(2 * time.Minute) },
			line:  "positions --follow -o ndjson", reason: "STALE",
		},
		"silent, and events are followed": {
			begin: func(d *servedTest) { d.Silence(); d.after(2 * time.Minute) },
			line:  "events --follow", reason: "STALE",
		},
		"behind": {
			begin: (*servedTest).updateLate,
			line:  "positions", reason: "BEHIND",
		},
		"incomplete": {
			before: many,
			begin:  func(d *servedTest) { d.HoldSnapshot(1) },
			line:   "positions", reason: "page", heal: func(d *servedTest) { d.Release() },
		},
		"refused": {
			begin: func(d *servedTest) {
				d.SetStreamResponse(sim.Always, sim.Response{Status: 503})
				d.Cut()
				d.after(time.Minute)
			},
			line: "positions", reason: "Service Unavailable",
		},
		"margin levels that do not come": {
			begin: func(d *servedTest) { d.SetMarginResponse(sim.Always, sim.Response{Status: 503}) },
			line:  "margins", reason: "not all margin levels within 10s",
		},
		"an order by margin levels that do not come": {
			begin: func(d *servedTest) { d.SetMarginResponse(sim.Always, sim.Response{Status: 503}) },
			line:  "positions --sort m%", reason: "not all margin levels within 10s",
		},
	} {
		t.Run(name, func(t *testing.T) {
			withServe(t, func(d *servedTest) {
				if test.before != nil {
					test.before(d)
				}
				var screen *remoteScreen
				if test.before == nil {
					screen = d.connect(1)
				}
				test.begin(d)
				r := d.exec(1, test.line+" --timeout 10s")
				endless := time.AfterFunc(time.Minute, func() { r.client.Close() })
				if code := r.code(); code != 3 || r.output.String() != "" || !strings.Contains(r.errors.String(), test.reason) {
					d.t.Errorf("it ended with %d, and printed %q and %q", code, r.output, r.errors)
				}
				endless.Stop()
				if test.heal != nil {
					r = d.exec(1, test.line+" -o csv --columns market,size --timeout 1m")
					d.after(5 * time.Second)
					test.heal(d)
					if code := r.code(); code != 0 || !strings.Contains(r.output.String(), "b2,-8\n") {
						d.t.Errorf("it ended with %d, and printed %q and %q", code, r.output, r.errors)
					}
				}
				if screen != nil {
					screen.close()
				}
			})
		})
	}
}

// updateLate makes the service send updates that are 90 seconds old.
func (d *servedTest) updateLate() {
	d.after(2 * time.Minute)
	for i := range int64(4) {
		d.Broadcast(sim.Position{
			Party: "a1", Market: "b1", OpenVolume: 6 + i, AverageEntryPrice: "1000", UpdatedAt: time.Now().Add(-90 * time.Second).UnixNano(),
		})
		d.after(time.Second)
	}
}

// TestCommandsHavePlacesOfTheirOwn: eight of a trader run, the ninth is refused, and screens are as before.
func TestCommandsHavePlacesOfTheirOwn(t *testing.T) {
	withServe(t, func(d *servedTest) {
		screen := d.connect(1)
		var running []*ran
		for range 8 {
			running = append(running, d.exec(1, "events --follow"))
		}
		d.after(10 * time.Second)
		d.ends(1, "positions", 1, "", "8 commands of this trader run already")
		d.ends(2, "positions", 0, "secret-fund", "")
		screen.shows("2 open")
		others := []*remoteScreen{d.connect(1), d.connect(1), d.connect(1)}
		for _, each := range append(others, screen) {
			each.shows("2 open").close()
		}
		for _, each := range running {
			each.client.Close()
		}
		d.after(time.Second)
		d.ends(1, "positions", 0, "desk-1", "")
	})
}

// TestLinesOfWordsWithoutATerminal: ssh -T, and TERM=dumb, which ctrl+c ends.
func TestLinesOfWordsWithoutATerminal(t *testing.T) {
	withServe(t, func(d *servedTest) {
		for _, isDumb := range []bool{false, true} {
			client, err := d.dial(1)
			if err != nil {
				t.Fatal(err)
			}
			session, err := client.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			if isDumb {
				if err := session.RequestPty("dumb", 24, 80, nil); err != nil {
					t.Fatal(err)
				}
			}
			keys, err := session.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			output := new(lockedBuffer)
			session.Stdout = output
			if err := session.Shell(); err != nil {
				t.Fatal(err)
			}
			d.after(3 * time.Second)
			if text := output.String(); !strings.Contains(text, "desk-1") || strings.Contains(text, "secret") || strings.Contains(text, "\x1b") ||
				strings.Contains(text, "\r\n") != isDumb {
				t.Errorf("printed %q", text)
			}
			if isDumb {
				_, _ = io.WriteString(keys, "\x03")
				if err := session.Wait(); err != nil {
					t.Errorf("after ctrl+c: %v", err)
				}
			}
			client.Close()
			d.after(time.Second)
		}
	})
}

func TestWordsOfALine(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		"  positions\t-o  csv ":    {"positions", "-o", "csv"},
		`a 'b c' "d \" e" f\ g ''`: {"a", "b c", `d " e`, "f g", ""},
		`$HOME * < > | ; 'a\b'`:    {"$HOME", "*", "<", ">", "|", ";", `a\b`},
		`"a\|b \" \\ \$" a\|b`:     {`a\|b " \ $`, "a|b"},
	} {
		if words, err := splitWords(line); err != nil || !slices.Equal(words, want) {
			t.Errorf("%q: %q, %v", line, words, err)
		}
	}
	for _, line := range []string{"'a", `"a`, `a\`} {
		if _, err := splitWords(line); err == nil {
			t.Errorf("%q is split", line)
		}
	}
}
