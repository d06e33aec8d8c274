package command

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/crypto/ssh"

	"blotter/feed/sim"
	"blotter/model/modeltest"
)

// sshKey returns a key of a client. Keys of different seeds are different.
func sshKey(t testing.TB, seed byte) ssh.Signer {
	t.Helper()
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{seed}, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// authorized returns the line of a key in a configuration.
func authorized(t testing.TB, seed byte) string {
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(sshKey(t, seed).PublicKey())))
}

// servedTest is blotter serve with a simulated service, and a place where its clients connect.
type servedTest struct {
	*service
	listener *sim.Listener
	running  *invocation
	config   string
}

// deskPositions are positions of two desks, of which the first trader sees only one.
var deskPositions = []sim.Position{
	{Party: "a1", Market: "b1", OpenVolume: 5, AverageEntryPrice: "1000", UnrealisedPnl: "-311", RealisedPnl: "7"},
	{Party: "a1", Market: "b2", OpenVolume: -8, AverageEntryPrice: "2000", UnrealisedPnl: "222", RealisedPnl: "9"},
	{Party: "c0ffee", Market: "b1", OpenVolume: 77777, AverageEntryPrice: "3000", UnrealisedPnl: "-88888", RealisedPnl: "66666"},
}

// tradersFile is a configuration with a trader who sees the first desk, and one who sees everything.
func tradersFile(t testing.TB) string {
	return fmt.Sprintf(`[screen]
time_zone = 'UTC'
[service]
name = 'prod'
[[party]]
id = 'a1'
name = 'desk-1'
[[party]]
id = 'c0ffee'
name = 'secret-fund'
[[alert]]
name = 'secret'
filter = 'party:secret-fund upnl<0'
[[view]]
number = 3
name = 'the fund'
parties = ['secret-fund']
[[trader]]
name = 'one'
keys = [%q]
parties = ['desk-1']
markets = ['*']
[[trader]]
name = 'two'
keys = [%q]
parties = ['*']
markets = ['*']
`, authorized(t, 1), authorized(t, 2))
}

// withServe runs a test beside blotter serve.
func withServe(t *testing.T, test func(*servedTest)) {
	t.Helper()
	withService(t, func(s *service) {
		s.Put(deskPositions...)
		folder := t.TempDir()
		d := &servedTest{service: s, listener: s.listensInMemory(), config: filepath.Join(folder, "desk.toml")}
		d.writeConfig(tradersFile(t))
		d.running = s.start("serve", "--config", d.config, "--state-folder", filepath.Join(folder, "state"))
		s.after(time.Second)
		test(d)
		d.running.interrupt()
		d.running.result().exits(130)
		s.after(time.Minute) // what the desk has begun ends
	})
}

