//go:build linux

package terminaltest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"blotter/feed/record"
)

// BenchmarkMillion is what a trader would notice of 1,000,000 positions: the dashboard and blotter simulate are
// processes of their own, the dashboard on a terminal of 160x50. It reports
//   - how long it is from a key press to the last byte of its frame, while nothing changes and with 200,000 updates a
//     second, once the audit that follows a connection is over;
//   - the same while the order changes, and while the snapshot of an audit comes in;
//   - what part of a core the dashboard takes;
//   - how many updates a second go through between two audits without the service dropping the stream, and how often it
//     had to wait for the dashboard.
func BenchmarkMillion(b *testing.B) {
	var idle time.Duration
	b.Run("idle", func(b *testing.B) {
		on(b, 0, func(s *simulator, d *watcher) {
			d.awaitAudit()
			idle = d.reportKeys(d.presses(presses))
			d.reportCPU(func() { time.Sleep(10 * time.Second) })
		})
	})
	b.Run("200000", func(b *testing.B) {
		on(b, 200_000, func(s *simulator, d *watcher) {
			d.awaitAudit()
			d.reportCPU(func() { time.Sleep(10 * time.Second) })
			if p99 := d.reportKeys(d.presses(presses)); idle > 0 {
				b.ReportMetric(milliseconds(p99-idle), "p99-ms-more-than-idle")
			}
			s.report(d)
		})
	})
	b.Run("sort", func(b *testing.B) {
		on(b, 0, func(s *simulator, d *watcher) {
			d.awaitAudit()
			var took []time.Duration
			for range 10 {
				time.Sleep(2 * time.Second)
				d.types("\x1b[Cs")                                 // the next column, and sort by it
				took = append(took, d.presses(presses/10, "j")...) // k would move nothing on the first row, where the sort shows it
			}
			d.reportKeys(took)
		})
	})
	b.Run("snapshot", func(b *testing.B) {
		on(b, 0, func(s *simulator, d *watcher) {
			d.presses(presses / 50)
			time.Sleep(8 * time.Second) // the audit begins 10 seconds after the first snapshot
			d.reportKeys(d.presses(presses))
		})
	})
	b.Run("most", func(b *testing.B) {
		const most, step, least = 1_000_000, 100_000, 200_000
		for rate := most; rate >= least; rate -= step {
			drops := 0.0
			on(b, rate, func(s *simulator, d *watcher) {
				time.Sleep(20 * time.Second)
				drops = s.report(d)
			}, "--config", withoutAudits(b))
			if drops == 0 {
				break
			}
		}
	})
}

// BenchmarkRewind is what rewind costs with 1,000,000 positions and 50,000 updates a second: with and without it, in
// turns, and full: so short that the oldest updates are folded all the time.
func BenchmarkRewind(b *testing.B) {
	for range 2 {
		for _, rewind := range []struct{ name, duration string }{{"off", "0s"}, {"on", "4h"}, {"full", "10s"}} {
			file := filepath.Join(b.TempDir(), "config.toml")
			if err := os.WriteFile(file, []byte("[screen]\nrewind = \""+rewind.duration+"\"\nrewind_memory = 512\n"), 0o600); err != nil {
				b.Fatal(err)
			}
			b.Run(rewind.name, func(b *testing.B) {
				on(b, 50_000, func(s *simulator, d *watcher) {
					d.awaitAudit()
					time.Sleep(15 * time.Second)
					d.reportCPU(func() { time.Sleep(20 * time.Second) })
					d.reportKeys(d.presses(presses))
				}, "--config", file)
			})
		}
	}
}

