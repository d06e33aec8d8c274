//go:build linux

package terminaltest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

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
		on(b, 0, "", func(s *simulator, d *watcher) {
			d.awaitAudit()
			idle = reportKeys(d.b, d.presses(presses))
			d.reportCPU(func() { time.Sleep(10 * time.Second) })
		})
	})
	b.Run("200000", func(b *testing.B) {
		on(b, 200_000, "", func(s *simulator, d *watcher) {
			d.awaitAudit()
			d.reportCPU(func() { time.Sleep(10 * time.Second) })
			if p99 := reportKeys(d.b, d.presses(presses)); idle > 0 {
				b.ReportMetric(milliseconds(p99-idle), "p99-ms-more-than-idle")
			}
			s.report(d)
		})
	})
	b.Run("sort", func(b *testing.B) {
		on(b, 0, "", func(s *simulator, d *watcher) {
			d.awaitAudit()
			var took []time.Duration
			for i := range 10 {
				time.Sleep(2 * time.Second)
				d.types("s" + string("uzerm"[i%5]))                // another order
				took = append(took, d.presses(presses/10, "j")...) // k would move nothing on the first row, where the sort shows it
			}
			reportKeys(d.b, took)
		})
	})
	b.Run("snapshot", func(b *testing.B) {
		on(b, 0, "", func(s *simulator, d *watcher) {
			d.presses(presses / 50)
			time.Sleep(8 * time.Second) // the audit begins 10 seconds after the first snapshot
			reportKeys(d.b, d.presses(presses))
		})
	})
	b.Run("most", func(b *testing.B) {
		const most, step, least = 1_000_000, 100_000, 200_000
		for rate := most; rate >= least; rate -= step {
			drops := 0.0
			on(b, rate, "[feed]\naudit_every = \"never\"\n", func(s *simulator, d *watcher) {
				time.Sleep(20 * time.Second)
				drops = s.report(d)
			})
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
			b.Run(rewind.name, func(b *testing.B) {
				on(b, 50_000, "rewind = \""+rewind.duration+"\"\nrewind_memory = 512\n", func(s *simulator, d *watcher) {
					d.awaitAudit()
					time.Sleep(15 * time.Second)
					d.reportCPU(func() { time.Sleep(20 * time.Second) })
					reportKeys(d.b, d.presses(presses))
				})
			})
		}
	}
}

// BenchmarkRecord is a recording of 200,000 updates a second, of a service that asks for a token: how many updates a
// second go through, how many streams the service drops, and what the recording lacks.
func BenchmarkRecord(b *testing.B) {
	b.Setenv("BLOTTER_TOKEN", "a-token-of-some-length")
	file := filepath.Join(b.TempDir(), "busy.zst")
	on(b, 200_000, "", func(s *simulator, d *watcher) {
		d.awaitAudit()
		d.reportCPU(func() { time.Sleep(20 * time.Second) })
		reportKeys(d.b, d.presses(presses))
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
	on(b, 0, "rewind = \"0s\"\n", func(s *simulator, d *watcher) {
		d.awaitAudit()
		b.ReportMetric(memoryOf(b, d.process, "VmHWM"), "start-peak-MiB")
		d.reportCPU(func() {
			d.types("r")
			time.Sleep(20 * time.Second) // an audit begins 10 seconds after the snapshot
		})
	})
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

// cpuOf returns how long the program uses a processor meanwhile.
func (d *watcher) cpuOf(meanwhile time.Duration) time.Duration {
	before := cpuOf(d.b, d.process)
	time.Sleep(meanwhile)
	return cpuOf(d.b, d.process) - before
}

// presses is how many key presses are measured: the slowest hundredth of them is what counts.
const presses = 500

// on runs a benchmark of one round on a dashboard that has the whole snapshot, with these lines of a configuration. The
// order is one in which updates move no row: by trouble, thousands may move above the cursor's row in a frame, and a
// key that shows it could not be seen.
func on(b *testing.B, rate int, config string, measure func(*simulator, *watcher), flags ...string) {
	file := filepath.Join(b.TempDir(), "config.toml")
	if err := os.WriteFile(file, []byte("[screen]\norder = \"market\"\n"+config), 0o600); err != nil {
		b.Fatal(err)
	}
	for range b.N {
		s := startSimulator(b, rate, "--parties", "2000", "--markets", "500")
		d := watchOnTerminal(b, s.address, append(flags, "--config", file)...)
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

func startSimulator(b testing.TB, rate int, flags ...string) *simulator {
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
	*watchedScreen
	b       *testing.B
	process *exec.Cmd
}

func watchOnTerminal(b *testing.B, address string, flags ...string) *watcher {
	return onBenchTerminal(b, "main", append(flags, "--base-url", address)...)
}

// onBenchTerminal starts this program in a mode.
func onBenchTerminal(b *testing.B, mode string, flags ...string) *watcher {
	d := &watcher{b: b, process: exec.Command(os.Args[0], flags...)}
	d.process.Env = append(os.Environ(), "BLOTTER_TEST_MODE="+mode, "TERM=xterm-256color", "XDG_CONFIG_HOME="+b.TempDir(), "XDG_STATE_HOME="+b.TempDir())
	terminal, err := pty.StartWithSize(d.process, &pty.Winsize{Rows: 50, Cols: 160})
	if err != nil {
		b.Skip("no terminals here: ", err)
	}
	d.watchedScreen = newWatchedScreen(b, terminal)
	go func() { _, _ = io.Copy(d.watchedScreen, terminal) }()
	b.Cleanup(func() { _ = d.process.Process.Kill(); _ = d.process.Wait(); terminal.Close() })
	return d
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// reportKeys reports how long the frames of key presses took.
func reportKeys(b *testing.B, took []time.Duration) (p99 time.Duration) {
	slices.Sort(took)
	p99 = took[len(took)*99/100]
	b.ReportMetric(milliseconds(took[len(took)/2]), "p50-ms")
	b.ReportMetric(milliseconds(p99), "p99-ms")
	b.ReportMetric(milliseconds(took[len(took)-1]), "longest-ms")
	return p99
}

// reportCPU reports what part of a core the dashboard takes meanwhile.
func (d *watcher) reportCPU(meanwhile func()) {
	before, began := cpuOf(d.b, d.process), time.Now()
	meanwhile()
	d.b.ReportMetric((cpuOf(d.b, d.process)-before).Seconds()/time.Since(began).Seconds(), "cores")
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