func (d *servedTest) writeConfig(text string) {
	d.t.Helper()
	if err := os.WriteFile(d.config, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// dial connects a client with the key of a seed.
func (d *servedTest) dial(seed byte) (*ssh.Client, error) {
	conn, err := d.listener.DialContext(d.t.Context(), "tcp", "desk:2222")
	if err != nil {
		return nil, err
	}
	c, channels, requests, err := ssh.NewClientConn(conn, "desk:2222", &ssh.ClientConfig{
		User: "anyone", Auth: []ssh.AuthMethod{ssh.PublicKeys(sshKey(d.t, seed))}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		conn.Close()
		return nil, err
	}
	return ssh.NewClient(c, channels, requests), nil
}

// remoteScreen is the screen of a client, on an emulated terminal.
type remoteScreen struct {
	d        *servedTest
	client   *ssh.Client
	session  *ssh.Session
	keys     io.Writer
	terminal *screen
	all      bytes.Buffer // every byte that has come
	mu       sync.Mutex
}

func (r *remoteScreen) Write(p []byte) (int, error) {
	r.mu.Lock()
	r.all.Write(p)
	r.mu.Unlock()
	return r.terminal.Write(p)
}

// connect shows the screen of a trader, 120x40.
func (d *servedTest) connect(seed byte) *remoteScreen {
	d.t.Helper()
	client, err := d.dial(seed)
	if err != nil {
		d.t.Fatal(err)
	}
	session, err := client.NewSession()
	if err != nil {
		d.t.Fatal(err)
	}
	r := &remoteScreen{d: d, client: client, session: session}
	r.terminal = &screen{flow: make(chan struct{}, 1), emulator: vt.NewEmulator(120, 40)}
	go io.Copy(io.Discard, r.terminal.emulator) // its responses to queries
	session.Stdout = r
	if r.keys, err = session.StdinPipe(); err != nil {
		d.t.Fatal(err)
	}
	if err := session.RequestPty("xterm-256color", 40, 120, nil); err != nil {
		d.t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		d.t.Fatal(err)
	}
	d.after(2 * time.Second)
	return r
}

// press sends keys one after the other.
func (r *remoteScreen) press(keys ...string) *remoteScreen {
	r.d.t.Helper()
	for _, key := range keys {
		if _, err := io.WriteString(r.keys, key); err != nil {
			r.d.t.Fatal(err)
		}
		r.d.after(200 * time.Millisecond)
	}
	return r
}

// shows checks that the screen has texts.
func (r *remoteScreen) shows(texts ...string) *remoteScreen {
	r.d.t.Helper()
	on := strings.Join(r.terminal.lines(), "\n")
	for _, text := range texts {
		if !strings.Contains(on, text) {
			r.d.t.Errorf("there is no %q on\n%s", text, on)
		}
	}
	return r
}

// close disconnects the client.
func (r *remoteScreen) close() {
	r.client.Close()
	r.d.after(time.Second)
	_ = r.terminal.emulator.InputPipe().(io.Closer).Close()
}

func TestEachTraderSeesWhatItMay(t *testing.T) {
	withServe(t, func(d *servedTest) {
		one, two := d.connect(1), d.connect(2)
		one.shows("prod · one", "LIVE", "2 open", "desk-1", "-311", "+222")
		two.shows("prod · two", "LIVE", "3 open", "desk-1", "secret-fund", "-88,888")
		d.Update(sim.Position{Party: "a1", Market: "b1", OpenVolume: 6, AverageEntryPrice: "1000", UnrealisedPnl: "-412"})
		d.after(2 * time.Second)
		one.shows("-412")
		two.shows("-412")
		one.press("s", "z", "q") // the order is kept
		if err := one.session.Wait(); err != nil {
			t.Errorf("after q: %v", err)
		}
		one.close()
		two.close()
		output := d.running.output.take()
		if !strings.HasPrefix(output, "Listening at ") || !strings.Contains(output, "  -  one  ") || !strings.Contains(output, "  connected\n") || !strings.Contains(output, "  quit\n") {
			t.Errorf("printed\n%s", output)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(d.config), "state", "traders", "one", "state.json")); err != nil {
			t.Errorf("the state of the trader: %v", err)
		}
	})
}

// TestNothingHiddenIsInTheBytesOfASession: neither a row, nor a total, nor a name of another party, whatever page or
// dialog is opened.
func TestNothingHiddenIsInTheBytesOfASession(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.PutMargins(
			sim.MarginLevels{Party: "a1", Market: "b1", Asset: "d1", Maintenance: "100", Search: "110", Initial: "120", Release: "130"},
			sim.MarginLevels{Party: "c0ffee", Market: "b1", Asset: "d1", Maintenance: "555555", Search: "555556", Initial: "555557", Release: "555558"},
		)
		one := d.connect(1)
		d.Update(sim.Position{Party: "c0ffee", Market: "b1", OpenVolume: 99999, AverageEntryPrice: "3000", UnrealisedPnl: "-44444"})
		d.after(2 * time.Second)
		one.press("p", "\x1b", "i", "\x1b", "e", "\x1b", "!", "\x1b", "h", "\x1b", "x", "\t", "\t", "\x1b", ":", "fund", "\x1b", "3", "b", "b", "T", "\r", "\x1b")
		one.press("p", "secret", "\r", "\x1b", "\x1b", "/", "party:", "\t", "\x1b", "\x1b", "p", "c0ffee", "\r", "\x1b")
		d.after(10 * time.Second)
		one.mu.Lock()
		all := strings.ToLower(one.all.String())
		one.mu.Unlock()
		for _, hidden := range []string{"secret-fund", "the fund", "77,777", "88,888", "66,666", "99,999", "44,444", "555,555", "sim.test"} {
			if strings.Contains(all, hidden) {
				t.Errorf("%q was sent to a trader who may not see it", hidden)
			}
		}
		one.close()
	})
}

func TestUnknownKeysAreRefusedAndPrinted(t *testing.T) {
	withServe(t, func(d *servedTest) {
		if _, err := d.dial(9); err == nil {
			t.Error("a key of nobody is accepted")
		}
		d.after(time.Minute)
		fingerprint := ssh.FingerprintSHA256(sshKey(t, 9).PublicKey())
		if output := d.running.output.take(); !strings.Contains(output, "  -  127.0.0.1  "+fingerprint+"  1 key denied, the first of user \"anyone\"\n") {
			t.Errorf("printed\n%s", output)
		}
	})
}