// BenchmarkRecord is a recording of 200,000 updates a second, of a service that asks for a token: how many updates a
// second go through, how many streams the service drops, and what the recording lacks.
func BenchmarkRecord(b *testing.B) {
	b.Setenv("BLOTTER_TOKEN", "a-token-of-some-length")
	file := filepath.Join(b.TempDir(), "busy.zst")
	on(b, 200_000, func(s *simulator, d *watcher) {
		d.awaitAudit()
		d.reportCPU(func() { time.Sleep(20 * time.Second) })
		d.reportKeys(d.presses(presses))
		d.types("q") // says that the recording ends; the next one quits
		s.report(d)
	}, "--record", file)
	player, err := record.Open(file, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer player.Close()
	if err := player.Damage(); err != nil {
		b.Error(err)
	}
	oldest, newest := player.Range()
	b.ReportMetric(newest.Sub(oldest).Seconds(), "recorded-s")
	b.ReportMetric(float64(player.Dropped()), "states-dropped")
}

// BenchmarkReconnect is the most memory that the dashboard has taken of 1,000,000 positions, without rewind: once
// all is read and audited, and once all was read again.
func BenchmarkReconnect(b *testing.B) {
	file := filepath.Join(b.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[screen]\nrewind = \"0s\"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	on(b, 0, func(s *simulator, d *watcher) {
		d.awaitAudit()
		b.ReportMetric(d.peak(), "start-peak-MiB")
		d.types("r")
		time.Sleep(20 * time.Second) // an audit begins 10 seconds after the snapshot
	}, "--config", file)
}

