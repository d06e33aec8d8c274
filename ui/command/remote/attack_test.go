package remote

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	gossh "golang.org/x/crypto/ssh"
)

// socket connects without SSH.
func (d *desk) socket(t *testing.T) net.Conn {
	t.Helper()
	conn, err := d.listener.DialContext(t.Context(), "tcp", "desk:2222")
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// attack opens n connections, which send a text and then nothing, and opens each again when it is closed. The function
// that it returns ends them.
func (d *desk) attack(t *testing.T, n int, text string) (stop func()) {
	var all sync.WaitGroup
	var mu sync.Mutex
	isOver := false
	open := make(map[net.Conn]bool)
	for range n {
		all.Go(func() {
			for {
				conn := d.socket(t)
				mu.Lock()
				if isOver {
					conn.Close()
				}
				open[conn] = true
				mu.Unlock()
				_, _ = io.WriteString(conn, text)
				_, _ = io.Copy(io.Discard, conn)
				conn.Close()
				mu.Lock()
				delete(open, conn)
				ends := isOver
				mu.Unlock()
				if ends {
					return
				}
			}
		})
	}
	return func() {
		mu.Lock()
		isOver = true
		for conn := range open {
			conn.Close()
		}
		mu.Unlock()
		all.Wait()
	}
}

// TestSilentSocketsThatReopenLockNoTraderOut of the same address.
func TestSilentSocketsThatReopenLockNoTraderOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		defer d.attack(t, 64, "")()
		for i := range 10 {
			time.Sleep(700 * time.Millisecond)
			client, err := d.dial(t, gossh.PublicKeys(newKey(t, 1)))
			if err != nil {
				t.Errorf("try %d: %v", i, err)
				continue
			}
			client.Close()
		}
	})
}

// elsewhere is a listener whose connections come from different addresses.
type elsewhere struct {
	net.Listener
	address atomic.Pointer[net.TCPAddr] // of the next connections; nil: as they are
}

type from struct {
	net.Conn
	address net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.address }

func (e *elsewhere) Accept() (net.Conn, error) {
	conn, err := e.Listener.Accept()
	if address := e.address.Load(); err == nil && address != nil {
		conn = from{conn, address}
	}
	return conn, err
}

// TestConnectionsThatStallAfterTheirLineLockNoOtherAddressOut.
func TestConnectionsThatStallAfterTheirLineLockNoOtherAddressOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := new(elsewhere)
		d := newDesk(t, nil, func(of net.Listener) net.Listener {
			listener.Listener = of
			return listener
		})
		defer d.attack(t, 64, "SSH-2.0-stalls\r\n")()
		synctest.Wait()
		listener.address.Store(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 999})
		for i := range 10 {
			client, err := d.dial(t, gossh.PublicKeys(newKey(t, 1)))
			if err != nil {
				t.Errorf("try %d: %v", i, err)
				continue
			}
			client.Close()
		}
		listener.address.Store(nil)
	})
}

// TestThirtyTradersThroughOneGateway at once.
func TestThirtyTradersThroughOneGateway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var traders []Trader
		for i := range byte(30) {
			traders = append(traders, Trader{fmt.Sprint(i), []gossh.PublicKey{newKey(t, i).PublicKey()}})
		}
		d := newDesk(t, func(o *Options) { o.Traders = traders })
		begin := time.Now()
		var all sync.WaitGroup
		for i := range byte(30) {
			all.Go(func() {
				if _, err := d.dial(t, gossh.PublicKeys(newKey(t, i))); err != nil {
					t.Errorf("trader %d: %v", i, err)
				}
			})
		}
		all.Wait()
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("they are in after %s", took)
		}
	})
}

// TestWhatIsNoSSHIsClosedAtOnce, and too much of what is.
func TestWhatIsNoSSHIsClosedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		begin := time.Now()
		for _, text := range []string{"GET / HTTP/1.1\r\n", "\n", "SSX"} {
			conn := d.socket(t)
			_, _ = io.WriteString(conn, text)
			if got, err := io.ReadAll(conn); len(got) > 0 {
				t.Errorf("%q gets %q, %v", text, got, err)
			}
			conn.Close()
		}
		if took := time.Since(begin); took > 0 {
			t.Errorf("closed after %s", took)
		}
		conn := d.socket(t)
		defer conn.Close()
		go io.Copy(io.Discard, conn)
		text := "SSH-2.0-floods\r\n" + strings.Repeat("x", 250)
		sent, n, err := 0, 0, error(nil)
		for ; err == nil && sent < 1<<20; sent += n {
			n, err = io.WriteString(conn, text)
			text = strings.Repeat("x", 250) + "\r\n"
			synctest.Wait()
		}
		if sent >= 2*handshakeBytes {
			t.Errorf("%d bytes were taken before the authentication", sent)
		}
	})
}

// sleeper is the connection of a client that can sleep: then it neither reads nor writes, and does not close.
type sleeper struct {
	net.Conn
	mu    sync.Mutex
	awake chan struct{} // closed while it is awake
}

func (s *sleeper) wait() {
	s.mu.Lock()
	awake := s.awake
	s.mu.Unlock()
	<-awake
}