func TestOneStreamForAllTraders(t *testing.T) {
	withServe(t, func(d *servedTest) {
		first := d.connect(1)
		second, third := d.connect(1), d.connect(1)
		if open := d.Counters().StreamsOpen; open != 2 {
			t.Errorf("%d streams are open for the alerts of the desk and three screens of one party", open)
		}
		for _, each := range []*remoteScreen{first, second, third} {
			each.shows("2 open")
			each.close()
		}
	})
}

func TestTradersAreReadAgainAfterAHangUp(t *testing.T) {
	withServe(t, func(d *servedTest) {
		one, two := d.connect(1), d.connect(2)
		d.writeConfig("nonsense")
		d.hangUp()
		if errors := d.running.errors.take(); !strings.Contains(errors, "the old traders stay") {
			t.Errorf("printed %q", errors)
		}
		one.shows("2 open")
		d.writeConfig(strings.Replace(tradersFile(t), "parties = ['*']", "parties = ['secret-fund']", 1))
		d.hangUp()
		one.shows("2 open")
		if err := two.session.Wait(); err == nil {
			t.Error("a trader who may see less has a screen with all")
		}
		two.close()
		two = d.connect(2)
		two.shows("1 open", "secret-fund")
		two.close()
		renamed := strings.ReplaceAll(tradersFile(t), "secret-fund", "other-name") // of the party and of the trader's right
		d.writeConfig(strings.Replace(renamed, "parties = ['*']", "parties = ['other-name']", 1))
		d.hangUp()
		two = d.connect(2)
		two.shows("1 open")
		two.close()
		one.close()
	})
}

// hangUp sends a hang-up.
func (d *servedTest) hangUp() {
	d.running.hangups <- nil
	d.after(time.Second)
}

func TestServeNeedsTraders(t *testing.T) {
	withService(t, func(s *service) {
		s.run("serve", "--state-folder", t.TempDir()).exits(2).printsErrors(
			"blotter: no trader may connect: add [[trader]] to the configuration file, with the keys and the parties of each\n")
	})
}

func TestATraderRewindsWhatItMaySee(t *testing.T) {
	withServe(t, func(d *servedTest) {
		one, two := d.connect(1), d.connect(2)
		d.after(5 * time.Second)
		d.Update(
			sim.Position{Party: "a1", Market: "b1", OpenVolume: 6, AverageEntryPrice: "1000", UnrealisedPnl: "-999"},
			sim.Position{Party: "c0ffee", Market: "b1", OpenVolume: 99999, AverageEntryPrice: "3000", UnrealisedPnl: "-44444"},
		)
		d.after(20 * time.Second)
		one.shows("-999").press("w", "w", "-22s\r").shows("REWIND", "-311")
		two.press("w", "w", "-22s\r").shows("REWIND", "-311", "-88,888")
		one.press("W").shows("A desk writes no files for traders.")
		for _, hidden := range []string{"88,888", "44,444"} {
			if strings.Contains(one.all.String(), hidden) {
				t.Errorf("%q was sent to a trader who may not see it", hidden)
			}
		}
		one.close()
		two.close()
	})
}

// TestTheFilterOfTheFileIsHiddenIfItNamesWhatIsHidden on the screen of a trader who may not see that.
func TestTheFilterOfTheFileIsHiddenIfItNamesWhatIsHidden(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.running.interrupt()
		d.running.result().exits(130)
		d.writeConfig(strings.Replace(tradersFile(t), "[screen]", "[screen]\nfilter = 'party:secret-fund'", 1))
		d.listener = d.listensInMemory()
		d.running = d.start("serve", "--config", d.config, "--state-folder", t.TempDir())
		d.after(time.Second)
		one, two := d.connect(1), d.connect(2)
		one.shows("2 open", "desk-1")
		two.shows("secret-fund", "-88,888")
		if strings.Contains(one.all.String(), "secret") {
			t.Error("the name was sent to a trader who may not see it")
		}
		one.close()
		two.close()
	})
}