// BenchmarkIdle reports what part of a core the dashboard takes with some hundreds of positions while nothing changes
// and no key is pressed, compared with a program of Bubble Tea that shows one line. They run in turns.
func BenchmarkIdle(b *testing.B) {
	var blotter, empty time.Duration
	for range b.N {
		for range 2 {
			s := startSimulator(b, 0)
			d := watchOnTerminal(b, s.address)
			d.load()
			d.awaitAudit()
			blotter += d.cpuOf(idleFor)
			d.end()
			s.end()
			e := onBenchTerminal(b, "empty screen")
			time.Sleep(time.Second)
			empty += e.cpuOf(idleFor)
			e.end()
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(blotter.Seconds()/(2*idleFor).Seconds()/float64(b.N), "cores")
	b.ReportMetric(empty.Seconds()/(2*idleFor).Seconds()/float64(b.N), "empty-cores")
	b.ReportMetric(blotter.Seconds()/empty.Seconds(), "x-empty")
}

const idleFor = 20 * time.Second

// cpuOf returns how much time of a processor the program takes in so much time.
func (d *watcher) cpuOf(meanwhile time.Duration) time.Duration {
	before := d.cpu()
	time.Sleep(meanwhile)
	return d.cpu() - before
}

// withoutAudits is a configuration.
func withoutAudits(b *testing.B) string {
	file := filepath.Join(b.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[feed]\naudit_every = \"never\"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}

// presses is how many key presses are measured: the slowest hundredth of them is what counts.
const presses = 500

// on runs a benchmark of one round on a dashboard that has the whole snapshot.
func on(b *testing.B, rate int, measure func(*simulator, *watcher), flags ...string) {
	for range b.N {
		s := startSimulator(b, rate, "--parties", "2000", "--markets", "500")
		d := watchOnTerminal(b, s.address, flags...)
		d.load()
		s.began = time.Now()
		measure(s, d)
		d.end()
		s.end()
	}
	b.ReportMetric(0, "ns/op")
}

// simulator is blotter simulate.
type simulator struct {
	rate    float64 // updates a second
	process *exec.Cmd
	address string
	began   time.Time // the dashboard had the snapshot
	output  *bufio.Scanner
	ended   bool
}

func startSimulator(b *testing.B, rate int, flags ...string) *simulator {
	flags = append([]string{"simulate", "--listen", "127.0.0.1:0", "--rate", strconv.Itoa(rate)}, flags...)
	s := &simulator{rate: float64(rate), process: exec.Command(os.Args[0], flags...)}
	s.process.Env = append(os.Environ(), "BLOTTER_TEST_MODE=main")
	s.process.Stderr = os.Stderr
	pipe, err := s.process.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.process.Process.Kill(); _ = s.process.Wait() })
	s.output = bufio.NewScanner(pipe)
	s.output.Scan()
	_, s.address, _ = strings.Cut(s.output.Text(), "--base-url ")
	return s
}

// report ends both, reports the counters of the service, and returns how many streams it dropped.
func (s *simulator) report(d *watcher) (drops float64) {
	took := time.Since(s.began)
	d.end()
	s.end()
	b := d.b
	var streams, dropped, blocked, blockedUpdates, snapshot, updates float64
	if _, err := fmt.Sscanf(s.output.Text(), simulatedWords, &streams, &dropped, &blocked, &blockedUpdates, &snapshot, &updates); err != nil {
		b.Fatalf("%q: %v", s.output.Text(), err)
	}
	b.ReportMetric(min(updates/took.Seconds(), s.rate), "updates/s") // some came before it began
	b.ReportMetric(dropped, "drops")
	b.ReportMetric(blockedUpdates, "blocked-updates")
	return dropped
}

const simulatedWords = "%g streams, %g of them dropped for being slow; %g writes waited for a reader, %g of them with updates; %g positions in snapshots, %g in updates"

// end interrupts the service and reads its last line.
func (s *simulator) end() {
	if s.ended {
		return
	}
	s.ended = true
	_ = s.process.Process.Signal(os.Interrupt)
	for s.output.Scan() && !strings.Contains(s.output.Text(), " streams, ") {
	}
}

// watcher is blotter on a terminal.
type watcher struct {
	b       *testing.B
	process *exec.Cmd
	pty     *os.File

	mu       sync.Mutex
	screen   bytes.Buffer // all that was written
	emulator *vt.Emulator
	row      string         // the market and the party under the cursor
	moves    chan time.Time // when the frames were whole that changed it
}

func watchOnTerminal(b *testing.B, address string, flags ...string) *watcher {
	return onBenchTerminal(b, "main", append(flags, "--base-url", address)...)
}

// onBenchTerminal starts this program in a mode.
func onBenchTerminal(b *testing.B, mode string, flags ...string) *watcher {
	d := &watcher{b: b, process: exec.Command(os.Args[0], flags...), emulator: vt.NewEmulator(160, 50), moves: make(chan time.Time, 1000)}
	d.process.Env = append(os.Environ(), "BLOTTER_TEST_MODE="+mode, "TERM=xterm-256color", "XDG_CONFIG_HOME="+b.TempDir(), "XDG_STATE_HOME="+b.TempDir())
	var err error
	if d.pty, err = pty.StartWithSize(d.process, &pty.Winsize{Rows: 50, Cols: 160}); err != nil {
		b.Skip("no terminals here: ", err)
	}
	go func() { _, _ = io.Copy(io.Discard, d.emulator) }()
	go d.read()
	b.Cleanup(func() { _ = d.process.Process.Kill(); _ = d.process.Wait(); d.pty.Close() })
	return d
}

// read takes what the dashboard writes. It responds as a terminal that draws frames as a whole, so that frames have an
// end.
func (d *watcher) read() {
	var frame []byte
	buffer := make([]byte, 1<<16)
	for {
		n, err := d.pty.Read(buffer)
		now := time.Now()
		if err != nil {
			return
		}
		if frame = append(frame, buffer[:n]...); bytes.Contains(frame, []byte(ansi.RequestModeSynchronizedOutput)) {
			d.types("\x1b[?2026;2$y")
			frame = nil
		}
		d.mu.Lock()
		d.screen.Write(buffer[:n])
		_, _ = d.emulator.Write(buffer[:n])
		if end := bytes.LastIndex(frame, []byte(ansi.ResetModeSynchronizedOutput)); end >= 0 {
			frame = frame[end+1:]
			if row := d.cursor(); row != d.row {
				d.row = row
				select {
				case d.moves <- now:
				default: // no key was pressed yet: the cursor is on the first row, whichever that is
				}
			}
		}
		d.mu.Unlock()
	}
}

// cursor is the market and the party of the row under the cursor. After the first key only keys change it: the line
// changes with other rows too, and stays the same if a key scrolls.
func (d *watcher) cursor() string {
	for y := range d.emulator.Height() {
		if cell := d.emulator.CellAt(0, y); cell == nil || cell.Content != "▌" {
			continue
		}
		row := ""
		for x := range 24 {
			if cell := d.emulator.CellAt(x, y); cell != nil {
				row += cell.Content
			}
		}
		return row
	}
	return ""
}

func (d *watcher) types(keys string) {
	if _, err := d.pty.WriteString(keys); err != nil {
		d.b.Error(err)
	}
}

// load waits until the snapshot is on the screen.
func (d *watcher) load() {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		d.mu.Lock()
		loaded := bytes.Contains(d.screen.Bytes(), []byte(" open"))
		d.mu.Unlock()
		if loaded {
			break
		}
		if time.Now().After(deadline) {
			d.b.Fatal("the snapshot does not come")
		}
	}
	time.Sleep(time.Second)
	d.types("\x1b[6~\x1b[6~\x1b[6~") // to a row that is neither the first nor the last in any order: every key moves the cursor
}

// awaitAudit waits until the audit that follows a connection is over.
func (d *watcher) awaitAudit() {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		d.mu.Lock()
		over := bytes.Contains(d.screen.Bytes(), []byte(" audit,"))
		d.mu.Unlock()
		if over {
			break
		}
	}
	time.Sleep(2 * time.Second)
}