func (s *sleeper) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	s.wait()
	return n, err
}

func (s *sleeper) sleep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awake = make(chan struct{})
}

func (s *sleeper) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.awake)
}

// connectSleeper connects a client that can sleep.
func (d *desk) connectSleeper(t *testing.T, seed byte) (*gossh.Client, *sleeper) {
	t.Helper()
	s := &sleeper{Conn: d.socket(t), awake: make(chan struct{})}
	close(s.awake)
	c, channels, requests, err := gossh.NewClientConn(s, "desk:2222", &gossh.ClientConfig{
		User: "anyone", Auth: []gossh.AuthMethod{gossh.PublicKeys(newKey(t, seed))}, HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	client := gossh.NewClient(c, channels, requests)
	t.Cleanup(func() {
		client.Close()
		select {
		case <-s.awake:
		default:
			s.wake()
		}
	})
	return client, s
}

// TestClientsThatSleepDoNotKeepTheirPlaces: of those that do not answer, the one that is silent for longest gives its
// place to a new one.
func TestClientsThatSleepDoNotKeepTheirPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		for range 3 * maxConnectionsOfKey { // also more than the connections of a key
			client, s := d.connectSleeper(t, 1)
			o := show(t, client)
			begin := time.Now()
			until(t, "the screen of a new client", func() bool { return o.has("one keys=") || o.has("blotter:") })
			if !o.has("one keys=") || time.Since(begin) > answerTime+time.Second {
				t.Fatalf("after %s: %q", time.Since(begin), o.text.String())
			}
			time.Sleep(time.Minute / 2)
			s.sleep()
		}
		if got := d.Stats().Sessions; got != maxSessionsOfKey {
			t.Errorf("%d sessions", got)
		}
	})
}

func TestTheClientThatIsSilentForLongestIsReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		var sleepers []*sleeper
		for range maxSessionsOfKey {
			client, s := d.connectSleeper(t, 1)
			o := show(t, client)
			until(t, "the screen", func() bool { return o.has("one keys=") })
			sleepers = append(sleepers, s)
		}
		for _, i := range []int{2, 0} { // the third one sleeps first
			sleepers[i].sleep()
			time.Sleep(40 * time.Second)
		}
		o := show(t, d.connect(t, 1))
		until(t, "the new screen", func() bool { return o.has("one keys=") })
		until(t, "the end of the one", func() bool { return d.lastReport().Why == errReplaced.Error() })
		if d.closed != 1 {
			t.Errorf("%d screens are closed", d.closed)
		}
		if got := sleepers[2].Conn; isOpen(got) || !isOpen(sleepers[0].Conn) {
			t.Error("another connection is closed")
		}
	})
}

// isOpen reports whether the other end of a connection has not closed it.
func isOpen(conn net.Conn) bool {
	_, err := conn.Write([]byte{0})
	return err == nil
}

func TestALidIsClosedForAMinute(t *testing.T) {
	for asleep, stays := range map[time.Duration]bool{time.Minute: true, silenceTime - 20*time.Second: true, silenceTime + time.Minute: false} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk(t, nil)
			client, s := d.connectSleeper(t, 1)
			o := show(t, client)
			until(t, "the screen", func() bool { return o.has("one keys=") })
			s.sleep()
			time.Sleep(asleep)
			synctest.Wait()
			if got := d.Stats().Sessions == 1; got != stays {
				t.Errorf("after %s the session is there: %v", asleep, got)
			}
			s.wake()
			time.Sleep(time.Hour)
			synctest.Wait()
			if got := d.Stats().Sessions == 1; got != stays {
				t.Errorf("an hour after it has slept for %s the session is there: %v", asleep, got)
			}
		})
	}
}

// TestAllClientsGetTheLastWords when the server stops, with their status, and one that does not close its connection
// keeps the server for two seconds.
func TestAllClientsGetTheLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		d.socket(t) // neither this one
		var all sync.WaitGroup
		for i := range 8 {
			client := d.connect(t, byte(1+i%2))
			o := show(t, client)
			until(t, "the screen", func() bool { return o.has("keys=") })
			all.Go(func() {
				exit, ok := o.Wait().(*gossh.ExitError)
				if !ok || exit.ExitStatus() != 1 || !o.has("blotter: the server stops") || !strings.Contains(o.text.String(), ansi.ResetModeAltScreenSaveCursor) {
					t.Errorf("client %d ends with %v and %q", i, exit, o.text.String())
				}
				if i > 0 {
					client.Close()
				}
			})
		}
		begin := time.Now()
		d.stop()
		if took := time.Since(begin); took != stopTime {
			t.Errorf("it has stopped after %s", took)
		}
		all.Wait()
		if d.closed != 8 {
			t.Errorf("%d screens were closed", d.closed)
		}
	})
}

// TestManySessionsOfOneConnection one after the other, as a ControlMaster has.
func TestManySessionsOfOneConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		client := d.connect(t, 1)
		for range 3 * maxChannels {
			o := show(t, client)
			o.press(t, "q")
			if err := o.Wait(); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		for range maxChannels {
			if _, err := client.NewSession(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := client.NewSession(); err == nil {
			t.Error("channels together are not bounded")
		}
	})
}