// TestRulesThatLastOnTheScreenOfATrader: for begins the alert, and again tells it once more after it was seen.
func TestRulesThatLastOnTheScreenOfATrader(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.running.interrupt()
		d.running.result().exits(130)
		const rule = "[[alert]]\nname = 'loss'\nfilter = 'upnl<-500r'\nfor = '5s'\nagain = '20s'\n"
		d.writeConfig(tradersFile(t) + rule)
		d.listener = d.listensInMemory()
		d.running = d.start("serve", "--config", d.config, "--state-folder", t.TempDir())
		d.after(time.Second)
		one := d.connect(1)
		silent := func(why string) {
			t.Helper()
			if on := strings.Join(one.terminal.lines(), "\n"); strings.Contains(on, "ALERT") {
				t.Errorf("%s there is an alert on\n%s", why, on)
			}
		}
		d.Update(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5, AverageEntryPrice: "1000", UnrealisedPnl: "-600"})
		d.after(4 * time.Second)
		silent("after 4s")
		d.after(3 * time.Second)
		one.shows("ALERT loss 1").press("!").shows("loss").press("\x1b")
		d.after(2 * time.Second)
		silent("after it was seen")
		d.after(20 * time.Second)
		one.shows("ALERT loss 1")
		one.close()
	})
}

// TestEachTraderHasABaselineOfItsOwn, also if both look at the same service.
func TestEachTraderHasABaselineOfItsOwn(t *testing.T) {
	withServe(t, func(d *servedTest) {
		two := d.connect(2)
		two.press("B").shows("Baseline taken")
		d.after(2 * time.Second) // it is kept each second
		two.close()
		one := d.connect(1)
		one.press("B").shows("Baseline taken")
		one.close()
		two = d.connect(2)
		two.press("B").shows("u use it") // the one that was kept
		two.close()
	})
}

// TestEachTraderHasGroupsOfItsOwn, which are kept. One with a position that the trader may no longer see is not used.
func TestEachTraderHasGroupsOfItsOwn(t *testing.T) {
	withServe(t, func(d *servedTest) {
		d.connect(1).press("a", "O", "hedge", "\r").shows("Group hedge: 1 position;").close()
		d.connect(1).press("/", "group:hedge", "\r").shows("-311", "[group:hedge]").close()
		d.connect(2).press("/", "group:hedge", "\r").shows("No position matches").press("\x1b", "/", "secret", "\r", "a", "O", "xyzzy", "\r").close()
		d.connect(2).press(":", "xyzzy").shows("delete group xyzzy").close()
		d.writeConfig(strings.Replace(tradersFile(t), "parties = ['*']", "parties = ['desk-1']", 1))
		d.hangUp()
		two := d.connect(2)
		two.press(":", "xyzzy").shows("nothing has this name")
		two.close()
	})
}

// TestConnectsLeaveNothing: after many connects the server has the goroutines and the memory of the time before them.
func TestConnectsLeaveNothing(t *testing.T) {
	withServe(t, func(d *servedTest) {
		use := func() (goroutines int, memory uint64) {
			d.after(time.Minute) // streams that linger have ended
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return runtime.NumGoroutine(), m.HeapAlloc
		}
		connect := func(times int) {
			for range times {
				d.connect(1).press("?").close()
			}
		}
		connect(5)
		goroutines, memory := use()
		connects := 20
		if modeltest.IsThorough {
			connects = 200
		}
		connect(connects)
		goroutinesNow, memoryNow := use()
		const idle = 10 // of connections to the service
		if goroutinesNow > goroutines+idle {
			t.Errorf("%d goroutines, after %d before %d connects", goroutinesNow, goroutines, connects)
		}
		// A session takes some MB. The server's own past grows by much less in this time.
		if most := memory + 8<<20; memoryNow > most {
			t.Errorf("%d bytes of memory, after %d before %d connects", memoryNow, memory, connects)
		}
	})
}

// withoutTimes returns a screen without what depends on the second in which it is drawn.
func withoutTimes(lines []string) string {
	times := regexp.MustCompile(`\d\d:\d\d:\d\d UTC|\d+s\b|uPnL ─+`)
	return times.ReplaceAllStringFunc(strings.Join(lines, "\n"), func(time string) string {
		return strings.Repeat("_", min(len(time), 2))
	})
}

// TestAScreenOverSSH in each size, and what it refuses.
func TestAScreenOverSSH(t *testing.T) {
	withServe(t, func(d *servedTest) {
		one := d.connect(1)
		for _, size := range []struct{ columns, rows int }{{80, 24}, {120, 40}} {
			one.terminal.emulator.Resize(size.columns, size.rows)
			if err := one.session.WindowChange(size.rows, size.columns); err != nil {
				t.Fatal(err)
			}
			d.after(time.Second)
			matchesFile(t, withoutTimes(one.terminal.lines()), fmt.Sprintf("testdata/ssh-%dx%d.txt", size.columns, size.rows))
		}
		one.press("p", "c0ffee", "\r", "\r").shows("REFUSED", "This desk does not show you that")
		one.close()
	})
}