// presses moves the cursor so often, down and up in turns or with other keys, and returns how long each move took to be
// on the screen.
func (d *watcher) presses(times int, keys ...string) []time.Duration {
	if keys == nil {
		keys = []string{"j", "k"}
	}
	var took []time.Duration
	for i := range times {
		time.Sleep(20*time.Millisecond + rand.N(20*time.Millisecond))
		for len(d.moves) > 0 {
			<-d.moves // whatever moved it before
		}
		began := time.Now()
		d.types(keys[i%len(keys)])
		select {
		case at := <-d.moves:
			took = append(took, at.Sub(began))
		case <-time.After(10 * time.Second):
			d.b.Fatalf("a key press moves nothing:\n%s", d.emulator)
		}
	}
	return took
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// reportKeys reports how long the frames of key presses took.
func (d *watcher) reportKeys(took []time.Duration) (p99 time.Duration) {
	slices.Sort(took)
	p99 = took[len(took)*99/100]
	d.b.ReportMetric(milliseconds(took[len(took)/2]), "p50-ms")
	d.b.ReportMetric(milliseconds(p99), "p99-ms")
	d.b.ReportMetric(milliseconds(took[len(took)-1]), "longest-ms")
	return p99
}

// reportCPU reports what part of a core the dashboard takes meanwhile.
func (d *watcher) reportCPU(meanwhile func()) {
	before, began := d.cpu(), time.Now()
	meanwhile()
	d.b.ReportMetric((d.cpu()-before).Seconds()/time.Since(began).Seconds(), "cores")
}

// cpu is how much time of a processor the dashboard has taken so far.
func (d *watcher) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.process.Process.Pid))
	if err != nil {
		d.b.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] { // utime and stime
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

// peak is the most memory that the dashboard has taken so far, in MiB.
func (d *watcher) peak() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", d.process.Process.Pid))
	if err != nil {
		d.b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	var kibibytes float64
	if _, err := fmt.Sscan(after, &kibibytes); err != nil {
		d.b.Fatalf("the peak in %q: %v", text, err)
	}
	return kibibytes / 1024
}

// end quits the dashboard and reports its memory.
func (d *watcher) end() {
	if d.process.ProcessState != nil {
		return
	}
	d.types("q")
	_ = d.process.Wait()
	if usage, ok := d.process.ProcessState.SysUsage().(*syscall.Rusage); ok {
		d.b.ReportMetric(float64(usage.Maxrss)/1024, "peak-MiB")
	}
}
